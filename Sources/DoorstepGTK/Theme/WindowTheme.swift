#if GTK
/// How an app wishes its pages to look in a window. Each part is optional.
///
/// Only wishes: where two colours together would be hard to read, one gives way, and all give way to high contrast. An
/// app that names a background has one look; without one, pages follow the desktop from light to dark.
public struct WindowTheme: Sendable, Hashable {
    /// The colour of titles and of the welcome's ground.
    public var primary: Colour?
    /// The colour of what can be acted on.
    public var accent: Colour?
    /// The colour of a card that holds the page; nil for no card.
    public var card: Colour?
    /// The colour behind everything; nil for the desktop's own.
    public var background: Colour?
    /// The family of the pages' font, where the system has it.
    public var font: String?
    /// The app's icon by the freedesktop icon naming specification; a page's own goes before it.
    public var icon: String?

    /// A theme from its parts.
    public init(
        primary: Colour? = nil, accent: Colour? = nil, card: Colour? = nil, background: Colour? = nil,
        font: String? = nil, icon: String? = nil
    ) {
        self.primary = primary
        self.accent = accent
        self.card = card
        self.background = background
        self.font = font
        self.icon = icon
    }
}
#endif
