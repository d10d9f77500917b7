internal import CommandLineKit
internal import Doorstep
internal import DoorstepJSON
internal import DoorstepPluginKit
internal import DoorstepRegistry

/// `doorstep reconcile`: the pass.
enum ReconcileCommand {
    static let apps = Argument<[String]>("app", help: "The apps' IDs.", completion: .command(["apps", "--names"]))
    static let all = Flag("all", help: "Take every registered app.")
    static let declined = Flag(
        "include-declined", help: "Also ask required steps that were declined, and record those now satisfied.")

    static let command = Command(
        "reconcile", abstract: "Ask the checks of unanswered steps, side by side, and record what is satisfied.",
        discussion: """
            A check that fails or is late is "cannot tell": it records nothing, is reported, and costs the others nothing. \
            A pass is a transaction of its own: it records at once also for an app whose answers are otherwise written when its \
            flow is finished ("commit": "onFinish").

            JSON: checks[] with app, step, plugin, before, after, status, mode, basis, satisfied (true, false, null), evidence, \
            milliseconds; failures[] with app and message.
            """,
        parameters: [apps, all, declined, Parameters.timeout, Parameters.strict, Parameters.json],
        validate: { invocation throws(UsageError) in
            if invocation[apps].isEmpty != invocation[all] {
                throw UsageError("Please name the apps, or give --all", at: apps)
            }
        }
    ) { invocation in
        let workspace = try Workspace(underPolicy: invocation)
        let contents = invocation[all] ? workspace.registry.contents() : nil
        var chosen = contents?.apps ?? []
        for id in invocation[apps] { chosen.append(try workspace.app(id)) }
        let report = await workspace.reconciler(invocation[Parameters.timeout]).reconcile(
            chosen, in: try workspace.suite,
            mode: invocation[declined] ? .unansweredAndDeclined : .unanswered)
        if invocation[Parameters.json] {
            try JSONOutput.print(json(report))
        } else {
            try print(report, workspace)
        }
        contents?.problems.warn()
        for failure in report.failures { Console.warn("error: \(failure.app): \(failure.error)") }
        return report.failures.first.map { CommandFailure($0.error).status } ?? .success
    }

    private static func print(_ report: ReconcileReport, _ workspace: Workspace) throws(CommandFailure) {
        if report.rows.isEmpty {
            if report.failures.isEmpty { try Console.print("no unanswered step has a check") }
            return
        }
        var table = TextTable("STEP", "KIND", "BEFORE", "AFTER", "STATUS", "MS", "EVIDENCE")
        for row in report.rows {
            table.add(
                row.step.rawValue, row.plugin, RecordText.of(row.before), RecordText.of(row.after),
                row.satisfaction.statusText, "\(row.duration.milliseconds)", row.satisfaction.evidence)
        }
        try Console.write(table.text(columns: Console.columns(environment: workspace.environment)))
    }

    private static func json(_ report: ReconcileReport) -> JSONObject {
        let checks = report.rows.map { row -> JSONValue in
            var object: JSONObject = [
                "app": .string(row.app), "step": .string(row.step.rawValue), "plugin": .string(row.plugin),
                "before": JSONValue(row.before), "after": JSONValue(row.after),
            ]
            for (key, value) in row.satisfaction.json { object[key] = value }
            object["milliseconds"] = .number(row.duration.milliseconds)
            return .object(object)
        }
        let failures = report.failures.map { failure -> JSONValue in
            ["app": .string(failure.app), "message": .string(failure.error.description)]
        }
        return ["checks": .array(checks), "failures": .array(failures)]
    }
}
