internal import CommandLineKit
internal import DoorstepWorkspace

/// `doorstep-gtk APP`: shows the flow in a window of its own. `doorstep run` starts it.
enum WindowCommand {
    /// What shows the pages where no window can be opened.
    enum Fallback: String, CaseIterable, ArgumentValue {
        case terminal, plain
    }

    static let otherwise = Option<Fallback?>(
        "otherwise", help: "Where no window can be opened, show the pages on the terminal instead.")

    static let command = Command(
        "doorstep-gtk", abstract: "Show an app's onboarding in a window of its own and record the answers.",
        discussion: """
            Started by `doorstep run`. Exit 0 once the flow is finished, or where nothing was left to show; 1 if the window was \
            closed before the end; 69 where no window can be opened. DOORSTEP_REDUCED_MOTION turns the slides between pages \
            off, as the desktop's own setting does.
            """,
        version: Release.version,
        parameters: [
            Parameters.app, Parameters.suite, otherwise, Parameters.unmet, Parameters.timeout, Parameters.strict,
        ]
    ) { invocation in
        let workspace = try Workspace(underPolicy: invocation, handsOver: true)
        let app = try workspace.app(invocation)
        guard await Window.canOpen(for: app, workspace) else {
            return try leave(to: invocation[otherwise], invocation, workspace)
        }
        workspace.warnOfPolicy()
        return try await Window.show(app, invocation, workspace)
    }

    /// Goes on at the terminal, or says why there is no window.
    private static func leave(
        to fallback: Fallback?, _ invocation: Invocation, _ workspace: Workspace
    ) throws(CommandFailure) -> ExitStatus {
        guard let fallback, let doorstep = SiblingProgram("doorstep", environment: workspace.environment) else {
            workspace.warnOfPolicy()
            throw CommandFailure(.unavailable, "\(Window.hindrance); nothing was recorded")
        }
        try doorstep.become(arguments: ["run", "--ui", fallback.rawValue] + invocation.showingArguments)
    }
}
