#if GTK
/// Shows a pager in a window of its own and waits for its end, as the terminal's presenters do.
@MainActor
public struct WindowPresenter {
    /// How the app wishes its pages to look.
    public let theme: WindowTheme
    /// Whether pages may slide.
    public let allowsMotion: Bool

    /// A presenter; ``OnboardingWindow/canOpen`` says whether there is a display for it.
    public init(theme: WindowTheme = WindowTheme(), allowsMotion: Bool = true) {
        self.theme = theme
        self.allowsMotion = allowsMotion
    }

    /// Shows the pager from its start to its end, or until the window is closed.
    ///
    /// - Parameters:
    ///   - pager: What to show.
    ///   - heading: The app's name.
    ///   - session: Runs the plugins' actions, reconciles, and knows the profile.
    /// - Returns: How the showing ended. The pager has finished or was left.
    /// - Throws: `OnboardingStorageError` that the user saw and could not get over before leaving, or that came before the
    ///   first page.
    public func run(
        _ pager: OnboardingPager, heading: String, session: PresenterSession = PresenterSession()
    ) async throws(OnboardingStorageError) -> PresenterOutcome {
        let window = OnboardingWindow(
            pager, heading: heading, theme: theme, session: session, allowsMotion: allowsMotion)
        let result: Result<PresenterOutcome, OnboardingStorageError> = await withCheckedContinuation {
            continuation in
            window.onClosed = { outcome, failure in
                continuation.resume(returning: failure.map { .failure($0) } ?? .success(outcome))
            }
            do throws(OnboardingStorageError) {
                try window.present()
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }
}
#endif
