public import Doorstep

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

extension SuiteAudit {
    mutating func add(_ new: [AuditFinding]) {
        findings += new
        totals.count(new)
    }
}
