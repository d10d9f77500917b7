import Testing

@testable import DoorstepTerminal

@Suite("The order of drawing")
struct VisualOrderTests {
    private func order(_ text: String, isRightToLeft: Bool = false) -> String {
        String(VisualOrder.of(text, isRightToLeft: isRightToLeft).map(\.character))
    }

    @Test("follows UAX #9 for what pages hold")
    func examples() {
        #expect(order("plain text, 1-2") == "plain text, 1-2")
        #expect(order("abc אבג def") == "abc גבא def")
        #expect(order("אבג", isRightToLeft: true) == "גבא")
        #expect(order("אב abc גד", isRightToLeft: true) == "דג abc בא")
        #expect(order("אב 123 גד", isRightToLeft: true) == "דג 123 בא")
        #expect(order("מ-18 עד 100.", isRightToLeft: true) == ".100 דע 18-מ")
        #expect(order("(אב)", isRightToLeft: true) == "(בא)")
        #expect(order("1.5 א", isRightToLeft: true) == "א 1.5")
        #expect(order("name: \u{2068}אבג\u{2069}, 5") == "name: גבא, 5")
        #expect(order("א \u{2068}ab cd\u{2069} ב", isRightToLeft: true) == "ב ab cd א")
    }

    @Test("keeps every character, whatever the text")
    func permutation() {
        let letters: [Character] = ["a", "א", "ب", "1", "٢", " ", "(", ")", "-", ".", "\u{2068}", "\u{2069}", "日", "%"]
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 0...14)).map { _ in letters.randomElement() ?? "a" }
            for isRightToLeft in [false, true] {
                let placed = VisualOrder.of(text, isRightToLeft: isRightToLeft)
                let kept = text.indices.filter { !"\u{2068}\u{2069}".contains(text[$0]) }
                #expect(placed.map(\.index).sorted().filter { !"\u{2068}\u{2069}".contains(text[$0]) } == kept)
            }
        }
    }
}
