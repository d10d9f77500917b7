import DoorstepJSON

/// The JSON parser: what is read is the same after it is written and read again.
enum JSONFuzzer {
    static func run(_ bytes: [UInt8]) {
        guard let value = try? JSONValue(parsing: bytes) else { return }
        for text in [value.serialized(.compact), value.serialized(.pretty)] {
            let again = try? JSONValue(parsing: text)
            precondition(again?.serialized(.compact) == value.serialized(.compact), "a value changed: \(text)")
        }
    }
}
