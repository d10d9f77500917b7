public import Doorstep

/// What a manifest says on a step's page, in every language it brings.
public struct StepTexts: Sendable, Hashable {
    /// What the page is about, in a few words.
    public var title: LocalizedText?
    /// A sentence under the title.
    public var headline: LocalizedText?
    /// Paragraphs of text.
    public var body: [LocalizedText]
    /// The name of an icon by the freedesktop icon naming specification.
    public var icon: String?
    /// The title of the page's own action.
    public var action: LocalizedText?

    /// Texts from their parts.
    public init(
        title: LocalizedText? = nil, headline: LocalizedText? = nil, body: [LocalizedText] = [], icon: String? = nil,
        action: LocalizedText? = nil
    ) {
        self.title = title
        self.headline = headline
        self.body = body
        self.icon = icon
        self.action = action
    }
}
