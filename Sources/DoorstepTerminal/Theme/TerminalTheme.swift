/// How an app wishes its pages to look on a terminal.
///
/// Only wishes: where two colours together would be hard to read, one of them gives way.
public struct TerminalTheme: Sendable, Hashable {
    /// The colour of titles and of the app's name.
    public var primary: Colour?
    /// The colour of what can be acted on.
    public var accent: Colour?
    /// The colour of a card that holds the page; nil for no card.
    public var card: Colour?
    /// The colour behind everything; nil for the terminal's own.
    public var background: Colour?
    /// The app's icon by the freedesktop icon naming specification; a page's own goes before it.
    public var icon: String?

    /// A theme from its parts.
    public init(
        primary: Colour? = nil, accent: Colour? = nil, card: Colour? = nil, background: Colour? = nil,
        icon: String? = nil
    ) {
        self.primary = primary
        self.accent = accent
        self.card = card
        self.background = background
        self.icon = icon
    }
}

/// How one cell is drawn.
struct CellStyle: Sendable, Hashable {
    var front: Colour?
    var back: Colour?
    var isBold = false
    var isUnderlined = false
    var isReversed = false

    static let plain = CellStyle()
}

/// A theme worked out for one terminal: every pair of colours in it has the contrast that WCAG 2.2 asks of text at
/// level AA, 4.5, as the terminal draws it.
///
/// Where the terminal's own background is behind, nothing can be computed. There the terminal's own text colour is
/// used, and colour only where its background is set along with it.
struct ThemeStyles: Sendable, Hashable {
    static let minimumContrast = 4.5

    let depth: ColourDepth
    /// Behind everything.
    let page: CellStyle
    /// Text on the card, or on the page where there is none.
    let text: CellStyle
    /// Text that stands behind other text.
    let muted: CellStyle
    let title: CellStyle
    /// The app's name.
    let badge: CellStyle
    /// What has the focus.
    let focus: CellStyle
    /// Marks of what has the focus or is chosen.
    let mark: CellStyle
    /// The field that text is typed into.
    let input: CellStyle
    let error: CellStyle

    init(_ theme: TerminalTheme, depth: ColourDepth) {
        self.depth = depth
        guard depth != .none else {
            (page, text, muted, input) = (.plain, .plain, .plain, CellStyle(isUnderlined: true))
            (title, mark, error) = (CellStyle(isBold: true), CellStyle(isBold: true), CellStyle(isBold: true))
            (badge, focus) = (CellStyle(isReversed: true), CellStyle(isBold: true, isReversed: true))
            return
        }
        func drawn(_ colour: Colour) -> Colour { depth.nearest(to: colour) }
        func filled(_ colour: Colour) -> CellStyle {
            CellStyle(front: drawn(colour).readable, back: drawn(colour), isBold: true)
        }
        func onSurface(_ colour: Colour, _ surface: Colour?) -> CellStyle {
            guard let surface else { return CellStyle(isBold: true) }
            return CellStyle(front: Self.readable(colour, on: surface, depth: depth), back: surface, isBold: true)
        }
        let primary = theme.primary ?? Colour(0x3B, 0x5B, 0xDB)
        let accent = theme.accent ?? theme.primary ?? Colour(0x0B, 0x72, 0x85)
        let behind = theme.background.map(drawn)
        let surface = theme.card.map(drawn) ?? behind
        page = CellStyle(front: behind?.readable, back: behind)
        text = CellStyle(front: surface?.readable, back: surface)
        muted =
            surface.map { surface in
                let faint = surface.readable.mixed(with: surface, share: 0.35)
                return CellStyle(front: Self.readable(faint, on: surface, depth: depth), back: surface)
            } ?? text
        title = onSurface(primary, surface)
        mark = onSurface(accent, surface)
        error = onSurface(Colour(0xC9, 0x2A, 0x2A), surface)
        badge = filled(primary)
        focus = filled(accent)
        input = CellStyle(front: surface?.readable, back: surface, isUnderlined: true)
    }

    /// The colour as it is drawn, moved towards black or white as far as it takes to be read on a surface.
    static func readable(_ colour: Colour, on surface: Colour, depth: ColourDepth) -> Colour {
        for step in 0...20 {
            let candidate = depth.nearest(to: colour.mixed(with: surface.readable, share: Double(step) / 20))
            if candidate.contrast(to: surface) >= minimumContrast { return candidate }
        }
        return surface.readable
    }

    /// Every style that text is drawn in.
    var all: [CellStyle] { [page, text, muted, title, badge, focus, mark, input, error] }
}
