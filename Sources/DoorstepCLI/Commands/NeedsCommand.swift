internal import CommandLineKit
internal import Doorstep
internal import DoorstepJSON
internal import DoorstepRegistry

/// `doorstep needs APP`: the launch gate.
enum NeedsCommand {
    static let reconcile = Flag("reconcile", help: "Ask the app's checks first, and record what is satisfied.")
    static let verbose = Flag("verbose", short: "v", help: "Print the answer too: needed, or not needed.")

    static let command = Command(
        "needs", abstract: "The gate: exit 0 if onboarding is needed, 1 if not.",
        discussion: """
            Prints nothing unless asked, never prompts, and asks no check without --reconcile, which records at once, \
            also for an app that writes the rest when its flow is finished. Any other status means that the \
            question could not be answered.

             if doorstep needs com.example.aurora; then doorstep run com.example.aurora; fi

            JSON: app, needsOnboarding, allRequiredSatisfied, nextStep.
            """,
        parameters: [Parameters.app, reconcile, Parameters.timeout, verbose, Parameters.json]
    ) { invocation in
        let app = invocation[Parameters.app]
        if invocation[reconcile] { try await runPass(app, invocation) }
        let workspace = Workspace(invocation, catalogue: noPlugins)
        let flow = try workspace.registry.gate(for: app, in: try workspace.suite)
        let isNeeded = flow.needsOnboarding
        if invocation[Parameters.json] {
            try JSONOutput.print([
                "app": .string(app), "needsOnboarding": .bool(isNeeded),
                "allRequiredSatisfied": .bool(flow.allRequiredSatisfied),
                "nextStep": JSONValue(flow.nextStepNeeded?.rawValue),
            ])
        } else if invocation[verbose] {
            workspace.registry.policy.warn()
            try Console.print(isNeeded ? "needed" : "not needed")
        }
        return isNeeded ? .yes : .no
    }

    /// The app that a command line asks about with nothing but its name, or nil for any other command line.
    static func plainQuestion(_ arguments: some BidirectionalCollection<String>) -> String? {
        guard arguments.count == 2, arguments.first == "needs", let app = arguments.last else { return nil }
        // Whatever begins like an option is for the parser to read.
        return app.utf8.first == UInt8(ascii: "-") ? nil : app
    }

    /// Answers whether an app needs onboarding, as the command does without options.
    static func answer(_ app: String) -> ExitStatus {
        Console.status {
            let workspace = Workspace(catalogue: noPlugins)
            return try workspace.registry.gate(for: app, in: try workspace.suite).needsOnboarding ? .yes : .no
        }
    }

    /// The gate looks at no plugin, so it gets none.
    private static var noPlugins: PluginCatalogue { PluginCatalogue([]) }

    private static func runPass(_ app: String, _ invocation: Invocation) async throws {
        let workspace = Workspace(invocation)
        let reconciler = workspace.reconciler(invocation[Parameters.timeout])
        let report = await reconciler.reconcile([try workspace.app(app)], in: try workspace.suite)
        if let failure = report.failures.first { throw failure.error }
    }
}
