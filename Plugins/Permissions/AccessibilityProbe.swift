internal import DoorstepBus
internal import DoorstepPluginKit

/// Whether assistive technology is on, or a screen reader in particular.
struct AccessibilityProbe: PermissionProbe {
    let kind = "accessibility"
    let summary = "Assistive technology is switched on"
    let subject = CheckSubject.user
    let optionHelp = [
        PluginOption("screenReader", "true or false", "whether a screen reader must be on; false by default")
    ]
    let icon = "preferences-desktop-accessibility-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "Accessibility"),
        LocalizedText.Entry(tag: "de", text: "Barrierefreiheit"),
        LocalizedText.Entry(tag: "ar", text: "إمكانية الوصول"),
        LocalizedText.Entry(tag: "ja", text: "アクセシビリティ"),
    ])

    private static let name = "org.a11y.Bus"

    func options(from reader: JSONReader) -> Bool {
        reader.bool("screenReader", default: false)
    }

    let settings: SettingsPanel? = .accessibility

    func watches(_ wantsReader: Bool, in context: ProbeContext) -> [Watch] {
        [.owner(.session, Self.name), .properties(.session, of: Self.name, path: "/org/a11y/bus")]
    }

    func remedy(for status: AuthorizationStatus, _ wantsReader: Bool, in context: ProbeContext) -> Remedy {
        .settings
    }

    func words(for status: AuthorizationStatus, _ wantsReader: Bool) -> LocalizedText? {
        guard status == .notDetermined else { return nil }
        return .sentence(
            en: "Assistive technology is switched off.",
            de: "Bedienungshilfen sind ausgeschaltet.",
            ar: "التقنيات المساعدة متوقفة.",
            ja: "支援技術がオフになっています。")
    }

    func finding(_ wantsReader: Bool, in context: ProbeContext) async throws(BusError) -> Finding {
        if let absence = try await context.absence(of: Self.name, "the accessibility service", on: .session) {
            return absence
        }
        let property = wantsReader ? "ScreenReaderEnabled" : "IsEnabled"
        let value = try await context.buses.property(
            .session, destination: Self.name, path: "/org/a11y/bus", interface: "org.a11y.Status", name: property,
            expecting: "b", deadline: context.deadline)
        let what = wantsReader ? "a screen reader" : "assistive technology"
        return value.bool == true
            ? .granted(.explicit, "\(what) is switched on") : Finding(.notDetermined, "\(what) is switched off")
    }
}
