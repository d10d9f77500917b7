/// A value as GLib serialises it, as far as settings and the permission store need one: truths, texts, and what holds them.
///
/// Whatever the bytes are, reading them ends in a value or in nil: every offset in them is checked before it is followed.
indirect enum GVariant: Equatable, Sendable {
    case bool(Bool)
    /// A string, an object path or a signature.
    case text(String)
    /// The elements of an array; those of a dictionary are pairs.
    case array([GVariant])
    /// The members of a structure or of a dictionary's entry.
    case tuple([GVariant])
    /// A value of a type that nothing here needs, such as a number.
    case other

    /// Reads a value of a type, or gives nil where the bytes are none.
    init?(_ type: GVariantType, in bytes: ArraySlice<UInt8>, depth: Int = 0) {
        guard depth < 16 else { return nil }
        switch type {
        case .basic(UInt8(ascii: "b")):
            guard bytes.count == 1, let byte = bytes.first, byte < 2 else { return nil }
            self = .bool(byte == 1)
        case .basic(UInt8(ascii: "s")), .basic(UInt8(ascii: "o")), .basic(UInt8(ascii: "g")):
            guard bytes.last == 0, let text = String(validating: bytes.dropLast(), as: UTF8.self) else { return nil }
            self = .text(text)
        case .basic, .maybe: self = .other
        case .variant:
            // The value's type stands behind it and a zero.
            guard let zero = bytes.lastIndex(of: 0), let inner = GVariantType(bytes[(zero + 1)...]),
                let value = GVariant(inner, in: bytes[..<zero], depth: depth + 1)
            else { return nil }
            self = value
        case .array(let element):
            guard let parts = Self.elements(of: element, in: bytes) else { return nil }
            guard let values = Self.values(of: parts.map { (element, $0) }, depth: depth) else { return nil }
            self = .array(values)
        case .tuple(let members):
            guard let parts = Self.members(members, in: bytes) else { return nil }
            guard let values = Self.values(of: Array(zip(members, parts)), depth: depth) else { return nil }
            self = .tuple(values)
        }
    }

    private static func values(of parts: [(GVariantType, ArraySlice<UInt8>)], depth: Int) -> [GVariant]? {
        var values: [GVariant] = []
        for (type, bytes) in parts {
            guard let value = GVariant(type, in: bytes, depth: depth + 1) else { return nil }
            values.append(value)
        }
        return values
    }

    /// Where an array's elements are: side by side where all have one size, else ended by offsets behind them.
    private static func elements(of type: GVariantType, in bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        if bytes.isEmpty { return [] }
        if let size = type.fixedSize {
            guard bytes.count % size == 0 else { return nil }
            return stride(from: bytes.startIndex, to: bytes.endIndex, by: size).map { bytes[$0..<($0 + size)] }
        }
        let width = offsetWidth(for: bytes.count)
        guard let end = offset(in: bytes, at: bytes.count - width, width: width), end <= bytes.count - width,
            (bytes.count - end) % width == 0
        else { return nil }
        var parts: [ArraySlice<UInt8>] = []
        var position = 0
        for place in stride(from: end, to: bytes.count, by: width) {
            guard let stop = offset(in: bytes, at: place, width: width) else { return nil }
            let start = position.aligned(to: type.alignment)
            guard start <= stop, stop <= end else { return nil }
            parts.append(bytes[(bytes.startIndex + start)..<(bytes.startIndex + stop)])
            position = stop
        }
        return parts
    }

    /// Where a structure's members are: the ends of those without a size, but for the last, stand behind it backwards.
    private static func members(_ types: [GVariantType], in bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        let width = offsetWidth(for: bytes.count)
        var limit = bytes.count
        var position = 0
        var parts: [ArraySlice<UInt8>] = []
        for (index, type) in types.enumerated() {
            let start = position.aligned(to: type.alignment)
            let end: Int
            if let size = type.fixedSize {
                end = start + size
            } else if index == types.count - 1 {
                end = limit
            } else {
                limit -= width
                guard let stop = offset(in: bytes, at: limit, width: width) else { return nil }
                end = stop
            }
            guard start <= end, end <= limit else { return nil }
            parts.append(bytes[(bytes.startIndex + start)..<(bytes.startIndex + end)])
            position = end
        }
        return parts
    }

    /// How many bytes an offset has in a container of a size: as few as can count that far.
    private static func offsetWidth(for size: Int) -> Int {
        size <= 0xFF ? 1 : size <= 0xFFFF ? 2 : size <= 0xFFFF_FFFF ? 4 : 8
    }

    private static func offset(in bytes: ArraySlice<UInt8>, at place: Int, width: Int) -> Int? {
        guard place >= 0, place + width <= bytes.count else { return nil }
        var offset: UInt64 = 0
        for index in 0..<width { offset |= UInt64(bytes[bytes.startIndex + place + index]) << (8 * UInt64(index)) }
        return Int(exactly: offset)
    }
}

extension GVariant {
    /// A truth, or nil for anything else.
    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// A text, or nil for anything else.
    var text: String? { if case .text(let value) = self { value } else { nil } }
    /// What is in an array, or nil for anything else.
    var elements: [GVariant]? { if case .array(let values) = self { values } else { nil } }
    /// What is in a structure, or nil for anything else.
    var members: [GVariant]? { if case .tuple(let values) = self { values } else { nil } }
    /// An array of texts, or nil for anything else.
    var texts: [String]? {
        guard let elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }
}
