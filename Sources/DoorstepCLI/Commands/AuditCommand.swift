internal import CommandLineKit
internal import Doorstep
internal import DoorstepAudit
internal import DoorstepRegistry
internal import DoorstepSQLite
internal import Glibc

/// `doorstep audit`: every app and step with what is recorded, and what is wrong.
enum AuditCommand {
    static let suites = Option<[String]>(
        "suite", valueName: "file", help: "A suite to audit; may be repeated.", completion: .files)
    static let allUsers = Flag(
        "all-users", help: "Audit the suites in the users' data homes, each as its owner (root only).")
    static let passwd = Option<String?>(
        "passwd", valueName: "file", help: "With --all-users: take the users of this file in the form of /etc/passwd.",
        completion: .files)
    static let apps = Option<[String]>(
        "app", help: "Only this app; may be repeated.", completion: .command(["apps", "--names"]))
    static let steps = Option<[String]>(
        "step", help: "Only this step; may be repeated.", completion: Parameters.stepCompletion)
    static let codes = Option<[AuditFinding.Code]>("finding", valueName: "code", help: "Only findings of this kind.")
    static let since = Option<Moment?>(
        "since", valueName: "when",
        help: "Only records made since then, and what was found in them: \(Moment.forms).")
    static let verify = Flag("verify", help: "Also ask every check, and name what drifted from its record.")
    static let totals = Flag(
        "totals", help: "Only count each suite's records by prefix; nothing is joined, checked or filtered.")
    static let allSteps = Flag("steps", help: "Show every step also where several suites are audited.")
    static let utc = Flag("utc", help: "Show times in UTC instead of this machine's zone.")
    static let csv = Flag("csv", help: "Print the rows as CSV.")

    static let command = Command(
        "audit", abstract: "Show every app and step: what is recorded, by whom and when, and what is wrong.",
        discussion: """
            Exit 0 if nothing is found but notes, 1 with findings, 66 for an app or step that neither the registry nor a suite knows. Filters also choose among the findings, and the sums are of what is \
            shown; --since leaves those that are of no record: of manifests, policy files and suites. Suites are only read; somebody else's is read as its owner, by a \
            process that has given up every other right. What the user typed is never shown.

            JSON: apps[] with suite, app and steps[] (id, isWelcome, plugin, required, revision, value, origin, at, evidence, \
            recorded); findings[] with code, app, step, at, message, remedy, note, suite; suites[] with path, user, error and totals; \
            totals with suites, failures, apps, steps, unanswered, needed, satisfied, stuck, findings, notes. With --totals: \
            prefixes[] with suite, user, prefix, records, true, false, first, last; suites[] with path, user, error, message.
            """,
        parameters: [
            suites, allUsers, passwd, apps, steps, codes, since, verify, Parameters.timeout, totals, allSteps, utc,
            Parameters.strict, Parameters.json, csv,
        ],
        validate: { invocation throws(UsageError) in
            if invocation[allUsers], !invocation[suites].isEmpty {
                throw UsageError("--all-users and --suite exclude each other", at: allUsers)
            }
            if invocation[allUsers], invocation[verify] {
                throw UsageError("checks tell of this user alone, so --verify can't go with --all-users", at: verify)
            }
            if invocation[passwd] != nil, !invocation[allUsers] {
                throw UsageError("--passwd goes with --all-users", at: passwd)
            }
            if invocation[csv], invocation[Parameters.json] {
                throw UsageError("--csv and --json exclude each other", at: csv)
            }
            if invocation[totals] { try refuseMoreThanCounting(invocation) }
        }
    ) { invocation in
        let workspace = Workspace(invocation, suite: invocation[suites].first)
        let reader = SuiteReader(child: ["/proc/self/exe", "audit-suite"])
        if invocation[totals] {
            return try AuditTotalsOutput.run(invocation, workspace, try targets(invocation, workspace), reader)
        }
        if invocation[Parameters.strict] { try workspace.refusePolicyProblems() }
        // Without their manifests, apps look as if they were gone.
        workspace.warnOfAbsentDirectories()
        var auditor = Auditor(workspace.registry)
        if invocation[verify] { await auditor.verify(workspace.reconciler(invocation[Parameters.timeout])) }
        let targets = try targets(invocation, workspace)
        let filter = AuditFilter(
            apps: invocation[apps], steps: invocation[steps], codes: invocation[codes],
            since: invocation[since]?.instant)
        var output = AuditOutput(
            style: invocation[Parameters.json] ? .json : invocation[csv] ? .csv : .table,
            time: TimeText(utc: invocation[utc]), isSingle: targets.count == 1,
            showsSteps: targets.count == 1 || invocation[allSteps], isFiltered: !filter.isEmpty,
            environment: workspace.environment)
        var names = WantedNames(apps: filter.apps, steps: filter.steps, of: auditor)
        // Of one suite it can be told before anything is printed; several are never held in memory at once.
        let single = targets.count == 1 ? reader.audit(targets[0], with: auditor) : nil
        if let single {
            names.see(single)
            try require(names, suites: 1)
        }
        let family = auditor.familyFindings()
        try output.begin(family.filter(filter.wants))
        for (index, target) in targets.enumerated() {
            Progress.shared.update(index, of: targets.count, "suites")
            let audit = single ?? reader.audit(target, with: auditor)
            names.see(audit)
            try output.add(filter.apply(to: audit, family: family))
        }
        try output.end()
        try require(names, suites: targets.count)
        return output.totals.findings == 0 ? .yes : .no
    }

