public import Doorstep

/// What one read tells of an app's flow: the kept definition and the answers of its welcome and steps.
public struct FlowSnapshot: Sendable, Hashable {
    /// The definition as it was last registered.
    public var registration: FlowRegistration
    /// The records of the registered welcome and steps, without records of steps that the flow no longer has.
    public var records: [OnboardingStepID: OnboardingRecord]

    /// A snapshot from its parts.
    public init(registration: FlowRegistration, records: [OnboardingStepID: OnboardingRecord]) {
        self.registration = registration
        self.records = records
    }
}
