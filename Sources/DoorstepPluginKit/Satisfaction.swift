/// A check's answer to "is this step already satisfied outside the flow?".
public struct Satisfaction: Sendable, Hashable {
    /// `true`: satisfied, which alone is recorded. `false`: not satisfied. Nil: the check can't tell.
    public var isSatisfied: Bool?
    /// How things stand.
    public var status: AuthorizationStatus
    /// On what a grant rests; nil for every other status.
    public var basis: GrantBasis?
    /// One line for a person: what was asked, and what it said.
    public var evidence: String

    /// An answer from its parts; line ends in the evidence become spaces.
    public init(isSatisfied: Bool?, status: AuthorizationStatus, basis: GrantBasis? = nil, evidence: String) {
        self.isSatisfied = isSatisfied
        self.status = status
        self.basis = basis
        self.evidence = String(evidence.map { $0.isNewline ? " " : $0 })
    }

    /// The check can't tell, for this reason. It records nothing, and is reported.
    public static func cannotTell(_ reason: String) -> Satisfaction {
        Satisfaction(isSatisfied: nil, status: .unknown, evidence: reason)
    }
}