    /// Refuses names that nobody knows.
    static func require(_ names: WantedNames, suites: Int) throws(CommandFailure) {
        let faults = names.faults(suites: suites)
        if !faults.isEmpty { throw CommandFailure(.absent, faults.joined(separator: "\n")) }
    }

    /// Refuses what chooses among rows and findings, or asks for them, where nothing is joined.
    private static func refuseMoreThanCounting(_ invocation: Invocation) throws(UsageError) {
        let joining: [any Parameter] = [
            apps, steps, codes, since, verify, Parameters.timeout, allSteps, Parameters.strict,
        ]
        for parameter in joining where invocation.isGiven(parameter) {
            throw UsageError("--totals only counts, so \(parameter.declaration.key) can't go with it", at: parameter)
        }
    }

    private static func targets(
        _ invocation: Invocation, _ workspace: Workspace
    ) throws(CommandFailure) -> [SuiteReader.Target] {
        guard invocation[allUsers] else {
            let paths = invocation[suites]
            if paths.isEmpty { return [SuiteReader.Target(try workspace.suite.path)] }
            return paths.map { SuiteReader.Target($0.absolutePath, mustExist: true) }
        }
        guard geteuid() == 0 else {
            throw CommandFailure(
                .notPermitted, "only root can become the users whose suites are audited; run this as root")
        }
        guard let users = UserSuite.all(passwd: invocation[passwd]) else {
            throw CommandFailure(.absent, "\"\(invocation[passwd] ?? "/etc/passwd")\" can't be read")
        }
        return users.map { SuiteReader.Target($0.path, user: $0) }
    }

}

/// `doorstep audit-suite`: what a child of an audit runs; not for people.
enum AuditSuiteCommand {
    static let path = Argument<String>("file", help: "The suite.")
    static let uid = Option<Int?>("uid", help: "The user to become.")
    static let gid = Option<Int?>("gid", help: "The group to become.")

    static let command = Command(
        "audit-suite", abstract: "Read a suite as its owner, for an audit.", isHidden: true,
        parameters: [uid, gid, AuditCommand.totals, path]
    ) { invocation in
        let user = invocation[uid].flatMap { uid in
            invocation[gid].map { (uid: UInt32(truncatingIfNeeded: uid), gid: UInt32(truncatingIfNeeded: $0)) }
        }
        return ExitStatus(
            SuiteChild.run(invocation[path], counting: invocation[AuditCommand.totals], becoming: user))
    }
}
