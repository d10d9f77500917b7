internal import Doorstep

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
    /// How many notes there are beside them.
    public var notes = 0

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
        notes += other.notes
    }

    /// Counts findings, and apart from them notes.
    public mutating func count(_ found: [AuditFinding]) {
        for finding in found {
            if finding.isNote { notes += 1 } else { findings += 1 }
        }
    }
}

extension AuditTotals {
    /// The sums of rows, which stand together by app.
    init(of rows: [AuditRow]) {
        self.init()
        steps = rows.count
        var index = rows.startIndex
        while index < rows.endIndex {
            let app = rows[index].app
            var (isNeeded, isSatisfied, isStuck) = (false, true, false)
            while index < rows.endIndex, rows[index].app == app {
                let row = rows[index]
                if row.standing == nil {
                    unanswered += 1
                    isNeeded = true
                }
                if row.step.isRequired, !row.isWelcome, row.standing?.value != true { isSatisfied = false }
                if row.isStuck { isStuck = true }
                index += 1
            }
            apps += 1
            needed += isNeeded ? 1 : 0
            satisfied += isSatisfied ? 1 : 0
            stuck += isStuck ? 1 : 0
        }
    }
}
