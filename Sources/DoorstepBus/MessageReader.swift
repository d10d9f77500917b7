internal import CSDBus

/// Reads the values of a message that came in, by the types that it brings itself.
struct MessageReader {
    let library: UnsafePointer<csdbus>
    /// A sealed message at its start, owned by whoever made this reader.
    let message: OpaquePointer
    /// How many more values may come: a reply of 128 MiB is legal on the wire and no answer to any question here.
    private var budget: Int

    init(library: UnsafePointer<csdbus>, message: OpaquePointer, valueLimit: Int = 1 << 20) {
        self.library = library
        self.message = message
        budget = valueLimit
    }

    /// The signature of the whole body; empty where there is none.
    var signature: String {
        guard let text = library.pointee.message_get_signature(message, 1) else { return "" }
        return String(cString: text)
    }

    /// Every value of the body.
    ///
    /// - Throws: `BusError.invalidReply` for a body that is malformed, holds a file descriptor, or is nested or filled
    ///   beyond bounds.
    mutating func values() throws(BusError) -> [BusValue] {
        try values(depth: 0)
    }

    private mutating func values(depth: Int) throws(BusError) -> [BusValue] {
        var values: [BusValue] = []
        while let next = try peek() {
            values.append(try value(next, depth: depth))
        }
        return values
    }

    /// The type code and the content's signature of the next value, or nil at the container's end.
    private func peek() throws(BusError) -> (type: Unicode.Scalar, contents: String)? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        let result = library.pointee.message_peek_type(message, &type, &contents)
        guard result >= 0 else { throw malformed }
        guard result > 0 else { return nil }
        // The pointer is good only until the next call on the message.
        return (Unicode.Scalar(UInt8(bitPattern: type)), contents.map { String(cString: $0) } ?? "")
    }

    private mutating func value(_ next: (type: Unicode.Scalar, contents: String), depth: Int)
        throws(BusError) -> BusValue
    {
        budget -= 1
        guard budget >= 0 else { throw refused("more values than any answer needs") }
        switch next.type {
        case "b": return .bool(try basic("b", Int32(0)) != 0)
        case "y": return .byte(try basic("y", UInt8(0)))
        case "n": return .int16(try basic("n", Int16(0)))
        case "q": return .uint16(try basic("q", UInt16(0)))
        case "i": return .int32(try basic("i", Int32(0)))
        case "u": return .uint32(try basic("u", UInt32(0)))
        case "x": return .int64(try basic("x", Int64(0)))
        case "t": return .uint64(try basic("t", UInt64(0)))
        case "d": return .double(try basic("d", Double(0)))
        case "s": return .string(try text("s"))
        case "o": return .objectPath(try text("o"))
        case "g": return .signature(try text("g"))
        case "h": throw refused("a file descriptor")
        case "a", "r", "v": return try container(next, depth: depth + 1)
        default: throw malformed
        }
    }

    private mutating func container(_ next: (type: Unicode.Scalar, contents: String), depth: Int)
        throws(BusError) -> BusValue
    {
        guard depth <= BusValue.depthLimit else {
            throw refused("values nested deeper than \(BusValue.depthLimit) levels")
        }
        try enter(next.type, next.contents)
        let value: BusValue
        switch next.type {
        case "r":
            value = .structure(try values(depth: depth))
        case "v":
            guard let inner = try peek() else { throw malformed }
            value = .variant(try self.value(inner, depth: depth))
        case "a" where next.contents.hasPrefix("{"):
            value = try dictionary(of: String(next.contents.dropFirst().dropLast()), depth: depth)
        default:
            value = .array(of: next.contents, try values(depth: depth))
        }
        try exit()
        return value
    }

    private mutating func dictionary(of entry: String, depth: Int) throws(BusError) -> BusValue {
        var entries: [BusValue: BusValue] = [:]
        while try peek() != nil {
            try enter("e", entry)
            guard let keyType = try peek() else { throw malformed }
            let key = try value(keyType, depth: depth)
            guard let valueType = try peek() else { throw malformed }
            entries[key] = try value(valueType, depth: depth)
            try exit()
        }
        // A key is always a basic type, so its signature is one character.
        return .dictionary(key: String(entry.prefix(1)), value: String(entry.dropFirst()), entries)
    }

    private func enter(_ type: Unicode.Scalar, _ contents: String) throws(BusError) {
        guard library.pointee.message_enter_container(message, CChar(type), contents) > 0 else { throw malformed }
    }

    private func exit() throws(BusError) {
        guard library.pointee.message_exit_container(message) >= 0 else { throw malformed }
    }

    private func basic<Number>(_ type: Unicode.Scalar, _ zero: Number) throws(BusError) -> Number {
        var number = zero
        let result = withUnsafeMutablePointer(to: &number) {
            library.pointee.message_read_basic(message, CChar(type), $0)
        }
        guard result > 0 else { throw malformed }
        return number
    }

    private func text(_ type: Unicode.Scalar) throws(BusError) -> String {
        var text: UnsafePointer<CChar>?
        let result = withUnsafeMutablePointer(to: &text) {
            library.pointee.message_read_basic(message, CChar(type), $0)
        }
        guard result > 0, let text else { throw malformed }
        return String(cString: text)
    }

    private var malformed: BusError { refused("a malformed message") }

    private func refused(_ found: String) -> BusError {
        .invalidReply(expected: "values that a probe can read", found: found)
    }
}
