/// Turns bytes from a terminal into keys; a sequence may come in pieces.
///
/// Understands UTF-8, CSI and SS3 sequences of xterm and its relatives, the Linux console's, a mouse in SGR encoding,
/// and bracketed paste. What isn't understood is dropped whole, so that nothing of it is taken for text.
struct KeyDecoder {
    private var pending: [UInt8] = []
    private var paste: [UInt8]?
    /// How much of the terminal's own text that has begun was looked through for its end.
    private var searched = 0
    private static let pasteEnd: [UInt8] = Array("\u{1B}[201~".utf8)

    /// Whether an ESC or the beginning of a sequence waits for more: with nothing more to come it is the Escape key.
    var isWaiting: Bool { !pending.isEmpty && paste == nil }

    /// The keys that more bytes complete.
    mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
        pending.append(contentsOf: bytes)
        return drain(isFinal: false)
    }

    /// The keys that the pending bytes are, where no more have come for a while.
    mutating func flush() -> [Key] {
        paste == nil ? drain(isFinal: true) : []
    }

    private mutating func drain(isFinal: Bool) -> [Key] {
        var keys: [Key] = []
        var index = 0
        var text: [UInt8] = []
        func flushText(_ keys: inout [Key], _ text: inout [UInt8]) {
            for character in String(decoding: text, as: UTF8.self) { keys.append(.character(character)) }
            text.removeAll()
        }
        scan: while index < pending.count {
            if paste != nil {
                guard let (end, next) = endOfPaste(from: index) else {
                    // The last bytes may be the beginning of the end.
                    let kept = min(Self.pasteEnd.count - 1, pending.count - index)
                    paste?.append(contentsOf: pending[index..<pending.count - kept])
                    index = pending.count - kept
                    break scan
                }
                let pasted = (paste ?? []) + pending[index..<end]
                keys.append(.paste(String(decoding: pasted, as: UTF8.self)))
                paste = nil
                index = next
                continue
            }
            let byte = pending[index]
            if byte == 0x1B {
                flushText(&keys, &text)
                switch sequence(at: index, isFinal: isFinal) {
                case .incomplete: break scan
                case .dropped(let length): index += length
                case .key(let key, let length):
                    keys.append(key)
                    index += length
                case .pasteBegin(let length):
                    paste = []
                    index += length
                }
                continue
            }
            if byte < 0x20 || byte == 0x7F {
                flushText(&keys, &text)
                if let key = Self.control(byte) { keys.append(key) }
                index += 1
                continue
            }
            // The bytes that go on with a scalar, and no others: a broken one must not swallow what comes after it.
            let wanted = min(pending.count, index + Self.length(ofScalarAt: byte))
            var end = index + 1
            while end < wanted, (0x80...0xBF).contains(pending[end]) { end += 1 }
            if end == pending.count, end < index + Self.length(ofScalarAt: byte), !isFinal { break }
            text.append(contentsOf: pending[index..<end])
            index = end
        }
        flushText(&keys, &text)
        pending.removeFirst(index)
        return keys
    }

    private enum Found {
        case incomplete
        case dropped(Int)
        case key(Key, Int)
        case pasteBegin(Int)
    }

    private func endOfPaste(from start: Int) -> (end: Int, next: Int)? {
        var index = start
        let last = pending.count - Self.pasteEnd.count
        while index <= last {
            if pending[index] == 0x1B, pending[index..<index + Self.pasteEnd.count].elementsEqual(Self.pasteEnd) {
                return (index, index + Self.pasteEnd.count)
            }
            index += 1
        }
        return nil
    }

    private mutating func sequence(at start: Int, isFinal: Bool) -> Found {
        guard start + 1 < pending.count else { return isFinal ? .key(.escape, 1) : .incomplete }
        switch pending[start + 1] {
        case 0x1B: return .key(.escape, 1)
        case UInt8(ascii: "O"):
            guard start + 2 < pending.count else { return isFinal ? .dropped(2) : .incomplete }
            return Self.ss3[pending[start + 2]].map { .key($0, 3) } ?? .dropped(3)
        case UInt8(ascii: "["):
            // The Linux console's function keys: ESC [ [ A.
            if start + 2 < pending.count, pending[start + 2] == UInt8(ascii: "[") {
                guard start + 3 < pending.count else { return isFinal ? .dropped(3) : .incomplete }
                let number = Int(pending[start + 3]) - 0x40
                return (1...5).contains(number) ? .key(.function(number), 4) : .dropped(4)
            }
            var end = start + 2
            while end < pending.count, (0x20...0x3F).contains(pending[end]), end - start < 64 { end += 1 }
            guard end < pending.count else { return isFinal ? .dropped(pending.count - start) : .incomplete }
            // Not a sequence's end: whatever comes there is read anew.
            guard (0x40...0x7E).contains(pending[end]) else { return .dropped(end - start) }
            return Self.csi(Array(pending[start + 2..<end]), pending[end], length: end + 1 - start)
        case UInt8(ascii: "b"): return .key(.wordLeft, 2)
        case UInt8(ascii: "f"): return .key(.wordRight, 2)
        case 0x7F, 0x08: return .key(.deleteWord, 2)
        case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "^"):
            return answer(at: start, isFinal: isFinal)
        default: return .key(.escape, 1)
        }
    }

    /// An answer of the terminal to something: up to BEL or ESC \. However many pieces it comes in, each is looked through
    /// once.
    private mutating func answer(at start: Int, isFinal: Bool) -> Found {
        let first = start + max(2, searched)
        searched = 0
        for end in first..<pending.count {
            if pending[end] == 0x07 { return .dropped(end + 1 - start) }
            if pending[end] == 0x1B, end + 1 < pending.count, pending[end + 1] == UInt8(ascii: "\\") {
                return .dropped(end + 2 - start)
            }
        }
        if isFinal { return .dropped(2) }
        // The last byte may be the beginning of the end.
        searched = max(2, pending.count - start - 1)
        return .incomplete
    }

    private static func csi(_ parameters: [UInt8], _ final: UInt8, length: Int) -> Found {
        if parameters.first == UInt8(ascii: "<") { return mouse(parameters.dropFirst(), final, length: length) }
        let numbers = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map {
            Int(String(decoding: $0, as: UTF8.self)) ?? 0
        }
        let isModified = numbers.count > 1 && numbers[1] > 1
        let key: Key?
        switch final {
        case UInt8(ascii: "A"): key = .up
        case UInt8(ascii: "B"): key = .down
        case UInt8(ascii: "C"): key = isModified ? .wordRight : .right
        case UInt8(ascii: "D"): key = isModified ? .wordLeft : .left
        case UInt8(ascii: "H"): key = .home
        case UInt8(ascii: "F"): key = .end
        case UInt8(ascii: "Z"): key = .backTab
        case UInt8(ascii: "P"): key = .function(1)
        case UInt8(ascii: "~"):
            switch numbers.first ?? 0 {
            case 1, 7: key = .home
            case 3: key = isModified ? .deleteWord : .delete
            case 4, 8: key = .end
            case 5: key = .pageUp
            case 6: key = .pageDown
            case 11: key = .function(1)
            case 200: return .pasteBegin(length)
            default: key = nil
            }
        default: key = nil
        }
        return key.map { .key($0, length) } ?? .dropped(length)
    }

    private static func mouse(_ parameters: ArraySlice<UInt8>, _ final: UInt8, length: Int) -> Found {
        let numbers = parameters.split(separator: UInt8(ascii: ";")).compactMap {
            Int(String(decoding: $0, as: UTF8.self))
        }
        // No screen is so large; a number that is none of a cell's isn't counted with.
        let isCell = numbers.dropFirst().allSatisfy { (1...Int(UInt16.max)).contains($0) }
        guard numbers.count == 3, isCell, final == UInt8(ascii: "M") else { return .dropped(length) }
        switch numbers[0] {
        case 0: return .key(.click(column: numbers[1] - 1, row: numbers[2] - 1), length)
        case 64: return .key(.wheel(-3), length)
        case 65: return .key(.wheel(3), length)
        default: return .dropped(length)
        }
    }

    private static let ss3: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "P"): .function(1),
        UInt8(ascii: "M"): .enter,
    ]

    private static func control(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x0D, 0x0A: .enter
        case 0x09: .tab
        case 0x7F, 0x08: .backspace
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x1C: .control("\\")
        default: nil
        }
    }

    private static func length(ofScalarAt byte: UInt8) -> Int {
        switch byte {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }
}
