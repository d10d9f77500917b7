extension JSONReader {
    /// What is wrong with a value and what is accepted, or nil for a good one.
    public typealias Check<Value> = (Value) -> String?

    /// A text; required without a default.
    public func string(_ key: String, default fallback: String? = nil, check: Check<String> = { _ in nil }) -> String {
        member(key, "a string", fallback, check) { $0.string } ?? ""
    }

    /// A text that may be left out.
    public func optionalString(_ key: String, check: Check<String> = { _ in nil }) -> String? {
        optional(key, "a string", check) { $0.string }
    }

    /// A truth value; required without a default.
    public func bool(_ key: String, default fallback: Bool? = nil) -> Bool {
        member(key, "true or false", fallback) { $0.bool } ?? false
    }

    /// A truth value that may be left out.
    public func optionalBool(_ key: String) -> Bool? {
        optional(key, "true or false") { $0.bool }
    }

    /// A whole number, `2.0` included; required without a default.
    public func integer(_ key: String, in range: ClosedRange<Int>? = nil, default fallback: Int? = nil) -> Int {
        member(key, "an integer", fallback, Self.within(range)) { $0.integer } ?? range?.lowerBound ?? 0
    }

    /// A whole number that may be left out.
    public func optionalInteger(_ key: String, in range: ClosedRange<Int>? = nil) -> Int? {
        optional(key, "an integer", Self.within(range)) { $0.integer }
    }

    /// A number; required without a default.
    public func number(_ key: String, in range: ClosedRange<Double>? = nil, default fallback: Double? = nil) -> Double {
        member(key, "a number", fallback, Self.within(range)) { $0.number } ?? range?.lowerBound ?? 0
    }

    /// A number that may be left out.
    public func optionalNumber(_ key: String, in range: ClosedRange<Double>? = nil) -> Double? {
        optional(key, "a number", Self.within(range)) { $0.number }
    }

    /// One word of a few; required without a default. The fault names the accepted ones and the nearest spelling.
    public func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, of type: Choice.Type, default fallback: Choice? = nil
    ) -> Choice {
        // An enumeration without cases has no value to return: a mistake of the program, not of its input.
        member(key, "a string", fallback.map { $0.rawValue }, Self.oneOf(type)) { $0.string }.flatMap(Choice.init)
            ?? fallback ?? Choice.allCases.first!
    }

    /// One word of a few that may be left out.
    public func optionalChoice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, of type: Choice.Type
    ) -> Choice? {
        optional(key, "a string", Self.oneOf(type)) { $0.string }.flatMap(Choice.init)
    }

    /// Any value; required. The check may look at its type.
    public func value(_ key: String, check: Check<JSONValue> = { _ in nil }) -> JSONValue {
        member(key, "a value", nil, check) { $0 } ?? .null
    }

    /// Any value that may be left out. The check may look at its type.
    public func optionalValue(_ key: String, check: Check<JSONValue> = { _ in nil }) -> JSONValue? {
        optional(key, "a value", check) { $0 }
    }

    /// A reader of a nested object; required.
    public func object(_ key: String) -> JSONReader {
        child(member(key, "an object", nil) { $0.object }.map(JSONValue.object), at: path.key(key))
    }

    /// A reader of a nested object that may be left out.
    public func optionalObject(_ key: String) -> JSONReader? {
        optional(key, "an object") { $0.object }.map { child(.object($0), at: path.key(key)) }
    }

    /// A list of objects, each read by the closure, those with mistakes too; required.
    public func array<Element>(
        _ key: String, count: ClosedRange<Int>? = nil, of element: (JSONReader) -> Element
    ) -> [Element] {
        let check: Check<[JSONValue]> = { Self.within(count, { "this has \($0) elements" })($0.count) }
        return (member(key, "an array", nil, check) { $0.array } ?? []).enumerated().map { place, value in
            element(child(value, at: path.key(key).index(place)))
        }
    }

    /// A list of objects that may be left out; see ``array(_:count:of:)``.
    public func optionalArray<Element>(
        _ key: String, count: ClosedRange<Int>? = nil, of element: (JSONReader) -> Element
    ) -> [Element]? {
        has(key) ? array(key, count: count, of: element) : nil
    }

    /// A list of texts; required.
    public func strings(_ key: String, count: ClosedRange<Int>? = nil, check: Check<String> = { _ in nil }) -> [String]
    {
        let countCheck: Check<[JSONValue]> = { Self.within(count, { "this has \($0) elements" })($0.count) }
        var texts: [String] = []
        for (place, value) in (member(key, "an array of strings", nil, countCheck) { $0.array } ?? []).enumerated() {
            if let text = accept(value, "a string", path.key(key).index(place), check, { $0.string }) {
                texts.append(text)
            }
        }
        return texts
    }

    /// A list of texts that may be left out.
    public func optionalStrings(
        _ key: String, count: ClosedRange<Int>? = nil, check: Check<String> = { _ in nil }
    ) -> [String]? {
        has(key) ? strings(key, count: count, check: check) : nil
    }

    /// Whether the member is there; asking makes its key a known one.
    public func has(_ key: String) -> Bool {
        note(key)
        return object.contains(key)
    }

    private func member<Value>(
        _ key: String, _ accepted: String, _ fallback: Value?, _ check: Check<Value> = { _ in nil },
        _ convert: (JSONValue) -> Value?
    ) -> Value? {
        if !has(key) {
            if fallback == nil { noteMissing(key, accepted: accepted) }
            return fallback
        }
        return object[key].flatMap { accept($0, accepted, path.key(key), check, convert) }
    }

    private func optional<Value>(
        _ key: String, _ accepted: String, _ check: Check<Value> = { _ in nil }, _ convert: (JSONValue) -> Value?
    ) -> Value? {
        note(key)
        return object[key].flatMap { accept($0, accepted, path.key(key), check, convert) }
    }

    private func accept<Value>(
        _ value: JSONValue, _ accepted: String, _ path: JSONPath, _ check: Check<Value>,
        _ convert: (JSONValue) -> Value?
    ) -> Value? {
        guard let converted = convert(value) else {
            report.add(.wrongType(value, at: path, accepted: accepted))
            return nil
        }
        guard let complaint = check(converted) else { return converted }
        report.add(JSONFault(path: path, message: complaint))
        return nil
    }

    private static func within<Value>(
        _ range: ClosedRange<Value>?, _ complaint: @escaping (Value) -> String = { "\($0) is out of range" }
    ) -> Check<Value> {
        { value in
            guard let range, !range.contains(value) else { return nil }
            let isOpen = range.upperBound as? Int == .max || range.upperBound as? Double == .infinity
            return
                "\(complaint(value)); accepted are \(range.lowerBound) \(isOpen ? "or more" : "to \(range.upperBound)")"
        }
    }

    private static func oneOf<Choice: RawRepresentable<String> & CaseIterable>(_ type: Choice.Type) -> Check<String> {
        { word in
            if Choice(rawValue: word) != nil { return nil }
            let words = Choice.allCases.map(\.rawValue)
            return
                "\(quoted(word)) is unknown\(JSONFault.hint(nearestSpelling(of: word, among: words), accepted: words))"
        }
    }
}
