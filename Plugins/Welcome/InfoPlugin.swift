public import DoorstepPluginKit

/// A page to read: news, terms, tips. Reading on acknowledges it; a raised revision shows it again.
public struct InfoPlugin: StepPlugin {
    /// `info`.
    public let kind = "info"
    /// What `doorstep plugins` says of it.
    public let summary = "Shows something to read and acknowledge"

    /// The plugin.
    public init() {}

    /// The step's texts.
    public func page(_ options: Void, in context: StepContext) -> StepPage {
        let title = LocalizedText([
            LocalizedText.Entry(tag: "en", text: "Good to know"),
            LocalizedText.Entry(tag: "de", text: "Gut zu wissen"),
            LocalizedText.Entry(tag: "ar", text: "من المفيد أن تعرف"),
            LocalizedText.Entry(tag: "ja", text: "お知らせ"),
        ])
        return context.page(title: title, icon: "dialog-information-symbolic")
    }
}
