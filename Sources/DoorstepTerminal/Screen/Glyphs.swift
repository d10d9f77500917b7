/// The signs that pages are drawn with.
enum Glyphs: Sendable, Hashable {
    /// Signs of one cell outside ASCII.
    case unicode
    /// ASCII alone, for locales that aren't UTF-8 and for the Linux console, whose fonts have few signs.
    case ascii

    private func pick(_ unicode: Character, _ ascii: Character) -> Character { self == .unicode ? unicode : ascii }

    var focus: Character { pick("›", ">") }
    var chosen: Character { pick("●", "*") }
    var unchosen: Character { pick("○", "o") }
    var track: Character { pick("─", "-") }
    var filledTrack: Character { pick("━", "=") }
    var knob: Character { pick("●", "O") }
    var less: Character { pick("◂", "<") }
    var more: Character { pick("▸", ">") }
    var above: Character { pick("↑", "^") }
    var below: Character { pick("↓", "v") }
    var cut: Character { pick("…", "~") }
    var dot: Character { pick("·", "|") }
    var corners: (Character, Character, Character, Character) {
        self == .unicode ? ("╭", "╮", "╰", "╯") : ("+", "+", "+", "+")
    }
    var horizontal: Character { pick("─", "-") }
    var vertical: Character { pick("│", "|") }

    /// A character of a text as it is drawn: where there is only ASCII, punctuation that has an equal of one cell in it.
    func drawn(_ character: Character) -> Character {
        guard self == .ascii, !character.isASCII else { return character }
        return Self.plain[character] ?? character
    }

    private static let plain: [Character: Character] = [
        "·": "|", "…": "~", "–": "-", "—": "-", "×": "x", "’": "'", "‘": "'", "“": "\"", "”": "\"", "„": "\"",
    ]

    /// A sign for an icon by the freedesktop icon naming specification, or nil where none stands for it.
    func sign(ofIcon name: String) -> Character? {
        guard self == .unicode else { return nil }
        return Self.signs.first { name.contains($0.0) }?.1
    }

    /// All of one cell in every terminal, and none that is drawn as an emoji by itself.
    private static let signs: [(String, Character)] = [
        ("smile", "☺"), ("clear-night", "☾"), ("weather", "☀"), ("location", "⌖"), ("find", "⌖"),
        ("notification", "♪"), ("camera", "◉"), ("microphone", "♪"), ("audio", "♪"), ("accessibility", "◎"),
        ("screen", "▣"), ("display", "▣"), ("starred", "★"), ("favorite", "★"), ("help", "?"), ("information", "i"),
        ("security", "◆"), ("locked", "◆"), ("mail", "✉"), ("user", "☺"), ("avatar", "☺"), ("document", "¶"),
        ("text", "¶"), ("preferences", "✦"), ("emblem", "✦"),
    ]
}
