internal import CommandLineKit
internal import DoorstepJSON
internal import DoorstepRegistry

/// `doorstep validate FILE…`: every fault of manifests at once.
enum ValidateCommand {
    static let command = Command(
        "validate", abstract: "Check manifests and print every fault at once.",
        discussion: """
            Each file is checked by itself, against the others, and against the registered apps.

            JSON: valid, apps[], faults[] with file, path and message.
            """,
        parameters: [Parameters.files, Parameters.json]
    ) { invocation in
        let workspace = Workspace(invocation)
        let outcome = validate(invocation[Parameters.files], in: workspace.registry)
        switch outcome {
        case .success(let apps) where invocation[Parameters.json]:
            try printJSON(apps: apps.map(\.id), faults: [])
        case .success(let apps):
            for app in apps { try Console.print("\(app.file.path): ok") }
        case .failure(.invalid(let faults)) where invocation[Parameters.json]:
            try printJSON(apps: [], faults: faults)
            return .invalid
        case .failure(.unreadable(let path, let reason, let cause)) where invocation[Parameters.json]:
            try printJSON(apps: [], faults: [ManifestFault(file: path, message: "this file can't be read: \(reason)")])
            return CommandFailure(.unreadable(path: path, reason: reason, cause: cause)).status
        case .failure(let error):
            throw error
        }
        return .success
    }

    private static func validate(_ paths: [String], in registry: Registry) -> Result<[RegisteredApp], RegistryError> {
        do throws(RegistryError) {
            let family = registry.contents().apps
            return .success(try Registry.validate(paths, catalogue: registry.catalogue, among: family))
        } catch {
            return .failure(error)
        }
    }

    private static func printJSON(apps: [String], faults: [ManifestFault]) throws(CommandFailure) {
        try JSONOutput.print([
            "valid": .bool(faults.isEmpty),
            "apps": .array(apps.map(JSONValue.string)),
            "faults": .array(
                faults.map { ["file": .string($0.file), "path": .string($0.place), "message": .string($0.message)] }),
        ])
    }
}
