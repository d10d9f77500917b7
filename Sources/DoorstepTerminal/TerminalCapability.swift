internal import Glibc

/// What may be written to a descriptor besides plain text.
public struct TerminalCapability: Sendable, Hashable {
    /// Whether the descriptor is a terminal.
    public let isTerminal: Bool
    /// Whether colour may be used: on a terminal that isn't `dumb`, and where `NO_COLOR` is unset or empty
    /// (no-color.org).
    public let allowsColor: Bool

    /// What a descriptor and an environment allow.
    public init(of descriptor: Int32, environment: [String: String]) {
        self.init(isTerminal: isatty(descriptor) == 1, environment: environment)
    }

    /// What an environment allows on a descriptor that is a terminal or not.
    ///
    /// A terminal without a `TERM` counts as `dumb`.
    public init(isTerminal: Bool, environment: [String: String]) {
        let term = environment["TERM"] ?? ""
        let isDumb = term.isEmpty || term == "dumb"
        let refusesColor = !(environment["NO_COLOR"] ?? "").isEmpty
        self.isTerminal = isTerminal
        self.allowsColor = isTerminal && !isDumb && !refusesColor
    }
}
