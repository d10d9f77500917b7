import DoorstepPluginKit

extension StepContext {
    /// What a plugin would know of a step of a test's app.
    static func reading(
        _ language: String = "en", appName: String = "Aurora", texts: StepTexts = StepTexts()
    ) -> StepContext {
        StepContext(
            app: "com.example.aurora", appName: appName, step: OnboardingStepConfig(id: "com.example.aurora.step"),
            texts: texts, languages: LanguagePreferences([language]), deadline: .now + .seconds(60), environment: [:],
            scope: PassScope())
    }
}
