internal import CommandLineKit
internal import Doorstep
internal import DoorstepJSON
internal import DoorstepRegistry

/// `doorstep profile APP`: the inputs.
enum ProfileCommand {
    static let command = Command(
        "profile", abstract: "Print what the user typed or chose in an app's profile steps.",
        discussion: "JSON: app, inputs by key.",
        parameters: [Parameters.app, Parameters.json]
    ) { invocation in
        let workspace = Workspace(invocation)
        let flow = try workspace.flow(invocation)
        let inputs = try flow.storage.inputs().values.flatMap { $0 }.sorted { $0.key < $1.key }
        if invocation[Parameters.json] {
            let members = JSONObject(inputs.map { ($0.key, $0.value.json) })
            try JSONOutput.print(["app": .string(invocation[Parameters.app]), "inputs": .object(members)])
            return .success
        }
        var table = TextTable("INPUT", "VALUE")
        for (key, value) in inputs { table.add(key, text(value)) }
        if inputs.isEmpty {
            try Console.print("\(invocation[Parameters.app]): no inputs are stored")
        } else {
            try Console.write(table.text(columns: Console.columns(environment: workspace.environment)))
        }
        return .success
    }

    private static func text(_ value: OnboardingInputValue) -> String {
        switch value {
        case .text(let text): text
        case .integer(let number): String(number)
        case .toggle(let flag): flag ? "yes" : "no"
        }
    }
}
