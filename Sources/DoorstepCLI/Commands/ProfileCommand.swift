internal import CommandLineKit
internal import Doorstep
internal import DoorstepJSON
internal import DoorstepPluginKit
internal import DoorstepRegistry

/// `doorstep profile APP`: the inputs.
enum ProfileCommand {
    static let command = Command(
        "profile", abstract: "Print what the user typed or chose in an app's profile steps.",
        discussion: """
            In the order of the flow. What is left of steps that the flow no longer has comes last, with the step's ID.

            JSON: app; inputs by key; removed, an object from such steps' IDs to their inputs by key.
            """,
        parameters: [Parameters.app, Parameters.json]
    ) { invocation in
        let workspace = Workspace(invocation)
        let app = try workspace.app(invocation)
        let stored = try workspace.flow(of: app).storage.inputs()
        let inputs = app.steps.flatMap { step in
            ordered(stored[step.step.config.id] ?? [:], by: step.plugin.inputKeys)
        }
        let removed = stored.keys.filter { app.step($0) == nil }.sorted { $0.rawValue < $1.rawValue }
            .map { (step: $0.rawValue, inputs: ordered(stored[$0] ?? [:], by: [])) }.filter { !$0.inputs.isEmpty }
        if invocation[Parameters.json] {
            let steps = removed.map { ($0.step, JSONValue.object(json($0.inputs))) }
            try JSONOutput.print([
                "app": .string(app.id), "inputs": .object(json(inputs)), "removed": .object(JSONObject(steps)),
            ])
            return .success
        }
        var table = TextTable("INPUT", "VALUE", "REMOVED STEP")
        for (key, value) in inputs { table.add(key, text(value), "") }
        for (step, inputs) in removed {
            for (key, value) in inputs { table.add(key, text(value), step) }
        }
        if inputs.isEmpty && removed.isEmpty {
            try Console.print("\(app.id): no inputs are stored")
        } else {
            try Console.write(table.text(columns: Console.columns(environment: workspace.environment)))
        }
        return .success
    }

    /// Inputs in the order of their fields, then those that have no field any more by name.
    private static func ordered(
        _ inputs: [String: OnboardingInputValue], by keys: [String]
    ) -> [(key: String, value: OnboardingInputValue)] {
        let others = inputs.keys.filter { !keys.contains($0) }.sorted()
        return (keys + others).compactMap { key in inputs[key].map { (key, $0) } }
    }

    private static func json(_ inputs: [(key: String, value: OnboardingInputValue)]) -> JSONObject {
        JSONObject(inputs.map { ($0.key, $0.value.json) })
    }

    private static func text(_ value: OnboardingInputValue) -> String {
        switch value {
        case .text(let text): text
        case .integer(let number): String(number)
        case .toggle(let flag): flag ? "yes" : "no"
        }
    }
}
