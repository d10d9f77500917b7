internal import Doorstep

extension OnboardingPager {
    /// Whether an action of the page does nothing but ask its check again. Others, such as opening the settings, come back
    /// before there can be anything new.
    func asksAgain(_ name: String, _ languages: LanguagePreferences) -> Bool {
        actions.contains { $0.role == .perform(name) && $0.title == Phrase.tryAgain.text(for: languages) }
    }
}
