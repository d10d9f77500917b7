internal import Doorstep
internal import DoorstepRegistry
internal import DoorstepSQLite

/// Joins one suite's contents with the family: rows and findings.
struct AuditJoiner {
    private(set) var rows: [AuditRow] = []
    private(set) var findings: [AuditFinding] = []
    private let auditor: Auditor
    private var strays: [String: [StoredRecord]]
    private var seen: Set<Int> = []
    private let hasRules: Bool

    init(auditor: Auditor, strays: [StoredRecord]) {
        self.auditor = auditor
        self.strays = strays.isEmpty ? [:] : Dictionary(grouping: strays, by: \.prefix)
        hasRules = !auditor.policy.rules.isEmpty
    }

    /// Adds an app that the suite knows.
    mutating func add(_ app: SuiteContents.App) {
        let kept = app.registration
        guard let place = auditor.family.byID[kept.app] else {
            addUnregistered(app)
            return
        }
        seen.insert(place)
        let member = auditor.family.members[place]
        reportChange(kept, member)
        let isSame =
            FlowRegistration.isSame(kept.prefix, member.registration.prefix) && kept.steps == member.registration.steps
            && kept.welcome == member.registration.welcome
        if isSame {
            for (index, record) in app.records.enumerated() { add(record, member, index) }
        } else {
            var own: [OnboardingStepID: OnboardingRecord] = [:]
            if FlowRegistration.isSame(kept.prefix, member.registration.prefix) {
                for (step, record) in zip(kept.allSteps, app.records) { own[step.id] = record }
            } else {
                let left = zip(kept.allSteps, app.records).compactMap { step, record in
                    record.map { StoredRecord(prefix: kept.prefix, step: step.id, record: $0) }
                }
                if !left.isEmpty { strays[kept.prefix, default: []] += left }
            }
            add(member, own: &own)
            orphans(own, of: member)
        }
        leftovers(of: member)
    }

    /// Adds the registered apps that the suite knows nothing of.
    mutating func addUnseenMembers() {
        for (place, member) in auditor.family.members.enumerated() where !seen.contains(place) {
            var own: [OnboardingStepID: OnboardingRecord] = [:]
            for stray in strays.removeValue(forKey: member.registration.prefix) ?? [] {
                own[stray.step] = stray.record
            }
            add(member, own: &own)
            orphans(own, of: member)
        }
    }

    /// Reports the records that belong to no app that anybody knows.
    mutating func addLeftovers() {
        for (prefix, records) in strays.sorted(by: { $0.key < $1.key }) {
            let other = auditor.family.members.first { member in
                let theirs = member.registration.prefix.utf8
                return prefix.utf8.starts(with: theirs) || theirs.starts(with: prefix.utf8)
            }
            if let other {
                findings.append(
                    AuditFinding(
                        .prefixOverlap, app: other.registration.app, at: records.map(\.record.at).max(),
                        "\(records.count) records are kept under the prefix \"\(prefix)\", which overlaps \"\(other.registration.prefix)\" of \"\(other.registration.app)\"",
                        remedy: "export them, erase the prefix, and import them under another"))
            } else {
                unregistered(String(prefix.dropLast()), records.map(\.record))
            }
        }
    }

    private mutating func addUnregistered(_ app: SuiteContents.App) {
        let kept = app.registration
        var left: [OnboardingRecord] = []
        for (step, record) in zip(kept.allSteps, app.records) {
            if let record { left.append(record) }
            append(
                AuditRow(
                    app: kept.app, step: step, isWelcome: step.id == kept.welcome?.id, plugin: nil, own: record,
                    standing: record.flatMap { $0.revision >= step.revision ? $0 : nil }))
        }
        left += (strays.removeValue(forKey: kept.prefix) ?? []).map(\.record)
        if !left.isEmpty { unregistered(kept.app, left) }
    }

    private mutating func unregistered(_ app: String, _ records: [OnboardingRecord]) {
        findings.append(
            AuditFinding(
                .unregisteredApp, app: app, at: records.map(\.at).max(),
                "\(app) has \(records.count == 1 ? "a record" : "\(records.count) records"), but no manifest registers it",
                remedy: "install the app again, or doorstep erase \(app)"))
    }

