internal import DoorstepJSON

/// The least options that fit a schema, as far as its defaults, examples and bounds say, and as far as a message may go: a
/// schema may ask for more than any message or memory holds, and gets less than it asks for then.
struct LeastOptions {
    /// The most bytes that are made; a line of the protocol takes a few times as many.
    private static let limit = 256 * 1024

    private var left = Self.limit

    /// The options of a step.
    static func object(for schema: OptionSchema) -> JSONObject {
        var making = LeastOptions()
        return making.object(for: schema)
    }

    private mutating func object(for schema: OptionSchema) -> JSONObject {
        var object = JSONObject()
        for (key, member) in schema.properties where schema.required.contains(key) || member.sample != nil {
            take(key.utf8.count + 1)
            object[key] = value(for: member)
        }
        return object
    }

    private mutating func value(for schema: OptionSchema) -> JSONValue {
        if let given = schema.sample ?? schema.accepted.first {
            take(given.serialized(.compact).utf8.count)
            return given
        }
        switch schema.types.first {
        case "object": return .object(object(for: schema))
        case "array":
            var elements: [JSONValue] = []
            while elements.count < schema.counts?.lowerBound ?? 0, left > 0 {
                take(1)
                elements.append(schema.items.first.map { value(for: $0) } ?? .null)
            }
            return .array(elements)
        case "string":
            let count = min(schema.lengths?.lowerBound ?? 0, left)
            take(count)
            return .string(String(repeating: "x", count: count))
        case "integer":
            let least = Self.number(for: schema).rounded(.up)
            // A whole number beyond those of the machine is one all the same.
            return Int(exactly: least).map(JSONValue.integer) ?? .number(least)
        case "number": return .number(Self.number(for: schema))
        case "boolean": return false
        default: return .null
        }
    }

    private mutating func take(_ bytes: Int) { left = max(0, left - bytes) }

    private static func number(for schema: OptionSchema) -> Double {
        schema.minimum ?? min(0, schema.maximum ?? 0)
    }
}
