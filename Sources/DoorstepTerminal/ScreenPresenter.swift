public import Doorstep
internal import CTerminal

/// Shows a pager page by page on the whole terminal.
///
/// ```swift
/// let presenter = ScreenPresenter(theme: theme, languages: languages, environment: environment)
/// let outcome = try await presenter.run(pager, heading: "Aurora", session: session)
/// ```
///
/// The terminal is given back however a showing ends: by its last page, by Ctrl-C, by SIGTERM or SIGHUP (which then have
/// the effect that they had), by a crash, or by `exit`. Only SIGKILL leaves it as it is. What became of the answers is said
/// on it then.
public struct ScreenPresenter: Sendable {
    /// Where keys come from.
    public let input: Int32
    /// Where pages go.
    public let output: Int32
    /// How the app wishes its pages to look.
    public let theme: TerminalTheme
    /// The languages of the presenter's own texts, and the direction of its pages.
    public let languages: LanguagePreferences
    /// What the environment says of the terminal, of colour and of motion.
    public let environment: [String: String]

    /// A presenter on two descriptors of one terminal, which stay open and stay the caller's.
    public init(
        input: Int32 = 0, output: Int32 = 1, theme: TerminalTheme = TerminalTheme(), languages: LanguagePreferences,
        environment: [String: String]
    ) {
        self.input = input
        self.output = output
        self.theme = theme
        self.languages = languages
        self.environment = environment
    }

    /// Shows the pager from where it stands to its end.
    ///
    /// Waits for input on the calling thread. A plan without pages finishes without a word. A terminal that goes away
    /// counts as leaving.
    ///
    /// - Parameters:
    ///   - pager: What to show; started here if it isn't yet.
    ///   - heading: The app's name.
    ///   - session: Runs the plugins' actions, reconciles, and knows the profile.
    /// - Returns: How the showing ended. The pager has finished or was left.
    /// - Throws: ``/Doorstep/OnboardingStorageError`` that the user saw and could not get over before leaving, or that
    ///   came before the first page.
    public nonisolated(nonsending) func run(
        _ pager: OnboardingPager, heading: String, session: PresenterSession = PresenterSession()
    ) async throws(OnboardingStorageError) -> PresenterOutcome {
        try pager.start()
        guard pager.phase == .showing else { return pager.phase == .finished ? .finished : .left }
        let depth = TerminalCapability.depth(environment: environment)
        guard
            let port = TerminalPort(
                input: input, output: output, environment: environment, depth: depth,
                allowsMotion: TerminalCapability.allowsMotion(environment: environment))
        else {
            pager.leave()
            return .left
        }
        let layout = PageLayout(theme: theme, depth: depth, glyphs: TerminalCapability.glyphs(environment: environment))
        let showing = ScreenShowing(
            pager: pager, heading: heading, icon: theme.icon, session: session, port: port, layout: layout,
            languages: languages)
        // On other threads: this one waits for keys.
        let watchers = pager.pages.map { page in
            let changes = session.changes(page.step.id)
            return Task.detached { for await _ in changes { cterminal_wake() } }
        }
        defer { for watcher in watchers { watcher.cancel() } }
        let result = await showing.result()
        session.ended()
        port.giveBack()
        if port.ending.isEmpty { sayFarewell(showing, result) }
        cterminal_end_by(port.ending.rawValue)
        return try result.get()
    }

    /// Says on the ordinary screen how it ended; a failure is for the caller to say.
    private func sayFarewell(_ showing: ScreenShowing, _ result: Result<PresenterOutcome, OnboardingStorageError>) {
        let text: String
        switch result {
        case .success(.signedOut): text = PresenterPhrase.signedOut.text(for: languages)
        case .success: text = showing.farewell.text(for: languages)
        case .failure: return
        }
        let columns = max(TerminalSize.columns(of: output, environment: environment), TerminalSize.minimumColumns)
        PlainWriter(descriptor: output, columns: columns).paragraph(text)
    }
}
