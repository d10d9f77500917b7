extension JSONValue {
    /// How a value is laid out as text.
    public enum Style: Sendable, Hashable {
        /// One line without a space between tokens and without a newline: a message of a line protocol.
        case compact
        /// Two spaces a level, one member or element a line, without a final newline.
        case pretty
    }

    /// The value as JSON text, members in order.
    ///
    /// Control characters and the line separators U+2028 and U+2029 are escaped, slashes are not. A number that isn't
    /// finite has no JSON form and becomes `null`.
    public func serialized(_ style: Style) -> String {
        var writer = JSONWriter(isPretty: style == .pretty)
        writer.write(self, level: 0)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

/// The bytes of a text in the making.
struct JSONWriter {
    let isPretty: Bool
    private(set) var bytes: [UInt8] = []

    init(isPretty: Bool) { self.isPretty = isPretty }

    mutating func write(_ value: JSONValue, level: Int) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .integer(let value): append(String(value))
        case .number(let value): append(value.isFinite ? value.description : "null")
        case .string(let value): write(value)
        case .array(let elements):
            append("[")
            for (place, element) in elements.enumerated() {
                separate(place, level + 1)
                write(element, level: level + 1)
            }
            close("]", elements.isEmpty, level)
        case .object(let members):
            append("{")
            for (place, member) in members.enumerated() {
                separate(place, level + 1)
                write(member.key)
                append(isPretty ? ": " : ":")
                write(member.value, level: level + 1)
            }
            close("}", members.isEmpty, level)
        }
    }

    mutating func write(_ text: String) {
        append("\"")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": append("\\\"")
            case "\\": append("\\\\")
            case "\n": append("\\n")
            case "\r": append("\\r")
            case "\t": append("\\t")
            // The C1 controls are legal JSON, but a terminal obeys them.
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                append("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
            default: bytes.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
            }
        }
        append("\"")
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func separate(_ place: Int, _ level: Int) {
        if place > 0 { append(",") }
        breakLine(level)
    }

    private mutating func close(_ bracket: String, _ isEmpty: Bool, _ level: Int) {
        if !isEmpty { breakLine(level) }
        append(bracket)
    }

    private mutating func breakLine(_ level: Int) {
        guard isPretty else { return }
        append("\n")
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }
}

/// A text as it stands in a message: quoted, escaped and shortened, so that no input can write on the terminal.
package func quoted(_ text: String) -> String {
    var short = ""
    for (place, scalar) in text.unicodeScalars.enumerated() {
        if place == 64 {
            short += "…"
            break
        }
        // Direction marks would turn the rest of the message around.
        short.unicodeScalars.append(scalar.properties.generalCategory == .format ? "\u{FFFD}" : scalar)
    }
    return JSONValue.string(short).serialized(.compact)
}
