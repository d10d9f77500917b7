internal import CommandLineKit
internal import Doorstep
internal import DoorstepJSON
internal import DoorstepRegistry

/// `doorstep apps`: the family.
enum AppsCommand {
    static let names = Flag("names", help: "Print the IDs alone, one a line.")

    static let command = Command(
        "apps", abstract: "List the registered apps.",
        discussion: """
            Manifests that can't be used are named on standard error; they never hide the other apps.

            JSON: apps[] with app, name, prefix, steps and manifest; problems[] with app and message.
            """,
        parameters: [names, Parameters.json]
    ) { invocation in
        let workspace = Workspace(invocation)
        if invocation[names] {
            for id in workspace.registry.appIDs() { try Console.write(id + "\n") }
            return .success
        }
        let contents = workspace.registry.contents()
        if invocation[Parameters.json] {
            try JSONOutput.print([
                "apps": .array(contents.apps.map { json($0, workspace) }), "problems": contents.problemsJSON,
            ])
            return .success
        }
        if contents.apps.isEmpty {
            try Console.print(RegistryContents.noApps)
            contents.warn()
            return .success
        }
        var table = TextTable("APP", "NAME", "STEPS", "MANIFEST")
        for app in contents.apps {
            table.add(
                app.id, app.manifest.name.text(for: workspace.languages), "\(app.manifest.allSteps.count)",
                app.file.path)
        }
        try Console.write(table.text(columns: Console.columns(environment: workspace.environment)))
        contents.warn()
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

extension RegistryContents {
    /// What is said where there is no app.
    static let noApps = "no app is registered; doorstep register puts a manifest into your registry"

    /// The manifests that can't be used, for JSON output.
    var problemsJSON: JSONValue {
        .array(problems.map { ["app": JSONValue($0.app), "message": .string($0.error.description)] })
    }

    /// Names the manifests that can't be used on standard error.
    func warn() {
        for problem in problems {
            for line in problem.error.description.split(separator: "\n") { Console.warn("warning: \(line)") }
        }
    }
}
