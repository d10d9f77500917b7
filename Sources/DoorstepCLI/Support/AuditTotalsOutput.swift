internal import CommandLineKit
internal import Doorstep
internal import DoorstepAudit
internal import DoorstepJSON
internal import DoorstepSQLite
internal import Glibc

/// `doorstep audit --totals`: the answers of each prefix, counted by SQLite, for suites too large to be looked through.
enum AuditTotalsOutput {
    static func run(_ invocation: Invocation, _ workspace: Workspace) throws -> ExitStatus {
        var suites: [OnboardingSuite] = []
        for path in invocation[AuditCommand.suites] {
            let suite = try OnboardingSuite.open(at: path, access: .readOnly)
            guard access(suite.path, F_OK) == 0 else {
                throw CommandFailure(.absent, "there is no suite \"\(suite.path)\"")
            }
            suites.append(suite)
        }
        if suites.isEmpty { suites = [try workspace.suite] }
        let time = TimeText(utc: invocation[AuditCommand.utc])
        var table = TextTable("PREFIX", "RECORDS", "TRUE", "FALSE", "FIRST", "LAST")
        var json: [JSONValue] = []
        for suite in suites {
            for totals in try suite.totals() ?? [] {
                if invocation[Parameters.json] {
                    json.append([
                        "suite": .string(suite.path), "prefix": .string(totals.prefix),
                        "records": .integer(totals.records), "true": .integer(totals.granted),
                        "false": .integer(totals.records - totals.granted),
                        "first": .integer(Int(totals.first.milliseconds)),
                        "last": .integer(Int(totals.last.milliseconds)),
                    ])
                } else {
                    table.add(
                        totals.prefix, "\(totals.records)", "\(totals.granted)", "\(totals.records - totals.granted)",
                        time.text(totals.first), time.text(totals.last))
                }
            }
        }
        if invocation[Parameters.json] {
            try JSONOutput.print(["prefixes": .array(json)])
        } else {
            try Console.write(table.text(columns: Console.columns(environment: workspace.environment)))
        }
        return .success
    }
}
