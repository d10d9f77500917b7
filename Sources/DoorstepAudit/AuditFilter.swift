public import Doorstep
internal import DoorstepRegistry

/// Which rows and findings of an audit are wanted.
public struct AuditFilter: Sendable {
    /// Only these apps; empty for all.
    public var apps: [String]
    /// Only these steps; empty for all.
    public var steps: [String]
    /// Only findings of these kinds, and the rows that they are about; empty for all.
    public var codes: [AuditFinding.Code]
    /// Only records made at this moment or later, and what was found in them; what is of no record stays.
    public var since: OnboardingInstant?

    /// A filter from its parts; without any, all is wanted.
    public init(
        apps: [String] = [], steps: [String] = [], codes: [AuditFinding.Code] = [], since: OnboardingInstant? = nil
    ) {
        self.apps = apps
        self.steps = steps
        self.codes = codes
        self.since = since
    }

    /// Whether everything is wanted.
    public var isEmpty: Bool { apps.isEmpty && steps.isEmpty && codes.isEmpty && since == nil }

    func wants(_ row: AuditRow) -> Bool {
        if !apps.isEmpty, !apps.contains(row.app) { return false }
        if !steps.isEmpty, !steps.contains(row.step.id.rawValue) { return false }
        if let since, (row.standing ?? row.own).map({ $0.at < since }) ?? true { return false }
        return true
    }

    /// Whether a finding is wanted.
    public func wants(_ finding: AuditFinding) -> Bool {
        // Nothing can be said of a suite that can't be read, whatever was asked of it.
        if finding.code == .suiteUnreadable { return true }
        if !codes.isEmpty, !codes.contains(finding.code) { return false }
        // What is wrong with a policy concerns the apps that its rules name, and no step alone.
        if !finding.patterns.isEmpty {
            let concerns = { (app: String) in finding.patterns.contains { Glob.matches(app, $0) } }
            return steps.isEmpty && (apps.isEmpty || apps.contains(where: concerns))
        }
        if !apps.isEmpty, !apps.contains(finding.app ?? "") { return false }
        if !steps.isEmpty, !steps.contains(finding.step ?? "") { return false }
        if let since, let at = finding.at, at < since { return false }
        return true
    }

    /// The audit with only what is wanted, and sums of it.
    ///
    /// - Parameter family: The findings that are of no suite; the rows that they are about stay, too.
    public func apply(to audit: SuiteAudit, family: [AuditFinding] = []) -> SuiteAudit {
        if isEmpty { return audit }
        var audit = audit
        audit.findings = audit.findings.filter(wants)
        let wanted = audit.findings + family.filter(wants)
        let about = Set(wanted.map { Subject(app: $0.app, step: $0.step) })
        let patterns = wanted.flatMap(\.patterns)
        audit.rows = audit.rows.filter { row in
            guard wants(row) else { return false }
            return codes.isEmpty || about.contains(Subject(app: row.app, step: nil))
                || about.contains(Subject(app: row.app, step: row.step.id.rawValue))
                || patterns.contains { Glob.matches(row.app, $0) }
        }
        let failures = audit.totals.failures
        audit.totals = AuditTotals(of: audit.rows)
        audit.totals.suites = 1 - failures
        audit.totals.failures = failures
        audit.totals.count(audit.findings)
        return audit
    }

    /// What a finding is about: a step, or a whole app.
    private struct Subject: Hashable {
        var app: String?
        var step: String?
    }
}
