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

/// The sums of an audit.
public struct AuditTotals: Sendable, Hashable {
    /// How many suites were read.
    public var suites = 0
    /// How many suites could not be read.
    public var failures = 0
    /// How many apps there are, in all suites.
    public var apps = 0
    /// How many steps they have.
    public var steps = 0
    /// How many steps are unanswered.
    public var unanswered = 0
    /// How many apps need onboarding.
    public var needed = 0
    /// How many apps have every required step satisfied.
    public var satisfied = 0
    /// How many apps are stuck on a required step that is declined.
    public var stuck = 0
    /// How many findings there are.
    public var findings = 0

    /// Nothing counted yet.
    public init() {}

    /// Adds other sums to these.
    public mutating func add(_ other: AuditTotals) {
        suites += other.suites
        failures += other.failures
        apps += other.apps
        steps += other.steps
        unanswered += other.unanswered
        needed += other.needed
        satisfied += other.satisfied
        stuck += other.stuck
        findings += other.findings
    }
}

/// What an audit says of one suite.
public struct SuiteAudit: Sendable {
    /// The suite's file.
    public var path: String
    /// The user whose suite it is, where users are audited.
    public var user: String?
    /// Every app's steps, by app.
    public var rows: [AuditRow] = []
    /// What was found.
    public var findings: [AuditFinding] = []
    /// The sums.
    public var totals = AuditTotals()
    /// Why the suite couldn't be read, or nil.
    public var failure: OnboardingStorageError?

    /// An audit of nothing.
    public init(path: String, user: String? = nil) {
        self.path = path
        self.user = user
    }
}
