/// What came out of one point of a conformance run.
public struct ConformanceVerdict: Sendable, Hashable {
    /// How a plugin stands on a point.
    public enum Outcome: Sendable, Hashable {
        /// It does what the protocol wants.
        case passed
        /// It doesn't: one sentence of what was done, what came back, and what should have.
        case failed(String)
        /// It doesn't concern this plugin, for this reason.
        case skipped(String)
    }

    /// The point, a few words such as `answers a check`.
    public var point: String
    /// How the plugin stands on it.
    public var outcome: Outcome

    /// Whether the plugin does what the protocol wants, or isn't concerned.
    public var isGood: Bool {
        if case .failed = outcome { return false }
        return true
    }
}
