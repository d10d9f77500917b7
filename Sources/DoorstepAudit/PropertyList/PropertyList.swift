/// A value of a property list, as far as an import needs it: what isn't a dictionary, a flag, a number or a text is `other`.
enum PropertyListValue: Hashable, Sendable {
    case flag(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case dictionary([String: PropertyListValue])
    case other

    /// The value as an answer: a flag, or the numbers 0 and 1 that older writers put in its place.
    var answer: Bool? {
        switch self {
        case .flag(let flag): flag
        case .integer(0), .real(0): false
        case .integer(1), .real(1): true
        default: nil
        }
    }
}

/// Reads `UserDefaults` property lists, XML or binary. Files come from elsewhere, so depth and size are bounded.
enum PropertyList {
    /// How deep values may be nested.
    static let depthLimit = 64

    /// The dictionary of a property list, or the reason why there is none.
    static func dictionary(_ bytes: [UInt8]) -> Result<[String: PropertyListValue], Fault> {
        let value: PropertyListValue?
        if bytes.starts(with: "bplist00".utf8) {
            value = BinaryPropertyList(bytes).root()
        } else {
            var reader = XMLPropertyList(bytes)
            value = reader.root()
        }
        switch value {
        case .dictionary(let dictionary)?: return .success(dictionary)
        case nil: return .failure(Fault("this is no property list that can be read, XML or binary"))
        default: return .failure(Fault("the property list's root is no dictionary"))
        }
    }

    /// Why a property list can't be used.
    struct Fault: Error, Sendable {
        let message: String
        init(_ message: String) { self.message = message }
    }
}

/// The binary form: a table of offsets, and objects that name each other by their places in it.
struct BinaryPropertyList {
    private let bytes: [UInt8]
    private var offsetSize = 0
    private var referenceSize = 0
    private var count = 0
    private var table = 0
    private var top = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard bytes.count >= 40 else { return }
        let trailer = bytes.count - 32
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        count = number(trailer + 8, 8) ?? 0
        top = number(trailer + 16, 8) ?? 0
        table = number(trailer + 24, 8) ?? 0
    }

    func root() -> PropertyListValue? {
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), count > 0, count <= bytes.count,
            table >= 8,
            table <= bytes.count - 32
        else { return nil }
        // Shared objects could otherwise be read again and again; no file of this size holds more values.
        var budget = bytes.count * 2
        return value(top, 0, &budget)
    }

    private func number(_ at: Int, _ size: Int) -> Int? {
        guard at >= 0, size > 0, size <= 8, at <= bytes.count - size else { return nil }
        var number: UInt64 = 0
        for byte in bytes[at..<at + size] { number = number << 8 | UInt64(byte) }
        return Int(exactly: number)
    }

    private func offset(_ object: Int) -> Int? {
        guard object >= 0, object < count else { return nil }
        let (place, overflow) = object.multipliedReportingOverflow(by: offsetSize)
        guard !overflow, let offset = number(table + place, offsetSize), offset >= 8, offset < table else { return nil }
        return offset
    }

    /// The length behind a marker, and where the contents begin.
    private func length(_ at: Int) -> (count: Int, start: Int)? {
        let low = Int(bytes[at] & 0x0F)
        if low < 15 { return (low, at + 1) }
        guard at + 1 < bytes.count, bytes[at + 1] & 0xF0 == 0x10, bytes[at + 1] & 0x0F <= 3 else { return nil }
        let size = 1 << Int(bytes[at + 1] & 0x0F)
        guard let count = number(at + 2, size) else { return nil }
        return (count, at + 2 + size)
    }

    private func value(_ object: Int, _ depth: Int, _ budget: inout Int) -> PropertyListValue? {
        budget -= 1
        guard budget > 0, depth < PropertyList.depthLimit, let at = offset(object) else { return nil }
        let low = Int(bytes[at] & 0x0F)
        switch bytes[at] >> 4 {
        case 0x0 where low == 8: return .flag(false)
        case 0x0 where low == 9: return .flag(true)
        case 0x1 where low <= 3:
            let size = 1 << low
            guard at + 1 + size <= bytes.count else { return nil }
            var number: UInt64 = 0
            for byte in bytes[at + 1..<at + 1 + size] { number = number << 8 | UInt64(byte) }
            return .integer(Int64(bitPattern: number))
        case 0x2 where low == 2:
            return number(at + 1, 4).map { .real(Double(Float(bitPattern: UInt32($0)))) }
        case 0x2 where low == 3:
            guard at + 9 <= bytes.count else { return nil }
            var bits: UInt64 = 0
            for byte in bytes[at + 1..<at + 9] { bits = bits << 8 | UInt64(byte) }
            return .real(Double(bitPattern: bits))
        case 0x5, 0x6: return text(at, isWide: bytes[at] >> 4 == 0x6)
        case 0xD: return dictionary(at, depth, &budget)
        default: return .other
        }
    }

    private func text(_ at: Int, isWide: Bool) -> PropertyListValue? {
        guard let (count, start) = length(at), count >= 0, count <= bytes.count else { return nil }
        let size = isWide ? count * 2 : count
        guard start <= bytes.count - size else { return nil }
        if !isWide { return .text(String(decoding: bytes[start..<start + size], as: UTF8.self)) }
        let units = stride(from: start, to: start + size, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        return .text(String(decoding: units, as: UTF16.self))
    }

    private func dictionary(_ at: Int, _ depth: Int, _ budget: inout Int) -> PropertyListValue? {
        guard let (count, start) = length(at), count >= 0, count <= bytes.count else { return nil }
        guard start <= bytes.count - 2 * count * referenceSize else { return nil }
        var dictionary: [String: PropertyListValue] = [:]
        for index in 0..<count {
            guard let key = number(start + index * referenceSize, referenceSize),
                let value = number(start + (count + index) * referenceSize, referenceSize),
                case .text(let name)? = self.value(key, depth + 1, &budget),
                let found = self.value(value, depth + 1, &budget)
            else { return nil }
            dictionary[name] = found
        }
        return .dictionary(dictionary)
    }
}
