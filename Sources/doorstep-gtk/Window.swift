internal import CommandLineKit
internal import DoorstepPresenting
internal import DoorstepRegistry
internal import DoorstepWorkspace

#if GTK
internal import Doorstep
internal import DoorstepGTK

/// The window that shows a registered app's flow.
@MainActor
enum Window {
    nonisolated static let hindrance =
        "no window can be opened: neither WAYLAND_DISPLAY nor DISPLAY names a display that can be used; run it in a graphical "
        + "session, or use `doorstep run` with --ui terminal"

    /// Whether there is a display for this app's window.
    static func canOpen(for app: RegisteredApp, _ workspace: Workspace) -> Bool {
        OnboardingWindow.introduce(app: app.id, name: app.manifest.name.text(for: workspace.languages))
        return OnboardingWindow.canOpen
    }

    /// Shows what the app's flow still needs.
    static func show(_ app: RegisteredApp, _ invocation: Invocation, _ workspace: Workspace) async throws
        -> ExitStatus
    {
        let session = try await workspace.showing(of: app, invocation).begin()
        let recorder = PageEventRecorder(session, in: try workspace.suite)
        let presenter = WindowPresenter(
            theme: WindowTheme(app.manifest.theme),
            allowsMotion: !EnvironmentSwitch.isOn("DOORSTEP_REDUCED_MOTION", in: workspace.environment))
        let outcome = try await presenter.run(
            session.pager, heading: app.manifest.name.text(for: workspace.languages),
            session: PresenterSession(session, recorder: recorder))
        return outcome == .finished ? .success : .no
    }
}

extension WindowTheme {
    /// A manifest's theme; its colours were checked when it was read.
    init(_ theme: ManifestTheme) {
        self.init(
            primary: theme.primary.flatMap { Colour(hex: $0) }, accent: theme.accent.flatMap { Colour(hex: $0) },
            card: theme.card.flatMap { Colour(hex: $0) }, background: theme.background.flatMap { Colour(hex: $0) },
            font: theme.font, icon: theme.icon)
    }
}
#else
/// No window: this program was built without GTK.
@MainActor
enum Window {
    nonisolated static let hindrance =
        "this doorstep-gtk was built without GTK, so it can't open a window; build it with `swift build --traits GTK`, or use "
        + "`doorstep run` with --ui terminal"

    static func canOpen(for app: RegisteredApp, _ workspace: Workspace) -> Bool { false }

    static func show(_ app: RegisteredApp, _ invocation: Invocation, _ workspace: Workspace) async throws -> ExitStatus
    {
        .unavailable
    }
}
#endif
