internal import CommandLineKit
internal import Doorstep
internal import DoorstepAudit
internal import DoorstepJSON
internal import DoorstepSQLite

/// `doorstep audit --totals`: the answers of each prefix, counted by SQLite, for suites too large to be looked through.
struct AuditTotalsOutput {
    private let time: TimeText
    private let isSingle: Bool
    private var table = TextTable("SUITE", "PREFIX", "RECORDS", "TRUE", "FALSE", "FIRST", "LAST")
    private var csv = "suite,prefix,records,true,false,first,last\n"
    private var prefixes: [JSONValue] = []
    private var suites: [JSONValue] = []

    private init(time: TimeText, isSingle: Bool) {
        self.time = time
        self.isSingle = isSingle
    }

    /// Counts each suite, and says which ones can't be read: one alone is the command's failure, and of several none hides
    /// the others.
    static func run(
        _ invocation: Invocation, _ workspace: Workspace, _ targets: [SuiteReader.Target], _ reader: SuiteReader
    ) throws -> ExitStatus {
        let isSingle = targets.count == 1 && !invocation[AuditCommand.allUsers]
        var output = AuditTotalsOutput(time: TimeText(utc: invocation[AuditCommand.utc]), isSingle: isSingle)
        var failures: [String] = []
        for (index, target) in targets.enumerated() {
            Progress.shared.update(index, of: targets.count, "suites")
            if isSingle, target.mustExist { try Workspace.requireSuite(at: target.path) }
            do throws(OnboardingStorageError) {
                output.add(try reader.totals(target), of: target)
            } catch {
                if isSingle { throw error }
                failures.append("\(target.user.map { "\($0.name): " } ?? "")\(error.message)")
                output.add(error, of: target)
            }
        }
        if invocation[Parameters.json] {
            try JSONOutput.print(["prefixes": .array(output.prefixes), "suites": .array(output.suites)])
        } else if invocation[AuditCommand.csv] {
            try Console.write(output.csv)
        } else if output.prefixes.isEmpty {
            try Console.print("no answer is recorded")
        } else {
            try Console.write(output.table.text(columns: Console.columns(environment: workspace.environment)))
        }
        for failure in failures { Console.warn("warning: can't be read: \(TextTable.printable(failure))") }
        return failures.isEmpty ? .yes : .no
    }

    private mutating func add(_ totals: [PrefixTotals], of target: SuiteReader.Target) {
        suites.append(json(target, nil))
        for prefix in totals {
            prefixes.append([
                "suite": .string(target.path), "user": JSONValue(target.user?.name), "prefix": .string(prefix.prefix),
                "records": .integer(prefix.records), "true": .integer(prefix.granted),
                "false": .integer(prefix.declined), "first": .integer(Int(prefix.first.milliseconds)),
                "last": .integer(Int(prefix.last.milliseconds)),
            ])
            let counts = [
                "\(prefix.records)", "\(prefix.granted)", "\(prefix.declined)", time.text(prefix.first),
                time.text(prefix.last),
            ]
            let suite = isSingle ? "" : target.user?.name ?? target.path
            table.add([suite, prefix.prefix] + counts)
            csv += CSV.line([target.path, prefix.prefix] + counts)
        }
    }

    private mutating func add(_ failure: OnboardingStorageError, of target: SuiteReader.Target) {
        suites.append(json(target, failure))
    }

    private func json(_ target: SuiteReader.Target, _ failure: OnboardingStorageError?) -> JSONValue {
        [
            "path": .string(target.path), "user": JSONValue(target.user?.name),
            "error": JSONValue(failure?.code.rawValue), "message": JSONValue(failure?.message),
        ]
    }
}
