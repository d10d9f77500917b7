import DoorstepTestSupport
import DoorstepTerminal
import Testing

@Suite("Text for a terminal")
struct PrintableTextTests {
    @Test(
        "has no escape sequence and no control character",
        arguments: [
            ("plain", "plain"), ("\u{1B}[1;31mred\u{1B}[0m", "red"), ("\u{9B}31mred", "red"),
            ("\u{1B}]0;title\u{7}text", "text"), ("\u{1B}]8;;http://x\u{1B}\\link\u{1B}]8;;\u{1B}\\", "link"),
            ("\u{9D}0;title\u{9C}text", "text"), ("\u{1B}Pq#0\u{1B}\\x", "x"), ("\u{1B}(Bx", "x"), ("\u{1B}cx", "x"),
            ("\u{1B}", ""), ("\u{1B}[", ""), ("\u{1B}[12", "12"), ("\u{1B}]never ends", "never ends"), ("\u{1B}é", "é"),
            ("a\u{0}b\u{8}c\u{7F}d\u{85}e", "abcd\ne"), ("a\tb", "a b"), ("a\r\nb\rc\u{2028}d", "a\nb\nc\nd"),
            ("\u{202E}evil\u{202C}", "evil"), ("\u{2068}a\u{2069}\u{200F}", "\u{2068}a\u{2069}\u{200F}"),
            ("\u{1B}\u{1B}[31mx", "x"), ("\u{1B}[3\u{1B}[1mx", "3x"), ("\r", "\n"), ("\u{1B}(", ""),
        ])
    func cleaned(text: String, expected: String) {
        #expect(PrintableText.cleaned(text) == expected)
    }

    @Test("has no control character whatever scalars it is made of")
    func random() {
        var random = SeededGenerator(seed: 7)
        let pool: [Unicode.Scalar] = [
            "\u{1B}", "[", "]", "P", "\\", "\u{7}", "\u{9B}", "\u{9C}", "\u{9D}", "m", "1", ";", "(", "\r", "\n", "é",
            "字", "\u{202E}",
        ]
        for _ in 0..<2000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...12, using: &random) { text.append(pool.randomElement(using: &random)!) }
            let cleaned = PrintableText.cleaned(String(text))
            #expect(
                cleaned.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control },
                "\(String(text).debugDescription)")
            #expect(PrintableText.cleaned(cleaned) == cleaned)
        }
    }
}
