import Testing

@testable import DoorstepTerminal

@Suite("What is typed is found")
struct FoldingTests {
    @Test("whatever its case, its accents and its strokes")
    func folding() {
        let cases = [
            ("É", "e"), ("e\u{301}", "e"), ("ø", "o"), ("Łódź", "lodz"), ("Ế", "e"), (" Çà \u{200E}", "ca"),
            ("Ñandú", "nandu"),
            ("Άλφα", "αλφα"), ("Ѐж", "еж"), ("أحمد", "احمد"), ("日本", "日本"), ("ガ", "ガ"), ("Straße", "straße"), ("", ""),
            ("👍🏽", "👍🏽"), ("١", "١"),
        ]
        for (text, wanted) in cases { #expect(text.foldedForMatching == wanted, "\(text)") }
    }
}
