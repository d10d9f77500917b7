internal import Doorstep

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

    /// The most characters of evidence that are kept.
    static let longestEvidence = 500

    /// An answer from its parts. Evidence is one line for a person: line ends and other control characters in it become
    /// spaces, and what is beyond 500 characters is cut off.
    public init(isSatisfied: Bool?, status: AuthorizationStatus, basis: GrantBasis? = nil, evidence: String) {
        self.isSatisfied = isSatisfied
        self.status = status
        self.basis = basis
        self.evidence = Self.line(evidence)
    }

    private static func line(_ text: String) -> String {
        // Nearly all evidence is short and plain; a pass makes hundreds of lines of it.
        if text.utf8.count <= longestEvidence,
            text.utf8.withContiguousStorageIfAvailable({ $0.allSatisfy { 0x20..<0x7F ~= $0 } }) ?? false
        {
            return text
        }
        var line = ""
        for scalar in text.prefix(longestEvidence).unicodeScalars {
            let isControl = scalar.isControl || Character(scalar).isNewline
            line.unicodeScalars.append(isControl ? " " : scalar)
        }
        return text.dropFirst(longestEvidence).isEmpty ? line : line + "…"
    }

    /// The check can't tell, for this reason. It records nothing, and is reported.
    public static func cannotTell(_ reason: String) -> Satisfaction {
        Satisfaction(isSatisfied: nil, status: .unknown, evidence: reason)
    }
}
