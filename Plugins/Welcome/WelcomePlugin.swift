public import DoorstepPluginKit

/// The hero page that greets the user: a flow's welcome, recorded `true` once it is passed.
public struct WelcomePlugin: StepPlugin {
    /// `welcome`.
    public let kind = "welcome"
    /// What `doorstep plugins` says of it.
    public let summary = "Greets the user before the first step"

    /// The plugin.
    public init() {}

    /// The welcome's texts; without a title it greets by the app's name.
    public func page(_ options: Void, in context: StepContext) -> StepPage {
        let name = Bidi.isolated(context.appName)
        let title = LocalizedText([
            LocalizedText.Entry(tag: "en", text: "Welcome to \(name)"),
            LocalizedText.Entry(tag: "de", text: "Willkommen bei \(name)"),
            LocalizedText.Entry(tag: "ar", text: "مرحبًا بك في \(name)"),
            LocalizedText.Entry(tag: "ja", text: "\(name)へようこそ"),
        ])
        return context.page(title: title)
    }
}
