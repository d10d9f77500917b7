public import Doorstep

/// What a plugin may know while it makes a page, checks or performs: the app, the step, the reader, and the time it has.
public struct StepContext: Sendable {
    /// The app's ID, for example `com.example.aurora`.
    public var app: String
    /// The app's name in the reader's language.
    public var appName: String
    /// The step.
    public var step: OnboardingStepConfig
    /// Whether the step is its flow's welcome.
    public var isWelcome: Bool
    /// What the manifest says on the step's page.
    public var texts: StepTexts
    /// The reader's languages.
    public var languages: LanguagePreferences
    /// When the answer is no longer waited for.
    public var deadline: ContinuousClock.Instant
    /// The environment that the plugin may see. Plugins read no other.
    public var environment: [String: String]
    /// What the checks of this pass share.
    public var scope: PassScope
    /// What the step's check said last, for its page; nil where it wasn't asked.
    public var satisfaction: Satisfaction?

    /// A context from its parts.
    public init(
        app: String, appName: String, step: OnboardingStepConfig, isWelcome: Bool = false,
        texts: StepTexts = StepTexts(), languages: LanguagePreferences, deadline: ContinuousClock.Instant,
        environment: [String: String], scope: PassScope, satisfaction: Satisfaction? = nil
    ) {
        self.app = app
        self.appName = appName
        self.step = step
        self.isWelcome = isWelcome
        self.texts = texts
        self.languages = languages
        self.deadline = deadline
        self.environment = environment
        self.scope = scope
        self.satisfaction = satisfaction
    }

    /// A page with the manifest's texts in the reader's language; where they are silent, with the given ones.
    public func page(
        title: LocalizedText, headline: LocalizedText? = nil, icon: String? = nil
    ) -> StepPage {
        StepPage(
            title: text(texts.title ?? title),
            headline: (texts.headline ?? headline).map(text),
            body: texts.body.map(text),
            icon: texts.icon ?? icon,
            primary: .complete(title: texts.action.map(text)))
    }

    /// A text in the reader's language.
    public func text(_ text: LocalizedText) -> String {
        text.text(for: languages)
    }
}
