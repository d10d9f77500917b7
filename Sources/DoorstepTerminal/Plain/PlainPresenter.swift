public import Doorstep

/// Shows a pager line by line: on any terminal, over a serial line, with a screen reader, or with answers from a file.
///
/// It moves no cursor, uses no colour and writes no escape sequence, whatever the app's texts hold. The terminal's own
/// line editing stays on and none of its settings is changed. No line is wider than ``columns``.
///
/// ```swift
/// let columns = TerminalSize.columns(of: 1, environment: environment)
/// let presenter = PlainPresenter(columns: columns, languages: languages)
/// let outcome = try await presenter.run(pager, heading: "Aurora", session: session)
/// ```
///
/// A page's texts come first, then each of its fields, then its actions as a numbered list. A field takes, instead of
/// an answer, `:back`, `:skip`, `:quit`, `:clear` (leave it empty) or `?`; a colon before one of them makes it an
/// answer (`::back` is the text ":back"). An action is chosen by its number, its title or the beginning of it, `back`,
/// `skip` or `quit`; Enter chooses the first. After the last page comes what was stored, where the session knows it.
///
/// Ctrl-D leaves, and so does Ctrl-C where the input is a terminal; SIGTERM, SIGHUP and SIGPIPE keep the effect that
/// they had. Ctrl-C while an action runs or the checks are asked again cancels the task that called ``run(_:heading:session:)``,
/// so that what is waited for can stop, and then leaves.
public struct PlainPresenter: Sendable {
    /// Where answers come from.
    public let input: Int32
    /// Where pages go.
    public let output: Int32
    /// The cells of a line.
    public let columns: Int
    /// The languages of the presenter's own texts.
    public let languages: LanguagePreferences

    /// A presenter on two descriptors, which stay open and stay the caller's.
    ///
    /// - Parameters:
    ///   - input: Where answers come from, by default standard input.
    ///   - output: Where pages go, by default standard output.
    ///   - columns: The cells of a line; fewer than ``TerminalSize/minimumColumns`` count as that many.
    ///   - languages: The languages of the presenter's own texts.
    public init(input: Int32 = 0, output: Int32 = 1, columns: Int, languages: LanguagePreferences) {
        self.input = input
        self.output = output
        self.columns = max(columns, TerminalSize.minimumColumns)
        self.languages = languages
    }

    /// Shows the pager from where it stands to its end.
    ///
    /// Waits for input on the calling thread. A plan without pages finishes without a word. An output that can't be
    /// written to counts as leaving, so does an input that has ended.
    ///
    /// - Parameters:
    ///   - pager: What to show; started here if it isn't yet.
    ///   - heading: The app's name.
    ///   - session: Runs the plugins' actions, reconciles, and knows the profile.
    /// - Returns: How the showing ended. The pager has finished or was left.
    /// - Throws: ``/Doorstep/OnboardingStorageError`` from the pager or the session. The pager stays on its page, and
    ///   showing it again goes on there.
    public nonisolated(nonsending) func run(
        _ pager: OnboardingPager, heading: String, session: PresenterSession = PresenterSession()
    ) async throws(OnboardingStorageError) -> PresenterOutcome {
        let showing = PlainShowing(
            pager: pager, heading: heading, session: session, reader: LineReader(descriptor: input),
            writer: PlainWriter(descriptor: output, columns: columns), languages: languages)
        defer { session.ended() }
        return try await showing.run()
    }
}
