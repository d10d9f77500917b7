/// How presenters dress an app's pages. Each part is optional.
public struct ManifestTheme: Sendable, Hashable {
    /// The main colour, as `#RRGGBB`.
    public var primary: String?
    /// The colour of what can be acted on, as `#RRGGBB`.
    public var accent: String?
    /// The colour of the card that holds the page, as `#RRGGBB`.
    public var card: String?
    /// The colour behind everything, as `#RRGGBB`.
    public var background: String?
    /// The family of the font, where the system has it.
    public var font: String?
    /// The name of the app's icon by the freedesktop icon naming specification.
    public var icon: String?
}
