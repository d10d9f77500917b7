/// The type of a serialised value.
indirect enum GVariantType: Equatable {
    /// A type of one letter, but for `v`.
    case basic(UInt8)
    case variant
    case maybe(GVariantType)
    case array(GVariantType)
    /// A structure, or a dictionary's entry.
    case tuple([GVariantType])

    /// Reads a type string, or gives nil where it isn't exactly one type.
    init?(_ text: ArraySlice<UInt8>) {
        // Longer ones than D-Bus allows are nobody's.
        guard text.count <= 255 else { return nil }
        var rest = text
        guard let type = Self.next(in: &rest, depth: 0), rest.isEmpty else { return nil }
        self = type
    }

    private static func next(in text: inout ArraySlice<UInt8>, depth: Int) -> GVariantType? {
        guard depth < 16, let letter = text.popFirst() else { return nil }
        switch letter {
        case UInt8(ascii: "v"): return .variant
        case UInt8(ascii: "a"): return next(in: &text, depth: depth + 1).map(GVariantType.array)
        case UInt8(ascii: "m"): return next(in: &text, depth: depth + 1).map(GVariantType.maybe)
        case UInt8(ascii: "("), UInt8(ascii: "{"):
            let close = letter == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "}")
            var members: [GVariantType] = []
            while text.first != close {
                guard let member = next(in: &text, depth: depth + 1) else { return nil }
                members.append(member)
            }
            text.removeFirst()
            return .tuple(members)
        default: return "bynqiuxthdsog".utf8.contains(letter) ? .basic(letter) : nil
        }
    }

    /// What the place of a value in its container is a multiple of.
    var alignment: Int {
        switch self {
        case .basic(let letter): Self.size(of: letter) ?? 1
        case .variant: 8
        case .maybe(let inner), .array(let inner): inner.alignment
        case .tuple(let members): members.map(\.alignment).max() ?? 1
        }
    }

    /// How many bytes each value has, or nil where they differ.
    var fixedSize: Int? {
        switch self {
        case .basic(let letter): return Self.size(of: letter)
        case .variant, .maybe, .array: return nil
        case .tuple(let members):
            var size = 0
            for member in members {
                guard let own = member.fixedSize else { return nil }
                size = size.aligned(to: member.alignment) + own
            }
            return max(1, size.aligned(to: alignment))
        }
    }

    private static func size(of letter: UInt8) -> Int? {
        switch letter {
        case UInt8(ascii: "b"), UInt8(ascii: "y"): 1
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "h"): 4
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"): 8
        default: nil
        }
    }
}

extension Int {
    /// The next multiple of a power of two.
    func aligned(to alignment: Int) -> Int { (self + alignment - 1) & ~(alignment - 1) }
}
