/// Puts one line of text into the order in which it is drawn from left to right (Unicode UAX #9).
///
/// Explicit embeddings and overrides are left out: no printable text here has them. Isolates are kept. Terminals are
/// told that the order is done (BDSM), so that none that could do it does it again.
enum VisualOrder {
    /// A character in its place.
    struct Placed: Sendable, Hashable {
        /// What is drawn: a bracket in right-to-left text is the other one of its pair.
        var character: Character
        /// Where it stands in the text, counted in characters.
        var index: Int
    }

    /// The characters of a line from left to right, without marks that take no cell.
    static func of(_ text: some Collection<Character>, isRightToLeft: Bool) -> [Placed] {
        let placed = text.enumerated().map { Placed(character: $0.element, index: $0.offset) }
        // Most text needs no work.
        if !isRightToLeft, placed.allSatisfy({ Kind(of: $0.character) == .left || $0.character.isASCII }) {
            return placed
        }
        return order(placed[...], base: isRightToLeft ? 1 : 0).map { item in
            var placed = item.placed
            if item.level % 2 == 1, let mirrored = mirrors[placed.character] { placed.character = mirrored }
            return placed
        }
    }

    private struct Item {
        var placed: Placed
        var level: Int
    }

    private enum Kind: Equatable {
        case left, right, arabic, number, separator, terminator, neutral, isolate, endOfIsolate

        init(of character: Character) {
            guard let scalar = character.unicodeScalars.first else {
                self = .neutral
                return
            }
            switch scalar.value {
            case 0x2066...0x2068: self = .isolate
            case 0x2069: self = .endOfIsolate
            case 0x200E: self = .left
            case 0x200F, 0x0590...0x05FF, 0x07C0...0x085F, 0xFB1D...0xFB4F, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
                self = .right
            case 0x30...0x39, 0x06F0...0x06F9, 0x0660...0x0669: self = .number
            case 0x0600...0x07BF, 0x0860...0x08FF, 0xFB50...0xFDFF, 0xFE70...0xFEFF:
                self = scalar.properties.isAlphabetic ? .arabic : .neutral
            case 0x2B, 0x2D, 0x2C, 0x2E, 0x2F, 0x3A, 0xA0: self = .separator
            case 0x23, 0x24, 0x25, 0xA2...0xA5, 0xB0, 0xB1, 0x20AC: self = .terminator
            default: self = scalar.properties.isAlphabetic ? .left : .neutral
            }
        }
    }

    private static func order(_ text: ArraySlice<Placed>, base: Int) -> [Item] {
        // Each unit is a character, or an isolate whose inside is ordered by itself.
        var units: [(kind: Kind, items: [Item])] = []
        var index = text.startIndex
        while index < text.endIndex {
            let kind = Kind(of: text[index].character)
            guard kind == .isolate else {
                if kind != .endOfIsolate { units.append((kind, [Item(placed: text[index], level: base)])) }
                index += 1
                continue
            }
            let end = endOfIsolate(in: text, from: index)
            let inside = text[index + 1..<end]
            let isRight = isRightToLeft(inside, opener: text[index].character, base: base)
            let inner = isRight ? (base + 1) | 1 : (base + 2) & ~1
            units.append((.neutral, order(inside, base: inner)))
            index = min(end + 1, text.endIndex)
        }
        let levels = levels(of: units.map(\.kind), base: base)
        // What is inside an isolate is in order already, and is turned as a whole along with its neighbours.
        var blocks: [(level: Int, items: [Item])] = []
        for (unit, level) in zip(units, levels) {
            var items = unit.items
            if items.count == 1, unit.kind != .neutral || items[0].level == base { items[0].level = level }
            blocks.append((level, items))
        }
        var level = blocks.map(\.level).max() ?? base
        let lowest = base % 2 == 1 ? base : base + 1
        while level >= lowest {
            var start = 0
            while start < blocks.count {
                guard blocks[start].level >= level else {
                    start += 1
                    continue
                }
                let end = blocks[start...].firstIndex { $0.level < level } ?? blocks.endIndex
                blocks[start..<end].reverse()
                start = end
            }
            level -= 1
        }
        return blocks.flatMap(\.items)
    }

    private static func endOfIsolate(in text: ArraySlice<Placed>, from start: Int) -> Int {
        var depth = 0
        for index in start..<text.endIndex {
            switch Kind(of: text[index].character) {
            case .isolate: depth += 1
            case .endOfIsolate: depth -= 1
            default: break
            }
            if depth == 0 { return index }
        }
        return text.endIndex
    }

    private static func isRightToLeft(_ text: ArraySlice<Placed>, opener: Character, base: Int) -> Bool {
        switch opener {
        case "\u{2066}": return false
        case "\u{2067}": return true
        default:
            for placed in text {
                switch Kind(of: placed.character) {
                case .left: return false
                case .right, .arabic: return true
                default: continue
                }
            }
            return base % 2 == 1
        }
    }

    /// The level of each unit: rules W4 to W7, N1, N2, I1 and I2.
    private static func levels(of found: [Kind], base: Int) -> [Int] {
        var kinds = found
        for index in kinds.indices {
            if kinds[index] == .separator, index > 0, index + 1 < kinds.count, kinds[index - 1] == .number,
                kinds[index + 1] == .number
            {
                kinds[index] = .number
            }
        }
        for index in kinds.indices where kinds[index] == .terminator {
            let isBeside =
                (index > 0 && kinds[index - 1] == .number)
                || (index + 1 < kinds.count && kinds[index + 1] == .number)
            kinds[index] = isBeside ? .number : .neutral
        }
        let edge: Kind = base % 2 == 1 ? .right : .left
        var strong = edge
        for index in kinds.indices {
            switch kinds[index] {
            case .left: strong = .left
            case .right, .arabic:
                strong = .right
                kinds[index] = .right
            case .number: if strong == .left { kinds[index] = .left }
            default: kinds[index] = .neutral
            }
        }
        func side(_ kind: Kind) -> Kind { kind == .number ? .right : kind }
        var index = 0
        while index < kinds.count {
            guard kinds[index] == .neutral else {
                index += 1
                continue
            }
            let end = kinds[index...].firstIndex { $0 != .neutral } ?? kinds.endIndex
            let before = index > 0 ? side(kinds[index - 1]) : edge
            let after = end < kinds.count ? side(kinds[end]) : edge
            for neutral in index..<end { kinds[neutral] = before == after ? before : edge }
            index = end
        }
        return kinds.map { kind in
            switch kind {
            case .left: base % 2 == 0 ? base : base + 1
            case .number: base % 2 == 0 ? base + 2 : base + 1
            default: base % 2 == 0 ? base + 1 : base
            }
        }
    }

    private static let mirrors: [Character: Character] = [
        "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{", "<": ">", ">": "<", "«": "»", "»": "«", "‹": "›",
        "›": "‹",
    ]
}
