internal import CommandLineKit
internal import Doorstep
internal import DoorstepJSON
internal import DoorstepSQLite

/// `doorstep doctor`: checks a suite, explains, and recovers.
enum DoctorCommand {
    static let repair = Flag("repair", help: "Recover what is readable into a new file beside the suite.")
    static let into = Option<String?>(
        "into", valueName: "file", help: "With --repair: the new file, instead of the suite's path with .recovered.",
        completion: .files)

    static let command = Command(
        "doctor", abstract: "Check the suite: integrity, tables, permissions, file system, leftovers.",
        discussion: """
            Exit 0 if nothing is wrong, 1 if something is. --repair never touches the suite: it copies it, reads what can be read \
            into a new file, and says what that is.

            JSON: suite, checks[] with name, fault (or null) and note; recovered[] with table, rows, isPartial; into.
            """,
        parameters: [repair, into, Parameters.json]
    ) { invocation in
        let workspace = Workspace(invocation)
        let doctor = SuiteDoctor(try workspace.suite.path)
        let checks = doctor.examine()
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
        }
        return checks.contains { $0.fault != nil } ? .no : .yes
    }

    private static func print(_ checks: [SuiteCheck], _ workspace: Workspace) throws(CommandFailure) {
        var table = TextTable("CHECK", "RESULT", "NOTE")
        for check in checks {
            table.add(check.name, check.fault ?? "ok", check.fault == nil && check.note == "ok" ? "" : check.note)
        }
        try Console.write(table.text(columns: Console.columns(environment: workspace.environment)))
    }
}
