extension JSONValue {
    /// Parses one JSON text as RFC 8259 writes it, and nothing looser.
    ///
    /// Refused are invalid UTF-8, a byte order mark, anything after the value, halves of surrogate pairs, raw control
    /// characters in strings, numbers beyond `Double`, keys that stand twice and texts beyond the limits. Integers
    /// beyond `Int` become ``number(_:)``, as does `-0`, which has a sign.
    public init(parsing bytes: some Collection<UInt8>, limits: JSONLimits = .standard) throws(JSONSyntaxError) {
        guard bytes.count <= limits.bytes else {
            throw JSONSyntaxError(
                "the text has \(bytes.count) bytes; at most \(limits.bytes) are accepted", at: 0, in: [])
        }
        var parser = JSONParser(bytes: Array(bytes), depth: limits.depth)
        self = try parser.document()
    }

    /// Parses a text under the same rules as its bytes.
    public init(parsing text: String, limits: JSONLimits = .standard) throws(JSONSyntaxError) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }
}

/// A recursive descent over bytes that are checked to be UTF-8 once, at the start.
struct JSONParser {
    let bytes: [UInt8]
    let depth: Int
    private var position = 0

    init(bytes: [UInt8], depth: Int) {
        self.bytes = bytes
        self.depth = depth
    }

    mutating func document() throws(JSONSyntaxError) -> JSONValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw fault("the text starts with a byte order mark; save it as UTF-8 without one", at: 0)
        }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw fault("this is not valid UTF-8; save the text as UTF-8", at: error.byteOffsets.lowerBound)
        }
        skipSpace()
        if position == bytes.count { throw fault("the text is empty; one JSON value is expected") }
        let value = try value(level: 0)
        skipSpace()
        if position < bytes.count { throw fault("nothing may follow the value, but \(found) does") }
        return value
    }

    private mutating func value(level: Int) throws(JSONSyntaxError) -> JSONValue {
        switch peek {
        case UInt8(ascii: "{"): return .object(try object(level: level + 1))
        case UInt8(ascii: "["): return .array(try array(level: level + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
        case UInt8(ascii: "t") where take(word: "true"): return .bool(true)
        case UInt8(ascii: "f") where take(word: "false"): return .bool(false)
        case UInt8(ascii: "n") where take(word: "null"): return .null
        default: throw fault("a value is expected, but this is \(found)")
        }
    }

    private mutating func array(level: Int) throws(JSONSyntaxError) -> [JSONValue] {
        var elements: [JSONValue] = []
        try open(level)
        if take("]") { return elements }
        while true {
            elements.append(try value(level: level))
            skipSpace()
            if take("]") { return elements }
            guard take(",") else { throw fault("a comma or ] is expected in an array, but this is \(found)") }
            skipSpace()
            if peek == UInt8(ascii: "]") { throw fault("the comma before this ] is one too many") }
        }
    }

    private mutating func object(level: Int) throws(JSONSyntaxError) -> JSONObject {
        var members = JSONObject()
        try open(level)
        if take("}") { return members }
        while true {
            let start = position
            guard peek == UInt8(ascii: "\"") else { throw fault("a key in quotes is expected, but this is \(found)") }
            let key = try string()
            if members.contains(key) { throw fault("the key \(quoted(key)) stands twice", at: start) }
            skipSpace()
            guard take(":") else { throw fault("a colon is expected after the key, but this is \(found)") }
            skipSpace()
            members.append(key, try value(level: level))
            skipSpace()
            if take("}") { return members }
            guard take(",") else { throw fault("a comma or } is expected in an object, but this is \(found)") }
            skipSpace()
            if peek == UInt8(ascii: "}") { throw fault("the comma before this } is one too many") }
        }
    }

    private mutating func open(_ level: Int) throws(JSONSyntaxError) {
        if level > depth { throw fault("this is nested deeper than \(depth) levels") }
        position += 1
        skipSpace()
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        var start = position
        var unescaped: [UInt8] = []
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                let run = bytes[start..<position]
                position += 1
                // Quotes and backslashes are ASCII, so every run between them is valid UTF-8 too.
                return unescaped.isEmpty
                    ? String(decoding: run, as: UTF8.self) : String(decoding: unescaped + run, as: UTF8.self)
            case UInt8(ascii: "\\"):
                unescaped += bytes[start..<position]
                unescaped += UTF8.encode(try escape()).unsafelyUnwrapped
                start = position
            case 0..<0x20:
                throw fault("a string holds \(found); write it as an escape such as \\n or \\u0009")
            default: position += 1
            }
        }
        throw fault("the text ends inside a string")
    }

    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = position
        position += 2
        switch start + 1 < bytes.count ? bytes[start + 1] : nil {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default:
            throw fault("this escape is unknown; accepted are \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX", at: start)
        }
        let unit = try hexadecimal(start)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        if UTF16.isLeadSurrogate(UInt16(unit)), bytes[position...].starts(with: "\\u".utf8) {
            position += 2
            let trail = try hexadecimal(position - 2)
            if UTF16.isTrailSurrogate(UInt16(trail)),
                let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (trail - 0xDC00))
            {
                return scalar
            }
        }
        throw fault("this escape is half of a surrogate pair and means no character", at: start)
    }

    private mutating func hexadecimal(_ start: Int) throws(JSONSyntaxError) -> UInt32 {
        let digits = bytes[position...].prefix(4)
        var unit: UInt32 = 0
        for digit in digits {
            guard let value = Character(Unicode.Scalar(digit)).hexDigitValue else { break }
            unit = unit << 4 | UInt32(value)
            position += 1
        }
        guard digits.count == 4, position == digits.endIndex else {
            throw fault("\\u needs four hexadecimal digits", at: start)
        }
        return unit
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = position
        var isInteger = true
        let isNegative = take("-")
        if take("0") {
            if let peek, isDigit(peek) { throw fault("a number has no leading zeros", at: start) }
        } else {
            try digits()
        }
        if take(".") {
            isInteger = false
            try digits()
        }
        if take("e") || take("E") {
            isInteger = false
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let value = Int(text), !(isNegative && value == 0) { return .integer(value) }
        guard let value = Double(text), value.isFinite else {
            throw fault("this number is too large; at most about 1.8e308 is accepted", at: start)
        }
        return .number(value)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        guard let peek, isDigit(peek) else { throw fault("a digit is expected in a number, but this is \(found)") }
        while position < bytes.count, isDigit(bytes[position]) { position += 1 }
    }

    private func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0") <= byte && byte <= UInt8(ascii: "9") }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func take(word: String) -> Bool {
        guard bytes[position...].starts(with: word.utf8) else { return false }
        position += word.utf8.count
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    /// What stands at the position, for a message.
    private var found: String {
        guard let scalar = String(decoding: bytes[position...].prefix(4), as: UTF8.self).unicodeScalars.first else {
            return "the end of the text"
        }
        let isPlain = scalar.properties.isAlphabetic || (scalar.isASCII && scalar.value > 0x20 && scalar.value < 0x7F)
        if isPlain { return scalar == "'" ? "a single quote" : "\(scalar)" }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "the character U+\(String(repeating: "0", count: max(0, 4 - digits.utf8.count)))\(digits)"
    }

    private func fault(_ message: String, at offset: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(message, at: offset ?? position, in: bytes)
    }
}
