internal import CTerminal

/// How many cells of a terminal a text takes.
///
/// Terminals differ in emoji and in scripts whose marks take space of their own. Where they do, this is the larger of the
/// usual answers, so that a line that fits by this measure fits.
public enum CellWidth {
    /// The cells of a text, the sum of its characters'. Line ends and other control characters take none.
    public static func of(_ text: String) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    /// The cells of one character (grapheme cluster).
    ///
    /// Combining and invisible characters take none, East Asian wide ones two. An emoji takes two, however many scalars it
    /// is made of: flags, skin tones, sequences joined with ZERO WIDTH JOINER, and what VARIATION SELECTOR-16 turns into one.
    public static func of(_ character: Character) -> Int {
        if let ascii = character.asciiValue { return ascii >= 0x20 && ascii < 0x7F ? 1 : 0 }
        let scalars = character.unicodeScalars
        if scalars.count > 1, isEmoji(scalars) { return 2 }
        return scalars.reduce(0) { $0 + of($1) }
    }

    /// The cells of one scalar by itself.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        let width = cterminal_width(scalar.value)
        if width >= 0 { return Int(width) }
        // Not in the C library's tables: a control character, or one that is newer than they are.
        switch scalar.properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: return 0
        default: return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }

    private static func isEmoji(_ scalars: Character.UnicodeScalarView) -> Bool {
        guard let first = scalars.first else { return false }
        if (0x1F1E6...0x1F1FF).contains(first.value) { return true }
        guard first.properties.isEmoji else { return false }
        // "1" is an emoji to Unicode, so a digit with an accent must not become one: a selector, joiner or skin tone decides.
        return scalars.dropFirst().contains {
            $0.value == 0xFE0F || $0.value == 0x200D || $0.value == 0x20E3 || $0.properties.isEmojiModifier
        }
    }
}
