internal import CommandLineKit
internal import Doorstep
internal import DoorstepJSON
internal import DoorstepPluginKit
internal import DoorstepRegistry
internal import DoorstepTerminal
internal import Glibc

/// `doorstep run APP`: shows the flow.
enum RunCommand {
    /// How pages are shown.
    enum Interface: String, CaseIterable, ArgumentValue {
        case auto, terminal, plain, gtk
    }

    static let interface = Option<Interface>("ui", help: "How pages are shown.", default: .auto)
    static let answers = Option<String?>(
        "answers", valueName: "file", help: "Answer from this JSON file instead of asking; - for standard input.",
        completion: .files)

    static let command = Command(
        "run", abstract: "Show an app's onboarding and record the answers.",
        discussion: """
            Exit 0 once the flow is finished, or where nothing was left to show; 1 if the user left before the end. Without a \
            terminal, pending pages are named, nothing is recorded, and the status is 69.

            In a graphical session pages come up in a window of their own, where doorstep-gtk is installed: beside this \
            program, or on PATH. On a terminal that is known to have colour, they fill the screen; elsewhere, with --ui \
            plain, or where ACCESSIBLE or the desktop session announces a screen reader, they are read and answered line by \
            line. DOORSTEP_UI (gtk, terminal, plain) decides for auto, NO_COLOR takes colour away, DOORSTEP_REDUCED_MOTION \
            and NO_COLOR the slides between pages.

            An answers file is an object from step IDs to true, false, or an object of inputs by key; a step that isn't named \
            is left as if the user moved past it. All answers are validated before anything is written, and then written together.

             { "com.example.aurora.profile.name": { "name": "Ada" }, "com.example.aurora.reqs.notifications": false }
            """,
        parameters: [Parameters.app, interface, answers, Parameters.unmet, Parameters.timeout, Parameters.strict]
    ) { invocation in
        let workspace = try Workspace(underPolicy: invocation, handsOver: true)
        let app = try workspace.app(invocation)
        if invocation[answers] == nil, let window = try window(invocation, workspace) {
            Progress.shared.end()
            try window.become(arguments: windowArguments(invocation, workspace))
        }
        workspace.warnOfPolicy()
        let showing = try await workspace.showing(of: app, invocation)
        if let path = invocation[answers] { return try await answer(showing, from: path) }
        // With nothing to ask there is no need for a terminal.
        guard !showing.pages.isEmpty else {
            let status = try await show(try showing.begin(), workspace, isPlain: true)
            nameWayOut(of: showing, workspace)
            return status
        }
        guard hasTerminal(workspace) else { throw noTerminal(showing) }
        let isPlain = try await isPlain(invocation[interface], workspace, showing)
        return try await show(try showing.begin(), workspace, isPlain: isPlain)
    }

    /// An app whose required step was declined shows nothing by itself. Who sits there is told how to be asked again.
    private static func nameWayOut(of showing: PreparedShowing, _ workspace: Workspace) {
        let wayOut = StatusCommand.wayOut(of: showing.app, showing.flow)
        let isTerminal = TerminalCapability(of: STDERR_FILENO, environment: workspace.environment).isTerminal
        guard isTerminal, !wayOut.isEmpty else { return }
        Console.warn("\(showing.app.id) has no page to show, but a required step is unmet; \(wayOut) asks it again")
    }

    /// The program that shows the pages in a window, where it is wanted.
    private static func window(
        _ invocation: Invocation, _ workspace: Workspace
    ) throws(CommandFailure) -> SiblingProgram? {
        let wanted = invocation[interface]
        let isAskedFor = wanted == .gtk || wanted == .auto && workspace.environment["DOORSTEP_UI"] == "gtk"
        guard isAskedFor || wanted == .auto && prefersWindow(workspace) else { return nil }
        let window = SiblingProgram("doorstep-gtk", environment: workspace.environment)
        if isAskedFor, window == nil {
            throw CommandFailure(
                .unavailable,
                "doorstep-gtk, which shows pages in a window, is neither beside this program nor on PATH; install it, or "
                    + "run this with --ui terminal; nothing was recorded")
        }
        return window
    }

    private static func prefersWindow(_ workspace: Workspace) -> Bool {
        TerminalCapability.prefersWindow(
            environment: workspace.environment, hasTerminal: hasTerminal(workspace))
    }

    private static func windowArguments(_ invocation: Invocation, _ workspace: Workspace) -> [String] {
        var arguments = invocation.showingArguments
        // A session can name a display that can't be opened.
        if invocation[interface] == .auto, hasTerminal(workspace) {
            let fallback = TerminalCapability.interface(environment: workspace.environment)
            arguments += ["--otherwise", fallback == .plain ? "plain" : "terminal"]
        }
        return arguments
    }

    /// Which presenter shows the pages.
    private static func isPlain(
        _ wanted: Interface, _ workspace: Workspace, _ showing: PreparedShowing
    ) async throws(CommandFailure) -> Bool {
        switch wanted {
        case .plain: return true
        case .auto, .gtk:
            if TerminalCapability.interface(environment: workspace.environment) == .plain { return true }
            return await ScreenReader.isAnnounced(environment: workspace.environment)
        case .terminal:
            guard TerminalCapability.isDumb(workspace.environment) else { return false }
            throw CommandFailure(
                .unavailable,
                "\(showing.app.id) has pages to show, but TERM names no terminal that can place text; set TERM, or run it "
                    + "with --ui plain; nothing was recorded")
        }
    }

    private static func show(
        _ session: OnboardingSession, _ workspace: Workspace, isPlain: Bool
    ) async throws -> ExitStatus {
        Progress.shared.end()
        let recorder = PageEventRecorder(session, in: try workspace.suite)
        let heading = session.app.manifest.name.text(for: workspace.languages)
        let presented = PresenterSession(session, recorder: recorder)
        let outcome: PresenterOutcome
        if isPlain {
            let presenter = PlainPresenter(
                columns: TerminalSize.columns(of: STDOUT_FILENO, environment: workspace.environment),
                languages: workspace.languages)
            outcome = try await presenter.run(session.pager, heading: heading, session: presented)
        } else {
            let presenter = ScreenPresenter(
                theme: TerminalTheme(session.app.manifest.theme), languages: workspace.languages,
                environment: workspace.environment)
            outcome = try await presenter.run(session.pager, heading: heading, session: presented)
        }
        return outcome == .finished ? .success : .no
    }

    private static func answer(_ showing: PreparedShowing, from path: String) async throws(CommandFailure) -> ExitStatus
    {
        let json = try JSONFile.read(path)
        do throws(AnswersError) {
            try await AnswersFile(json).answer(showing)
        } catch {
            switch error {
            case .storage(let error): throw CommandFailure(error)
            case .refused(let step):
                throw CommandFailure(.invalid, "\(path): the page of \"\(step)\" can't be passed with these answers")
            case .invalid(let faults): throw JSONFile.failure(faults, in: path)
            }
        }
        return .success
    }

    /// Whether somebody can read the pages and answer them.
    private static func hasTerminal(_ workspace: Workspace) -> Bool {
        [STDIN_FILENO, STDOUT_FILENO].allSatisfy {
            TerminalCapability(of: $0, environment: workspace.environment).isTerminal
        }
    }

    private static func noTerminal(_ showing: PreparedShowing) -> CommandFailure {
        let ids = showing.pages.map(\.step.id.rawValue).joined(separator: ", ")
        return CommandFailure(
            .unavailable,
            "\(showing.app.id) has pages to show, but there is no terminal to show them on; run it at one, or answer them "
                + "with --answers; nothing was recorded; pending: \(ids)")
    }
}
