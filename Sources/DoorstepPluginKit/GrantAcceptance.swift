/// Which grants satisfy a step: by default a full one on any basis.
public struct GrantAcceptance: Sendable, Hashable {
    /// The bases that count.
    public var bases: Set<GrantBasis>
    /// The modes that count.
    public var modes: Set<GrantMode>

    /// What counts as granted; ``GrantMode/muted`` counts too, since a muted service still takes what it is given.
    public init(
        bases: Set<GrantBasis> = Set(GrantBasis.allCases), modes: Set<GrantMode> = [.always, .whileInUse, .muted]
    ) {
        self.bases = bases
        self.modes = modes
    }

    /// The check's answer for a status: satisfied only by a grant that counts, "cannot tell" for an unknown status.
    public func satisfaction(
        _ status: AuthorizationStatus, basis: GrantBasis? = nil, evidence: String
    ) -> Satisfaction {
        switch status {
        case .unknown:
            return .cannotTell(evidence)
        case .granted(let mode):
            // A grant on a basis that nobody names can't be one of a few that count.
            let hasBasis = basis.map(bases.contains) ?? (bases.count == GrantBasis.allCases.count)
            var evidence = evidence
            if !hasBasis {
                evidence += " (but a grant by \(basis?.rawValue ?? "nothing known") doesn't count here)"
            } else if !modes.contains(mode) {
                evidence += " (but a grant that is \(mode.rawValue) doesn't count here)"
            }
            return Satisfaction(
                isSatisfied: hasBasis && modes.contains(mode), status: status, basis: basis, evidence: evidence)
        default:
            return Satisfaction(isSatisfied: false, status: status, evidence: evidence)
        }
    }
}
