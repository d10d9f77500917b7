internal import Doorstep

/// Which way a text runs, as far as a name inside a sentence must know it.
enum Direction {
    /// A text to put into one of `languages`: isolated if any of it runs the other way, as it is otherwise.
    ///
    /// Text stays in its logical order; putting it in visual order is the terminal's part.
    static func isolated(_ text: String, for languages: LanguagePreferences) -> String {
        let runsAgainst = text.unicodeScalars.contains { scalar in
            // Beside right-to-left text the minus of a number moves to its other side.
            languages.isRightToLeft ? isLeftToRightLetter(scalar) || scalar == "-" : isRightToLeft(scalar)
        }
        return runsAgainst ? Bidi.isolated(text) : text
    }

    private static func isLeftToRightLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic && !isRightToLeft(scalar)
    }

    /// The blocks of right-to-left scripts (Unicode's DerivedBidiClass, "default" ranges).
    static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
