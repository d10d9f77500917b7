/// Reading a value as a Swift type: nil where it is of another type.
///
/// A variant is read as what is inside it, so a property's value needs no unwrapping first.
extension BusValue {
    /// What is inside a variant, however many stand around it, or the value itself.
    public var unwrapped: BusValue {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    /// A truth value.
    public var bool: Bool? {
        if case .bool(let value) = unwrapped { value } else { nil }
    }

    /// A byte.
    public var byte: UInt8? {
        if case .byte(let value) = unwrapped { value } else { nil }
    }

    /// A signed 32-bit integer, and no other width.
    public var int32: Int32? {
        if case .int32(let value) = unwrapped { value } else { nil }
    }

    /// An unsigned 32-bit integer, and no other width.
    public var uint32: UInt32? {
        if case .uint32(let value) = unwrapped { value } else { nil }
    }

    /// An unsigned 64-bit integer, and no other width.
    public var uint64: UInt64? {
        if case .uint64(let value) = unwrapped { value } else { nil }
    }

    /// An integer of any width that fits.
    public var integer: Int? {
        switch unwrapped {
        case .byte(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int64(let value): Int(exactly: value)
        case .uint64(let value): Int(exactly: value)
        default: nil
        }
    }

    /// A floating-point number.
    public var double: Double? {
        if case .double(let value) = unwrapped { value } else { nil }
    }

    /// Text: a string, not a path and not a signature.
    public var string: String? {
        if case .string(let value) = unwrapped { value } else { nil }
    }

    /// The path of an object.
    public var objectPath: String? {
        if case .objectPath(let value) = unwrapped { value } else { nil }
    }

    /// The elements of an array.
    public var array: [BusValue]? {
        if case .array(_, let elements) = unwrapped { elements } else { nil }
    }

    /// The elements of an array of strings, `as`.
    public var strings: [String]? {
        guard case .array("s", let elements) = unwrapped else { return nil }
        return elements.compactMap(\.string)
    }

    /// The elements of an array of object paths, `ao`.
    public var objectPaths: [String]? {
        guard case .array("o", let elements) = unwrapped else { return nil }
        return elements.compactMap(\.objectPath)
    }

    /// The fields of a structure.
    public var fields: [BusValue]? {
        if case .structure(let fields) = unwrapped { fields } else { nil }
    }

    /// A dictionary whose keys are strings or object paths, as bus interfaces return them (`a{sv}`, `a{oa{sa{sv}}}`).
    public var dictionary: [String: BusValue]? {
        guard case .dictionary(_, _, let entries) = unwrapped else { return nil }
        var dictionary: [String: BusValue] = [:]
        for (key, value) in entries {
            guard let name = key.string ?? key.objectPath else { return nil }
            dictionary[name] = value
        }
        return dictionary
    }
}
