import Doorstep

/// An app of five pages in four languages: a welcome, a profile that must be filled in, a permission, a choice, a
/// notice.
struct AuroraFlow {
    static let welcome: OnboardingStepID = "com.example.aurora.welcome"
    static let profile: OnboardingStepID = "com.example.aurora.profile"
    static let notifications: OnboardingStepID = "com.example.aurora.reqs.notifications"
    static let look: OnboardingStepID = "com.example.aurora.look"
    static let notice: OnboardingStepID = "com.example.aurora.notice"

    let storage = InMemoryOnboardingStorage()
    let flow: OnboardingFlow
    let languages: LanguagePreferences

    init(language: String = "en") throws {
        languages = LanguagePreferences([language])
        flow = try OnboardingFlow(
            welcome: Self.welcome,
            steps: [
                OnboardingStepConfig(id: Self.profile, isRequired: true, isSkippable: false),
                OnboardingStepConfig(id: Self.notifications, isRequired: true),
                OnboardingStepConfig(id: Self.look),
                OnboardingStepConfig(id: Self.notice, isSkippable: false),
            ],
            storage: storage)
    }

    func pager(_ mode: OnboardingCommitMode = .eachStep) throws -> OnboardingPager {
        try OnboardingPager(flow: flow, commitMode: mode, languages: languages) { page($0.id) }
    }

    func page(_ id: OnboardingStepID, isAllowed: Bool = false) -> StepPage {
        switch id {
        case Self.welcome:
            StepPage(title: text(.welcomeTitle), headline: text(.welcomeHeadline), body: [text(.welcomeBody)])
        case Self.profile:
            StepPage(
                title: text(.profileTitle),
                fields: [
                    StepField(
                        key: "name", label: text(.name), help: text(.nameHelp),
                        kind: .text(length: 1...40, pattern: nil, initial: nil)),
                    StepField(
                        key: "age", label: text(.age), kind: .integer(range: 18...120, step: 1, initial: 30)),
                    StepField(
                        key: "motto", label: text(.motto), kind: .text(length: 0...80, pattern: nil, initial: nil),
                        isOptional: true),
                ])
        case Self.notifications:
            StepPage(
                title: text(.notifications), body: [text(.notificationsBody)],
                primary: isAllowed ? .complete(title: nil) : .perform(action: "request", title: .allow),
                status: text(isAllowed ? .allowed : .notAllowed))
        case Self.look:
            StepPage(
                title: text(.look),
                fields: [
                    StepField(
                        key: "theme", label: text(.theme),
                        kind: .choice(
                            [
                                StepChoice(value: "light", label: text(.light)),
                                StepChoice(value: "dark", label: text(.dark)),
                            ], initial: "light")),
                    StepField(key: "sounds", label: text(.sounds), kind: .toggle(initial: true)),
                ])
        default:
            StepPage(title: text(.notice), body: [text(.noticeBody)])
        }
    }

    func text(_ text: AuroraText) -> String {
        text.translations.text(for: languages)
    }
}