    private mutating func reportChange(_ kept: FlowRegistration, _ member: Family.Member) {
        guard let source = kept.source, source != member.registration.source else { return }
        let isSame =
            FlowRegistration.isSame(kept.prefix, member.registration.prefix) && kept.steps == member.registration.steps
            && kept.welcome == member.registration.welcome && kept.commit == member.registration.commit
        findings.append(
            AuditFinding(
                .manifestChanged, app: kept.app,
                "the manifest of \(kept.app) changed since the suite kept its flow"
                    + (isSame ? "; the flow is the same" : "; the flow is another"),
                remedy: "nothing has to be done: the next answer keeps the new one", isNote: isSame))
    }

    private mutating func add(_ member: Family.Member, own: inout [OnboardingStepID: OnboardingRecord]) {
        for (index, step) in member.steps.enumerated() { add(own.removeValue(forKey: step.id), member, index) }
    }

    private mutating func add(_ own: OnboardingRecord?, _ member: Family.Member, _ index: Int) {
        let step = member.steps[index]
        let app = member.registration.app
        var standing: OnboardingRecord?
        if let own, own.revision >= step.revision { standing = own }
        if hasRules {
            let effective = auditor.policy.effective(own, app: app, step: step)
            if effective.isPolicy { standing = effective.record }
        }
        append(
            AuditRow(
                app: app, step: step, isWelcome: index == 0 && member.hasWelcome, plugin: member.plugins[index],
                own: own, standing: standing))
        if !auditor.live.isEmpty, let own { drift(own, app: app, step: step.id) }
    }

    private mutating func append(_ row: AuditRow) {
        rows.append(row)
        let id = row.step.id.rawValue
        if row.isStuck {
            let byPolicy = row.standing?.origin == .policy
            findings.append(
                AuditFinding(
                    .requiredDeclined, app: row.app, step: id, at: row.standing?.at,
                    "the required step \(id) of \(row.app) is declined" + (byPolicy ? " by policy" : ""),
                    remedy: byPolicy
                        ? "change the policy file \(row.standing?.evidence ?? "")"
                        : "doorstep run \(row.app) --unmet asks it again"))
        }
        if row.isOutdated, let own = row.own {
            findings.append(
                AuditFinding(
                    .oldRevision, app: row.app, step: id, at: own.at,
                    "the record of \(id) is of revision \(own.revision), and the step is at \(row.step.revision)",
                    remedy: "nothing has to be done: the user is asked again"))
        }
    }

    private mutating func drift(_ own: OnboardingRecord, app: String, step: OnboardingStepID) {
        guard let live = auditor.live[Auditor.LiveKey(app: app, step: step)], let now = live.isSatisfied,
            now != own.value
        else { return }
        findings.append(
            own.value
                ? AuditFinding(
                    .driftRevoked, app: app, step: step.rawValue, at: own.at,
                    "\(step) is recorded granted, but now it is not: \(live.evidence)",
                    remedy: "doorstep clear \(app) \(step) has it asked again")
                : AuditFinding(
                    .driftGranted, app: app, step: step.rawValue, at: own.at,
                    "\(step) is recorded declined, but now it is granted: \(live.evidence)",
                    remedy: "doorstep reconcile \(app) --include-declined records it"))
    }

    private mutating func leftovers(of member: Family.Member) {
        var own: [OnboardingStepID: OnboardingRecord] = [:]
        for stray in strays.removeValue(forKey: member.registration.prefix) ?? [] { own[stray.step] = stray.record }
        for (id, record) in own {
            // A step that the manifest has and the kept flow has not: its row was made without this record.
            guard let index = member.index[id] else { continue }
            own[id] = nil
            rows.removeAll { $0.app == member.registration.app && $0.step.id == id }
            add(record, member, index)
        }
        orphans(own, of: member)
    }

    private mutating func orphans(_ left: [OnboardingStepID: OnboardingRecord], of member: Family.Member) {
        for id in left.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
            let app = member.registration.app
            findings.append(
                AuditFinding(
                    .orphanRecord, app: app, step: id.rawValue, at: left[id]?.at,
                    "\(app) has a record of \(id), a step that its flow doesn't have",
                    remedy: "nothing has to be done; doorstep clear \(app) \(id) removes it"))
        }
    }
}
