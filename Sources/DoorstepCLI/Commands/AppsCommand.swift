internal import CommandLineKit
internal import Doorstep
internal import DoorstepJSON
internal import DoorstepRegistry

/// `doorstep apps`: the family.
enum AppsCommand {
    static let names = Flag("names", help: "Print the IDs alone, one a line.")
    static let steps = Flag("steps", help: "Print the IDs of all steps alone, one a line.")

    static let command = Command(
        "apps", abstract: "List the registered apps.",
        discussion: """
            Manifests that can't be used are named on standard error; they never hide the other apps.

            JSON: apps[] with app, name, prefix, steps and manifest; problems[] with app and message.
            """,
        parameters: [names, steps, Parameters.json]
    ) { invocation in
        let workspace = Workspace(invocation)
        let contents = workspace.registry.contents()
        if !invocation[names], !invocation[steps] { workspace.warnOfAbsentDirectories() }
        if invocation[names] || invocation[steps] {
            let ids = contents.apps.flatMap { app in
                invocation[steps] ? app.steps.map(\.step.config.id.rawValue) : [app.id]
            }
            try Console.write(ids.map { $0 + "\n" }.joined())
            return .success
        }
        if invocation[Parameters.json] {
            try JSONOutput.print([
                "apps": .array(contents.apps.map { json($0, workspace) }), "problems": contents.problems.json,
            ])
            return .success
        }
        if contents.apps.isEmpty {
            try workspace.registry.sayNoApps()
            contents.problems.warn()
            return .success
        }
        var table = TextTable("APP", "NAME", "STEPS", "MANIFEST")
        for app in contents.apps {
            table.add(
                app.id, app.manifest.name.text(for: workspace.languages), "\(app.manifest.allSteps.count)",
                app.file.path)
        }
        try Console.write(table.text(columns: Console.columns(environment: workspace.environment)))
        contents.problems.warn()
        return .success
    }

    private static func json(_ app: RegisteredApp, _ workspace: Workspace) -> JSONValue {
        [
            "app": .string(app.id), "name": .string(app.manifest.name.text(for: workspace.languages)),
            "prefix": .string(app.manifest.prefix), "steps": .integer(app.manifest.allSteps.count),
            "manifest": .string(app.file.path),
        ]
    }
}

extension [RegistryProblem] {
    /// What can't be used, for JSON output.
    var json: JSONValue {
        .array(map { ["app": JSONValue($0.app), "message": .string($0.error.description)] })
    }

    /// Names what can't be used on standard error.
    func warn() {
        for problem in self {
            for line in problem.error.description.split(separator: "\n") { Console.warn("warning: \(line)") }
        }
    }
}
