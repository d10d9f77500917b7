@testable import DoorstepTerminal
import Testing

@Suite("The cells of a text")
struct CellWidthTests {
    @Test(
        "are counted by what is seen, not by scalars",
        arguments: [
            ("", 0), ("Aurora", 6), ("e\u{301}", 1), ("été", 3), ("日本語", 6), ("ｶﾅ", 2), ("カナ", 4), ("한국어", 6),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("「」。", 6), ("مرحبًا", 5), ("שלום", 4), ("🎉", 2), ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2),
            ("🇩🇪", 2), ("🇩🇪🇯🇵", 4), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2), ("1\u{301}", 1), ("a\u{200D}b", 2),
            ("\u{2068}Aurora\u{2069}", 6), ("\u{200B}\u{200E}\u{FEFF}", 0), ("\u{7}\u{1B}\u{9B}\t\r\n", 0), ("·–…", 3),
            ("ไทย", 3), ("\u{FFFD}", 1), ("é́́́́", 1),
        ])
    func widths(text: String, cells: Int) {
        #expect(CellWidth.of(text) == cells)
    }

    @Test("add up over any text")
    func sum() {
        let text = "Aurora 日本 🇩🇪 👩‍🚀 é"
        #expect(CellWidth.of(text) == text.map { CellWidth.of($0) }.reduce(0, +))
    }

    @Test("are the same by the C library and by the rule for what it doesn't know")
    func unlisted() {
        for scalar in "a é م 字 語 カ 。 「 한 １ 🎉 🚀 \u{301} \u{5B0} \u{2068} \u{20000} ｶ ～".unicodeScalars {
            #expect(CellWidth.unlistedWidth(of: scalar) == CellWidth.of(scalar), "U+\(String(scalar.value, radix: 16))")
        }
    }
}
