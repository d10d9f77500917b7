public import Doorstep

/// One step of one app in one suite: what is recorded, what stands, and what the flow says of it.
public struct AuditRow: Sendable {
    /// The app.
    public var app: String
    /// What the flow says of the step.
    public var step: OnboardingStepConfig
    /// Whether it is the flow's welcome.
    public var isWelcome: Bool
    /// The kind of its plugin, or nil where no manifest says.
    public var plugin: String?
    /// What the suite holds, also at an earlier revision; nil for none.
    public var own: OnboardingRecord?
    /// What stands: the policy's answer, else the suite's at the present revision; nil for unanswered.
    public var standing: OnboardingRecord?

    /// Whether the suite's record is of an earlier revision.
    public var isOutdated: Bool { own.map { $0.revision < step.revision } ?? false }
    /// Whether a required step is declined, so that its flow is stuck.
    public var isStuck: Bool { step.isRequired && !isWelcome && standing?.value == false }
}
