/// One JSON value, with members in the order they stand in the text.
///
/// Parse with ``init(parsing:limits:)``, write with ``serialized(_:)``. Manifests need what Foundation's JSON hides: the
/// members' order, keys that stand twice, and the line and column of a fault.
///
/// Equality is exact: `2` and `2.0` differ, and objects differ when their members' order does.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction or exponent that fits `Int`.
    case integer(Int)
    /// Every other number, always finite when it was parsed.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Ordered members.
    case object(JSONObject)
}

extension JSONValue {
    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The truth value, or nil for another type.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The whole number, also of a number that happens to be whole (`2.0`); nil for another type or beyond `Int`.
    public var integer: Int? {
        switch self {
        case .integer(let value): value
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    /// The number as a `Double`, rounded when an integer needs more than 53 bits; nil for another type.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The text, or nil for another type.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements, or nil for another type.
    public var array: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members, or nil for another type.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The type for a message, with its article: "a string", "an array", "null".
    public var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
