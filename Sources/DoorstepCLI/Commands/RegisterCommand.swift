internal import CommandLineKit
internal import Doorstep
internal import DoorstepRegistry
internal import DoorstepSQLite
internal import Glibc

/// `doorstep register FILE…`: validated copies into the user's registry.
enum RegisterCommand {
    static let replace = Flag("replace", help: "Replace manifests of the same apps that are already registered.")

    static let command = Command(
        "register", abstract: "Put validated copies of manifests into your registry.",
        discussion: """
            Your registry is the first directory of $DOORSTEP_REGISTRY_PATH, else doorstep/registry in the XDG data home. All \
            files are checked before the first is copied. Records stay as they are; an app that has some can't change its \
            prefix. A suite that can't be read is warned of.
            """,
        parameters: [Parameters.files, replace]
    ) { invocation in
        let workspace = Workspace(invocation)
        try Workspace.requireText(workspace.registry.directories.first ?? "")
        let results = try workspace.registry.register(
            invocation[Parameters.files], replaces: invocation[replace], answersIn: try? workspace.suite)
        try keep(results, workspace)
        for result in results {
            switch result {
            case .registered(let app, let path): try Console.print("registered \(app): \(path)")
            case .replaced(let app, let path): try Console.print("replaced \(app): \(path)")
            case .unchanged(let app, let path): try Console.print("unchanged \(app): \(path)")
            }
        }
        return .success
    }

    /// Has a suite that there is keep the flows, so that the next launch parses no manifest. Without that the gate only takes
    /// longer, so a suite that can't be written is no failure.
    private static func keep(_ results: [Registry.Registration], _ workspace: Workspace) throws {
        guard let suite = try? workspace.suite, access(suite.path, F_OK) == 0 else { return }
        do throws(OnboardingStorageError) {
            _ = try suite.registrations()
        } catch {
            Console.warn("warning: whether answers stand under an earlier prefix can't be told: \(error.message)")
            return
        }
        for result in results {
            switch result {
            case .registered(let app, _), .replaced(let app, _), .unchanged(let app, _):
                try? suite.register(try workspace.registry.app(app).registration)
            }
        }
    }
}

/// `doorstep unregister APP`: out of the user's registry.
enum UnregisterCommand {
    static let command = Command(
        "unregister", abstract: "Take an app's manifest out of your registry; its records stay.",
        discussion: """
            An app that has no manifest any more, but that the suite still knows, is forgotten by the suite; its records stay.
            """,
        parameters: [Parameters.app]
    ) { invocation in
        let workspace = Workspace(invocation, catalogue: PluginCatalogue([]))
        let app = invocation[Parameters.app]
        do throws(RegistryError) {
            // Before anything is changed: of a manifest that isn't the user's, the suite's copy stays too.
            _ = try workspace.registry.ownManifest(of: app)
        } catch {
            guard case .unknownApp = error, try workspace.suite.unregister(app: app) else { throw error }
            try Console.print("unregistered \(app): it has no manifest, and the suite has forgotten its flow")
            return .success
        }
        // The suite's copy of the flow goes first: without it the manifest is only read again, but a manifest that is gone
        // although the suite failed would be half a change.
        try workspace.suite.unregister(app: app)
        let path = try workspace.registry.unregister(app)
        try Console.print("unregistered \(app): removed \(path)")
        return .success
    }
}
