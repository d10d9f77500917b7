internal import CTerminal

/// How many cells of a terminal a text takes.
///
/// Terminals differ in emoji and in scripts whose marks take space of their own. Where they do, this is the larger of
/// the usual answers, so that a line that fits by this measure fits.
public enum CellWidth {
    /// The cells of a text, the sum of its characters'. Line ends and other control characters take none.
    public static func of(_ text: String) -> Int {
        text.reduce(0) { $0 + of($1) }
    }

    /// The cells of one character (grapheme cluster).
    ///
    /// Combining and invisible characters take none, East Asian wide ones two. An emoji takes two, however many scalars
    /// it is made of: flags, skin tones, sequences joined with ZERO WIDTH JOINER, and what VARIATION SELECTOR-16 turns
    /// into one.
    public static func of(_ character: Character) -> Int {
        if let ascii = character.asciiValue { return ascii >= 0x20 && ascii < 0x7F ? 1 : 0 }
        let scalars = character.unicodeScalars
        if scalars.count > 1, isEmoji(scalars) { return 2 }
        return scalars.reduce(0) { $0 + of($1) }
    }

    /// The cells of one scalar by itself.
    static func of(_ scalar: Unicode.Scalar) -> Int {
        let width = cterminal_width(scalar.value)
        return width >= 0 ? Int(width) : unlistedWidth(of: scalar)
    }

    /// The cells of a scalar that the C library doesn't know: a control character, or one newer than its tables.
    static func unlistedWidth(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .control, .format, .nonspacingMark, .enclosingMark, .lineSeparator, .paragraphSeparator: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default:
            return scalar.properties.isEmojiPresentation ? 2 : 1
        }
    }

    private static func isEmoji(_ scalars: Character.UnicodeScalarView) -> Bool {
        guard let first = scalars.first else { return false }
        if (0x1F1E6...0x1F1FF).contains(first.value) { return true }
        guard first.properties.isEmoji else { return false }
        // "1" is an emoji to Unicode, so a digit with an accent must not become one: a selector, joiner or skin tone
        // decides.
        return scalars.dropFirst().contains {
            $0.value == 0xFE0F || $0.value == 0x200D || $0.value == 0x20E3 || $0.properties.isEmojiModifier
        }
    }
}
