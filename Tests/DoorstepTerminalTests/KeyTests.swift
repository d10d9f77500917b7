import Testing

@testable import DoorstepTerminal

@Suite("Keys")
struct KeyTests {
    private func keys(_ text: String, inPiecesOf length: Int = .max) -> [Key] {
        var decoder = KeyDecoder()
        var keys: [Key] = []
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            keys += decoder.keys(bytes.prefix(length))
            bytes = bytes.dropFirst(length)
        }
        return keys + decoder.flush()
    }

    @Test("sequences of xterm, rxvt and the Linux console are understood, whole or in pieces", arguments: [1, 2, .max])
    func sequences(length: Int) {
        let cases: [(String, [Key])] = [
            ("aé日👨‍👩‍👧", [.character("a"), .character("é"), .character("日"), .character("👨‍👩‍👧")]),
            ("\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}b", [.up, .down, .wordRight, .wordLeft]),
            ("\u{1B}[H\u{1B}[4~\u{1B}[5~\u{1B}[6~\u{1B}[3~", [.home, .end, .pageUp, .pageDown, .delete]),
            ("\r\n\t\u{1B}[Z\u{7F}\u{8}", [.enter, .enter, .tab, .backTab, .backspace, .backspace]),
            ("\u{1B}OP\u{1B}[11~\u{1B}[[A", [.function(1), .function(1), .function(1)]),
            ("\u{1B}[200~a\u{1B}[A\r\u{1B}[201~b", [.paste("a\u{1B}[A\r"), .character("b")]),
            ("\u{1B}[<0;-9223372036854775808;1M\u{1B}[<0;1;0M", []),
            ("\u{1B}[<0;5;3M\u{1B}[<0;5;3m\u{1B}[<65;1;1M", [.click(column: 4, row: 2), .wheel(3)]),
            ("\u{3}\u{1A}", [.control("c"), .control("z")]),
            ("\u{1B}[?62;4c\u{1B}]11;rgb:0/0/0\u{7}x", [.character("x")]),
            ("\u{1B}]11;a\u{1B}\\x\u{1B}]b\u{7}\u{1B}_c\u{1B}\\\u{1B}Pdef\u{7}y", [.character("x"), .character("y")]),
            ("\u{1B}", [.escape]),
            ("\u{1B}\u{1B}[A", [.escape, .up]),
        ]
        for (text, wanted) in cases where length == .max || !text.unicodeScalars.contains("\u{200D}") {
            #expect(keys(text, inPiecesOf: length) == wanted, "\(text.debugDescription)")
        }
    }

    @Test("a character that is cut in two by a read is one character")
    func cut() {
        #expect(keys("日本", inPiecesOf: 1) == [.character("日"), .character("本")])
    }

    @Test("any bytes at all leave no sequence in the text")
    func noise() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var decoder = KeyDecoder()
            let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
            let found = decoder.keys(bytes) + decoder.flush()
            let isClean = found.allSatisfy { key in
                guard case .character(let character) = key else { return true }
                return character.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            }
            #expect(isClean, "\(bytes)")
        }
    }

    @Test("an answer of the terminal is dropped, in however many pieces it comes: each is looked through once")
    func longAnswer() {
        // Looked through anew with each piece, it would take longer than the tests may.
        let text = "\u{1B}]52;c;" + String(repeating: "x", count: 100_000) + "\u{7}y"
        #expect(keys(text, inPiecesOf: 1) == [.character("y")])
    }

    @Test("a paste of 100 kB comes whole, whatever the pieces")
    func largePaste() {
        let text = String(repeating: "日本語 abc ", count: 7000)
        #expect(keys("\u{1B}[200~\(text)\u{1B}[201~x", inPiecesOf: 4095) == [.paste(text), .character("x")])
    }
}

@Suite("Typing text")
struct TextEditorTests {
    private func edited(_ text: String, _ keys: [Key], isRightToLeft: Bool = false) -> (String, Int) {
        var editor = TextEditor(text)
        for key in keys { _ = editor.take(key, isRightToLeft: isRightToLeft) }
        return (editor.text, editor.cursor)
    }

    @Test("words are moved over and deleted")
    func words() {
        #expect(edited("one two  three", [.wordLeft, .wordLeft, .character("X")]) == ("one Xtwo  three", 5))
        #expect(edited("one two", [.control("w")]) == ("one ", 4))
        #expect(edited("one two", [.home, .wordRight, .character("s")]) == ("ones two", 4))
        #expect(edited("one two", [.wordLeft, .control("u")]) == ("two", 0))
        #expect(edited("one two", [.home, .right, .control("k")]) == ("o", 1))
    }

    @Test("a character is deleted whole, however many scalars it has")
    func graphemes() {
        #expect(edited("a👨‍👩‍👧e\u{301}", [.backspace]) == ("a👨‍👩‍👧", 2))
        #expect(edited("a👨‍👩‍👧", [.backspace]) == ("a", 1))
        #expect(edited("e", [.character("\u{301}")]) == ("e\u{301}", 1))
    }

    @Test("pasted lines become one, without control characters")
    func paste() {
        #expect(edited("", [.paste("a\r\nb\tc\u{1B}[31md\u{7}")]) == ("a b cd", 6))
    }

    @Test("in right-to-left text the left arrow goes on")
    func rightToLeft() {
        #expect(edited("אבג", [.home, .left], isRightToLeft: true) == ("אבג", 1))
    }
}
