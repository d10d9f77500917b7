internal import CommandLineKit
internal import Doorstep
internal import DoorstepJSON
internal import DoorstepSQLite
internal import Glibc

/// `doorstep doctor`: checks a suite, explains, and recovers.
enum DoctorCommand {
    static let repair = Flag("repair", help: "Recover what is readable into a new file beside the suite.")
    static let into = Option<String?>(
        "into", valueName: "file", help: "With --repair: the new file, instead of the suite's path with .recovered.",
        completion: .files)

    static let command = Command(
        "doctor", abstract: "Check the suite: integrity, tables, permissions, file system, leftovers.",
        discussion: """
            Exit 0 if nothing is wrong, or where no suite is at the place that is used by itself because nothing has been recorded \
            yet; 1 if something is. --repair never touches the suite: it copies it, reads what can be read \
            into a new file, and says what that is.

            JSON: suite, checks[] with name, fault (or null) and note; recovered[] with table, rows, isPartial; into.
            """,
        parameters: [repair, into, Parameters.json],
        validate: { invocation throws(UsageError) in
            if invocation[into] != nil, !invocation[repair] {
                throw UsageError("--into goes with --repair", at: into)
            }
        }
    ) { invocation in
        let workspace = Workspace(invocation)
        let doctor = SuiteDoctor(try workspace.suite.path)
        var checks = doctor.examine()
        if isUnborn(doctor, invocation, workspace) {
            checks[0].fault = nil
            checks[0].note = "nothing has been recorded yet"
        }
        let target = invocation[into] ?? doctor.path + ".recovered"
        if !invocation[Parameters.json] { try print(checks, workspace) }
        let recovered = invocation[repair] ? try doctor.repair(into: target) : []
        if invocation[Parameters.json] {
            try JSONOutput.print([
                "suite": .string(doctor.path),
                "checks": .array(
                    checks.map { ["name": .string($0.name), "fault": JSONValue($0.fault), "note": .string($0.note)] }),
                "recovered": .array(
                    recovered.map {
                        ["table": .string($0.table), "rows": .integer($0.rows), "isPartial": .bool($0.isPartial)]
                    }),
                "into": invocation[repair] ? .string(target) : .null,
            ])
        } else if invocation[repair] {
            for table in recovered {
                try Console.print(
                    "recovered \(Counted.text(table.rows, "row")) of \(table.table)"
                        + (table.isPartial ? "; the table couldn't be read to its end" : ""))
            }
            try Console.print("into \(target); the suite itself is as it was")
            try Console.print(
                "to put it into use, close the apps, move \(doctor.path) elsewhere together with its -wal and -shm, if they are "
                    + "there, and rename \(target) to \(doctor.path)")
        }
        return checks.contains { $0.fault != nil } ? .no : .yes
    }

    private static func print(_ checks: [SuiteCheck], _ workspace: Workspace) throws(CommandFailure) {
        var table = TextTable("CHECK", "RESULT", "NOTE")
        for check in checks {
            let isExplained = check.fault != nil || check.note == "ok"
            table.add(check.name, result(of: check), isExplained ? "" : check.note)
        }
        try Console.write(table.text(columns: Console.columns(environment: workspace.environment)))
        let faults = checks.filter { $0.fault != nil }
        if !faults.isEmpty { try Console.write("\n") }
        for check in faults {
            let sentences = [check.fault ?? "", check.note].filter { !$0.isEmpty }.joined(separator: "; ")
            try Console.print("\(check.name): \(sentences)")
        }
    }

    /// What a check came to in a word; what is behind it stands below the table.
    private static func result(of check: SuiteCheck) -> String {
        if check.isAbsent { return "missing" }
        guard check.fault != nil else { return "ok" }
        return switch check.name {
        case "file", "header": "unreadable"
        case "integrity", "foreign-keys": "damaged"
        case "schema": "changed"
        case "permissions", "file-system": "unsafe"
        default: "found"
        }
    }

    /// Whether nothing has been recorded yet: nobody named the suite, and it isn't there.
    private static func isUnborn(_ doctor: SuiteDoctor, _ invocation: Invocation, _ workspace: Workspace) -> Bool {
        let isNamed = invocation[Parameters.suite] != nil || workspace.environment["DOORSTEP_SUITE"]?.isEmpty == false
        var facts = stat()
        return !isNamed && !invocation[repair] && lstat(doctor.path, &facts) != 0 && errno == ENOENT
    }
}
