internal import CommandLineKit
internal import Doorstep
internal import DoorstepJSON
internal import DoorstepPluginKit
internal import DoorstepRegistry

/// `doorstep show APP`: one flow with its steps, kinds and state.
enum ShowCommand {
    static let command = Command(
        "show", abstract: "Show an app's flow: its steps, their kinds and their records.",
        discussion: """
            JSON: app, name, prefix, commit, needsOnboarding, allRequiredSatisfied, nextStep; steps[] with id, plugin, title, \
            isWelcome, required, skippable, revision, value (true, false, null), origin, at and evidence.
            """,
        parameters: [Parameters.app, Parameters.strict, Parameters.json]
    ) { invocation in
        let workspace = try Workspace(underPolicy: invocation)
        let app = try workspace.app(invocation)
        let flow = try workspace.flow(of: app)
        if invocation[Parameters.json] {
            try JSONOutput.print(json(app, flow, workspace))
            return .success
        }
        try Console.print("\(app.id): \(summary(flow))")
        var table = TextTable("STEP", "KIND", "RULE", "RECORD", "ORIGIN", "EVIDENCE")
        for step in app.steps {
            let config = step.step.config
            let record = flow.record(for: config.id)
            let outdated = flow.outdatedRevision(of: config.id)
            table.add(
                config.id.rawValue, step.plugin.kind, rule(config),
                outdated.map { RecordText.outdated($0, now: config.revision) } ?? RecordText.of(record?.value),
                record?.origin.rawValue ?? "", record?.evidence ?? "")
        }
        try Console.write(table.text(columns: Console.columns(environment: workspace.environment)))
        return .success
    }

    static func summary(_ flow: OnboardingFlow) -> String {
        let needed = flow.needsOnboarding ? "onboarding needed" : "nothing needed"
        return needed + (flow.allRequiredSatisfied ? ", every required step satisfied" : ", a required step is unmet")
    }

    private static func rule(_ step: OnboardingStepConfig) -> String {
        var words = [step.isRequired ? "required" : "optional"]
        if !step.isSkippable { words.append("not skippable") }
        if step.revision > 1 { words.append("revision \(step.revision)") }
        return words.joined(separator: ", ")
    }

    private static func json(_ app: RegisteredApp, _ flow: OnboardingFlow, _ workspace: Workspace) -> JSONObject {
        [
            "app": .string(app.id), "name": .string(app.manifest.name.text(for: workspace.languages)),
            "prefix": .string(app.manifest.prefix), "commit": .string(app.manifest.commit.rawValue),
            "needsOnboarding": .bool(flow.needsOnboarding), "allRequiredSatisfied": .bool(flow.allRequiredSatisfied),
            "nextStep": JSONValue(flow.nextStepNeeded?.rawValue),
            "steps": .array(app.steps.map { .object(json($0, app, flow, workspace)) }),
        ]
    }

    private static func json(
        _ step: BoundManifestStep, _ app: RegisteredApp, _ flow: OnboardingFlow, _ workspace: Workspace
    ) -> JSONObject {
        let config = step.step.config
        let record = flow.record(for: config.id)
        return [
            "id": .string(config.id.rawValue), "plugin": .string(step.plugin.kind),
            "title": JSONValue(step.step.texts.title?.text(for: workspace.languages)),
            "isWelcome": .bool(config.id == flow.welcome?.id), "required": .bool(config.isRequired),
            "skippable": .bool(config.isSkippable), "revision": .integer(config.revision),
            "value": JSONValue(record?.value), "origin": JSONValue(record?.origin.rawValue),
            "at": record.map { .integer(Int($0.at.milliseconds)) } ?? .null, "evidence": JSONValue(record?.evidence),
        ]
    }
}
