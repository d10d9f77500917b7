#if GTK
internal import CAdwaita
internal import DoorstepGTK
internal import DoorstepSQLite

/// Aurora: asks for a name and a terms page once, then greets.
@MainActor
final class AuroraApp {
    private static let languages = LanguagePreferences(["en"])
    private static let profile: OnboardingStepID = "com.example.aurora.profile"

    private let flow: OnboardingFlow
    private let storage: any OnboardingStorage
    private let quit: () -> Void
    private var main: MainWindow?

    init(quit: @escaping () -> Void) throws {
        self.quit = quit
        storage = try OnboardingSuite.open().storage(prefix: "com.example.aurora.")
        flow = try OnboardingFlow(
            welcome: "com.example.aurora.welcome",
            steps: [
                OnboardingStepConfig(id: Self.profile, isRequired: true, isSkippable: false),
                OnboardingStepConfig(id: "com.example.aurora.sky", isSkippable: false),
            ],
            storage: storage)
        OnboardingWindow.introduce(app: "com.example.aurora", name: "Aurora")
    }

    /// The gate: onboarding where something is unanswered, else the app.
    func open() throws {
        if flow.needsOnboarding { try onboard() } else { try showMain() }
    }

    private func onboard() throws {
        let window = try OnboardingWindow(
            flow: flow, heading: "Aurora", languages: Self.languages,
            theme: WindowTheme(primary: Colour(hex: "#2B1B5A"), accent: Colour(hex: "#F0A33A")),
            custom: { page in page.step.id == "com.example.aurora.sky" ? Self.skyPage() : nil },
            content: Self.page)
        window.onClosed = { [self] outcome, _ in
            if outcome == .finished { try? showMain() } else { quit() }
        }
        try window.present()
    }

    private func showMain() throws {
        var name = "you"
        if case .text(let text)? = try storage.inputs()[Self.profile]?["name"] { name = text }
        main = MainWindow(
            greeting: "Clear skies, \(name)!",
            signOut: { [self] in
                try? flow.signOut()
                try? onboard()
            },
            closed: { [self] in quit() })
    }

    private static func page(_ step: OnboardingStepConfig) -> StepPage {
        switch step.id {
        case profile:
            StepPage(
                title: "What’s your name?",
                fields: [
                    StepField(
                        key: "name", label: "Your name", help: "At least 3 characters.",
                        kind: .text(length: 3...80, pattern: nil, initial: nil))
                ])
        default:
            StepPage(
                title: "Find your night sky", headline: "Northern lights and dark skies near you.",
                icon: "weather-clear-night-symbolic")
        }
    }

    /// A page of the app's own: any widget does.
    private static func skyPage() -> UnsafeMutablePointer<GtkWidget> {
        let page: UnsafeMutablePointer<GtkWidget> = adw_status_page_new()
        adw_status_page_set_icon_name(OpaquePointer(page), "weather-few-clouds-night-symbolic")
        adw_status_page_set_title(OpaquePointer(page), "Tonight looks good")
        return page
    }
}
#endif
