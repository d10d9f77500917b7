import DoorstepTestSupport
import DoorstepTerminal
import Testing

@Suite("Wrapped lines")
struct LineWrapperTests {
    @Test("break between words and drop the white space there")
    func words() {
        #expect(LineWrapper(columns: 12).lines(of: "one two   three four") == ["one two", "three four"])
        #expect(LineWrapper(columns: 12).lines(of: "exactly 12ch more") == ["exactly 12ch", "more"])
        #expect(LineWrapper(columns: 12).lines(of: "trailing    ") == ["trailing"])
        #expect(LineWrapper(columns: 12).lines(of: "") == [""])
    }

    @Test("keep the text's own line ends")
    func lineEnds() {
        #expect(LineWrapper(columns: 12).lines(of: "one\n\ntwo\n") == ["one", "", "two", ""])
    }

    @Test("break a word that is longer than a line")
    func longWord() {
        #expect(LineWrapper(columns: 10).lines(of: "see abcdefghijklmno now") == ["see", "abcdefghij", "klmno now"])
    }

    @Test("never break at a no-break space, and always may at a zero width space")
    func spaces() {
        #expect(LineWrapper(columns: 10).lines(of: "about 10\u{A0}km far") == ["about", "10\u{A0}km far"])
        #expect(LineWrapper(columns: 10).lines(of: "abcdef\u{200B}ghijkl") == ["abcdef", "ghijkl"])
    }

    @Test("break between Japanese characters, but not before closing or after opening marks")
    func kinsoku() {
        #expect(LineWrapper(columns: 10).lines(of: "空を見守るので") == ["空を見守る", "ので"])
        #expect(LineWrapper(columns: 10).lines(of: "空を見守る。") == ["空を見守", "る。"])
        #expect(LineWrapper(columns: 10).lines(of: "空を見守「る」") == ["空を見守", "「る」"])
        #expect(LineWrapper(columns: 10).lines(of: "空を見守り、、、") == ["空を見守", "り、、、"])
        #expect(LineWrapper(columns: 10).lines(of: "。。。。。。") == ["。。。。。", "。"])
    }

    @Test("are indented as a list item wants it")
    func hanging() {
        #expect(
            LineWrapper(columns: 12).lines(of: "one two three\nfour", first: "1) ", rest: "   ")
                == ["1) one two", "   three", "   four"])
    }

    @Test("give an indent up that leaves no room")
    func wideIndent() {
        #expect(LineWrapper(columns: 10).lines(of: "字字", first: "1234567890 ", rest: "") == ["字字"])
    }

    @Test("have at least 10 columns")
    func minimum() {
        #expect(LineWrapper(columns: -3).columns == 10)
    }

    @Test("are never too wide and lose nothing but white space at breaks", arguments: [10, 11, 20, 40])
    func property(columns: Int) {
        var random = SeededGenerator(seed: UInt64(columns))
        let pool = [
            "a", "Zu", "straße", "Donaudampfschifffahrtsgesellschaft", " ", "  ", "\u{A0}", "\u{200B}", "\n", "日", "本語",
            "。",
            "「", "」", "مرحبًا",
            "👨‍👩‍👧‍👦", "🇩🇪", "e\u{301}", "\u{301}", "\u{FE0F}", "\u{200D}", "한국", "क्षि", "กำ", "\u{2068}",
            "\u{2069}",
            "क" + String(repeating: "\u{903}", count: 15), "(", ")", ".", "-",
        ]
        let wrapper = LineWrapper(columns: columns)
        for _ in 0..<1500 {
            let text = (0..<Int.random(in: 0...25, using: &random)).map { _ in pool.randomElement(using: &random)! }
                .joined()
            let lines = wrapper.lines(of: text)
            for line in lines {
                #expect(CellWidth.of(line) <= columns, "\(text.debugDescription)")
                #expect(!line.contains("\n"))
            }
            #expect(isWrapping(lines, of: text), "\(text.debugDescription) → \(lines)")
        }
    }

    /// Whether the lines, in order, are the text with nothing between them but white space.
    private func isWrapping(_ lines: [String], of text: String) -> Bool {
        var rest = text.unicodeScalars[...]
        for line in lines {
            while !rest.starts(with: line.unicodeScalars) {
                guard let first = rest.first, isSpace(first) else { return false }
                rest = rest.dropFirst()
            }
            rest = rest.dropFirst(line.unicodeScalars.count)
        }
        return rest.allSatisfy(isSpace)
    }

    private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace && scalar != "\u{A0}" || scalar == "\u{200B}"
    }
}
