internal import DoorstepRegistry
internal import DoorstepTerminal

extension TerminalTheme {
    /// A manifest's theme; its colours were checked when it was read.
    init(_ theme: ManifestTheme) {
        self.init(
            primary: theme.primary.flatMap { Colour(hex: $0) }, accent: theme.accent.flatMap { Colour(hex: $0) },
            card: theme.card.flatMap { Colour(hex: $0) }, background: theme.background.flatMap { Colour(hex: $0) },
            icon: theme.icon)
    }
}
