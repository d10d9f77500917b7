public import DoorstepJSON
internal import DoorstepPluginKit

extension OptionSchema {
    /// What is wrong with a value that stands at a path; empty for a good one.
    public func faults(in value: JSONValue, at path: JSONPath) -> [JSONFault] {
        func fault(_ message: String) -> [JSONFault] { [JSONFault(path: path, message: message)] }
        if !types.isEmpty, !types.contains(where: { Self.matches(value, type: $0) }) {
            return fault("this is \(value.typeName); it must be \(typeText)")
        }
        if !accepted.isEmpty, !accepted.contains(where: { Self.isEqual($0, value) }) {
            let list = accepted.map { $0.serialized(.compact) }.joined(separator: ", ")
            return fault("this value isn't accepted; accepted: \(list)")
        }
        switch value {
        case .object(let object): return faults(in: object, at: path)
        case .array(let array):
            if let counts, !counts.contains(array.count) {
                return fault("this has \(array.count) elements; accepted are \(Self.text(counts))")
            }
            guard let items = items.first else { return [] }
            return array.enumerated().flatMap { items.faults(in: $1, at: path.index($0)) }
        case .string(let text):
            let count = text.unicodeScalars.count
            guard let lengths, !lengths.contains(count) else { return [] }
            return fault("this has \(count) characters; accepted are \(Self.text(lengths))")
        case .integer, .number:
            let number = value.number ?? 0
            if let minimum, number < minimum { return fault("\(value.serialized(.compact)) is less than \(minimum)") }
            if let maximum, number > maximum { return fault("\(value.serialized(.compact)) is more than \(maximum)") }
            return []
        case .bool, .null: return []
        }
    }

    /// The lines of help on an object's members.
    var help: [PluginOption] {
        properties.map { key, schema in
            var words =
                schema.accepted.isEmpty
                ? schema.types.joined(separator: " or ")
                : schema.accepted.map { $0.serialized(.compact) }.joined(separator: ", ")
            if words.isEmpty { words = "any value" }
            if required.contains(key) { words += ", required" }
            return PluginOption(key, words, schema.summary ?? "")
        }
    }

    private func faults(in object: JSONObject, at path: JSONPath) -> [JSONFault] {
        var faults: [JSONFault] = []
        for key in required where object[key] == nil {
            faults.append(JSONFault(path: path.key(key), message: "this key is missing; the plugin needs it"))
        }
        for (key, value) in object {
            if let schema = properties.first(where: { $0.key == key })?.schema {
                faults += schema.faults(in: value, at: path.key(key))
            } else if !allowsOthers {
                let known = properties.map(\.key)
                let nearest = nearestSpelling(of: key, among: known).map { " did you mean \"\($0)\"?" } ?? ""
                let list = known.isEmpty ? "none is accepted here" : "accepted: \(known.joined(separator: ", "))"
                faults.append(JSONFault(path: path.key(key), message: "this key is unknown;\(nearest) \(list)"))
            }
        }
        return faults
    }

    private var typeText: String {
        types.map { type in
            switch type {
            case "object", "array", "integer": "an \(type)"
            case "boolean": "true or false"
            case "null": "null"
            default: "a \(type)"
            }
        }.joined(separator: " or ")
    }

    private static func text(_ range: ClosedRange<Int>) -> String {
        range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
    }

    private static func matches(_ value: JSONValue, type: String) -> Bool {
        switch (type, value) {
        case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool), ("null", .null),
            ("integer", .integer), ("number", .integer), ("number", .number):
            true
        case ("integer", .number(let number)): number.rounded() == number
        default: false
        }
    }

    /// Equality as JSON Schema has it: numbers by value, objects without order.
    private static func isEqual(_ one: JSONValue, _ other: JSONValue) -> Bool {
        switch (one, other) {
        case (.integer, .number), (.number, .integer): one.number == other.number
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { isEqual($0, $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { key, value in right[key].map { isEqual(value, $0) } ?? false }
        default: one == other
        }
    }
}
