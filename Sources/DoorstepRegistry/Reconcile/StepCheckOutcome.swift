public import DoorstepPluginKit

/// What one check answered, and how long it took.
public struct StepCheckOutcome: Sendable, Hashable {
    /// The answer; "cannot tell" with the reason for a check that was late.
    public var satisfaction: Satisfaction
    /// From the start of the check to its answer.
    public var duration: Duration
}
