/// One value of the D-Bus type system.
///
/// ```swift
/// let subject: BusValue = .structure([.string("unix-session"), .dictionary(key: "s", value: "v", [
///     .string("session-id"): .variant(.string("2"))
/// ])])
/// subject.signature                                   // "(sa{sv})"
/// ```
///
/// File descriptors (`h`) are left out: a probe has no use for one, and a value that owns a descriptor can't be copied.
public enum BusValue: Sendable, Hashable {
    /// A truth value, `b`.
    case bool(Bool)
    /// An unsigned byte, `y`.
    case byte(UInt8)
    /// A signed 16-bit integer, `n`.
    case int16(Int16)
    /// An unsigned 16-bit integer, `q`.
    case uint16(UInt16)
    /// A signed 32-bit integer, `i`.
    case int32(Int32)
    /// An unsigned 32-bit integer, `u`.
    case uint32(UInt32)
    /// A signed 64-bit integer, `x`.
    case int64(Int64)
    /// An unsigned 64-bit integer, `t`.
    case uint64(UInt64)
    /// A floating-point number, `d`.
    case double(Double)
    /// Text without a NUL, `s`.
    case string(String)
    /// The path of an object, `o`.
    case objectPath(String)
    /// A type signature, `g`.
    case signature(String)
    /// A list, `a…`, whose elements all have the signature given first: an empty list has a type too.
    case array(of: String, [BusValue])
    /// A dictionary, `a{…}`, with the signatures of its keys, a basic type, and of its values.
    case dictionary(key: String, value: String, [BusValue: BusValue])
    /// One or more values side by side, `(…)`.
    case structure([BusValue])
    /// A value that brings its own type, `v`.
    indirect case variant(BusValue)
}

extension BusValue {
    /// The D-Bus signature of this value.
    public var signature: String {
        switch self {
        case .bool: "b"
        case .byte: "y"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .array(let element, _): "a" + element
        case .dictionary(let key, let value, _): "a{" + key + value + "}"
        case .structure(let fields): "(" + fields.map(\.signature).joined() + ")"
        case .variant: "v"
        }
    }

    /// How many containers stand inside one another, at most, before a value is refused in either direction.
    ///
    /// The specification's own limit: 32 arrays and 32 structures.
    public static let depthLimit = 64
}
