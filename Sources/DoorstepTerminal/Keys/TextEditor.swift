/// One line of text that is being typed.
struct TextEditor: Sendable, Hashable {
    private(set) var characters: [Character]
    /// Where the next character goes: 0 before the first.
    private(set) var cursor: Int

    init(_ text: String = "") {
        characters = Array(PrintableText.singleLine(text))
        cursor = characters.count
    }

    var text: String { String(characters) }

    /// Puts text in at the cursor; line ends and tabs in it become spaces, other control characters go.
    mutating func insert(_ text: String) {
        let added = Array(PrintableText.singleLine(text))
        // A combining mark joins the character before it: where the two meet, what is one character may have changed.
        let isJoined = cursor > 0 && added.first.map { String(characters[cursor - 1]) + String($0) }?.count == 1
        if isJoined, let first = added.first {
            characters[cursor - 1] = Character(String(characters[cursor - 1]) + String(first))
            characters.insert(contentsOf: added.dropFirst(), at: cursor)
            cursor += added.count - 1
        } else {
            characters.insert(contentsOf: added, at: cursor)
            cursor += added.count
        }
    }

    /// Does what a key means here; false for one that means nothing.
    ///
    /// - Parameter isRightToLeft: Whether the left arrow goes on in the text, as in right-to-left text.
    mutating func take(_ key: Key, isRightToLeft: Bool) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .paste(let text): insert(text)
        case .left: move(isRightToLeft ? 1 : -1)
        case .right: move(isRightToLeft ? -1 : 1)
        case .wordLeft: cursor = isRightToLeft ? wordEnd : wordStart
        case .wordRight: cursor = isRightToLeft ? wordStart : wordEnd
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .control("b"): move(-1)
        case .control("f"): move(1)
        case .backspace: if cursor > 0 { remove(cursor - 1..<cursor) }
        case .delete, .control("d"): if cursor < characters.count { remove(cursor..<cursor + 1) }
        case .deleteWord, .control("w"): remove(wordStart..<cursor)
        case .control("u"): remove(0..<cursor)
        case .control("k"): remove(cursor..<characters.count)
        default: return false
        }
        return true
    }

    private mutating func move(_ count: Int) {
        cursor = min(max(cursor + count, 0), characters.count)
    }

    private mutating func remove(_ range: Range<Int>) {
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }

    private var wordStart: Int {
        var index = cursor
        while index > 0, !isWord(index - 1) { index -= 1 }
        while index > 0, isWord(index - 1) { index -= 1 }
        return index
    }

    private var wordEnd: Int {
        var index = cursor
        while index < characters.count, !isWord(index) { index += 1 }
        while index < characters.count, isWord(index) { index += 1 }
        return index
    }

    private func isWord(_ index: Int) -> Bool {
        characters[index].isLetter || characters[index].isNumber
    }
}
