internal import DoorstepJSON

/// What a step's options must be, in the part of JSON Schema that a plugin's description may use.
public struct OptionSchema: Sendable, Hashable {
    /// Anything.
    public static let any = OptionSchema()

    var types: [String] = []
    var properties: [(key: String, schema: OptionSchema)] = []
    var required: [String] = []
    var allowsOthers = true
    var accepted: [JSONValue] = []
    var items: [OptionSchema] = []
    var counts: ClosedRange<Int>?
    var lengths: ClosedRange<Int>?
    var minimum: Double?
    var maximum: Double?
    /// A value that the schema gives for illustration: its default, else its first example.
    var sample: JSONValue?
    /// What a person reads about it.
    public private(set) var summary: String?

    private init() {}

    /// The keywords that may stand in a schema.
    static let keywords = [
        "type", "properties", "required", "additionalProperties", "enum", "const", "items", "minItems", "maxItems",
        "minLength", "maxLength", "minimum", "maximum", "description", "title", "default", "examples", "$comment",
        "$schema",
    ]
    private static let typeNames = ["object", "array", "string", "integer", "number", "boolean", "null"]

    /// Reads a schema; what is wrong with it is left in the reader.
    init(_ value: JSONValue, in reader: JSONReader, at path: JSONPath, depth: Int = 0) {
        func fault(_ message: String, _ key: String? = nil) {
            reader.add([JSONFault(path: key.map(path.key) ?? path, message: message)])
        }
        guard let object = value.object, depth < 16 else {
            if value != .bool(true) { fault("this must be a schema: an object, at most 16 deep") }
            return
        }
        for key in object.keys where !Self.keywords.contains(key) {
            fault("this keyword isn't supported; accepted: \(Self.keywords.joined(separator: ", "))", key)
        }
        if let type = object["type"] {
            types = type.array?.compactMap(\.string) ?? [type.string ?? ""]
            if types.isEmpty || !types.allSatisfy(Self.typeNames.contains) {
                fault("this is no type; accepted: \(Self.typeNames.joined(separator: ", "))", "type")
            }
        }
        if let members = object["properties"] {
            if members.object == nil { fault("this must be an object of schemas", "properties") }
            for (key, value) in members.object ?? [:] {
                let schema = OptionSchema(value, in: reader, at: path.key("properties").key(key), depth: depth + 1)
                properties.append((key, schema))
            }
        }
        if let names = object["required"] {
            required = names.array?.compactMap(\.string) ?? []
            if names.array?.count != required.count { fault("this must be a list of keys", "required") }
        }
        if let others = object["additionalProperties"] {
            allowsOthers = others.bool ?? true
            if others.bool == nil { fault("this must be true or false", "additionalProperties") }
        }
        if let list = object["enum"] {
            accepted = list.array ?? []
            if accepted.isEmpty { fault("this must be a list of values", "enum") }
        }
        if let only = object["const"] { accepted = [only] }
        if let element = object["items"] {
            items = [OptionSchema(element, in: reader, at: path.key("items"), depth: depth + 1)]
        }
        counts = Self.range(object, "minItems", "maxItems", fault)
        lengths = Self.range(object, "minLength", "maxLength", fault)
        for (key, keep) in [("minimum", \OptionSchema.minimum), ("maximum", \OptionSchema.maximum)] {
            guard let bound = object[key] else { continue }
            self[keyPath: keep] = bound.number
            if bound.number == nil { fault("this must be a number", key) }
        }
        sample = object["default"] ?? object["examples"]?.array?.first
        summary = object["description"]?.string ?? object["title"]?.string
    }

    private static func range(
        _ object: JSONObject, _ low: String, _ high: String, _ fault: (String, String?) -> Void
    ) -> ClosedRange<Int>? {
        var bounds = (0, Int.max)
        var isGiven = false
        for (key, isLow) in [(low, true), (high, false)] {
            guard let value = object[key] else { continue }
            guard let bound = value.integer, bound >= 0 else {
                fault("this must be a whole number from 0", key)
                continue
            }
            isGiven = true
            if isLow { bounds.0 = bound } else { bounds.1 = bound }
        }
        if bounds.0 > bounds.1 {
            fault("this is less than \(low)", high)
            return nil
        }
        return isGiven ? bounds.0...bounds.1 : nil
    }

    /// Whether both accept the same.
    public static func == (one: OptionSchema, other: OptionSchema) -> Bool {
        one.types == other.types && one.required == other.required && one.allowsOthers == other.allowsOthers
            && one.accepted == other.accepted && one.items == other.items && one.counts == other.counts
            && one.lengths == other.lengths && one.minimum == other.minimum && one.maximum == other.maximum
            && one.summary == other.summary && one.properties.map(\.key) == other.properties.map(\.key)
            && one.properties.map(\.schema) == other.properties.map(\.schema)
    }

    /// Feeds what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(types)
        hasher.combine(required)
        hasher.combine(accepted)
        hasher.combine(properties.map(\.key))
    }
}
