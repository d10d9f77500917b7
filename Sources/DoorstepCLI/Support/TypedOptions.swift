internal import DoorstepJSON

/// The options of a step as somebody types them: `key=value` words.
struct TypedOptions {
    private var texts: [(key: String, value: String)] = []

    /// Reads the words.
    ///
    /// - Throws: ``CommandFailure`` for one that isn't `key=value`.
    init(_ words: [String]) throws(CommandFailure) {
        for word in words {
            guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
                throw CommandFailure(
                    .invalid, "\"\(word)\" is not an option; accepted: key=value, such as timeout=2s")
            }
            texts.append((String(word[..<equals]), String(word[word.index(after: equals)...])))
        }
    }

    /// The options. A value is JSON, or a text where it isn't any, or where the kind takes nothing else: `2.30` is a number,
    /// but to a kind that wants a version there it is that text.
    ///
    /// - Parameter faults: What the kind has against options.
    func object(_ faults: (JSONObject) -> [JSONFault]) -> JSONObject {
        var object = JSONObject()
        for (key, value) in texts { object[key] = Self.value(value) }
        for fault in faults(object) {
            guard case .key(let key)? = fault.path.elements.first, let text = texts.last(where: { $0.key == key })
            else { continue }
            var other = object
            other[key] = .string(text.value)
            if !faults(other).contains(where: { $0.path.elements.first == .key(key) }) { object = other }
        }
        return object
    }

    private static func value(_ text: String) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONValue(parsing: text)
        } catch {
            return .string(text)
        }
    }
}
