/// The members of a JSON object, in order, each key once.
///
/// Two objects are equal when they have the same members in the same order: order carries meaning here (of a map of
/// texts, the first is the fallback). Keys are compared as Swift compares strings, so canonically equivalent keys
/// ("é" in one or in two scalars) are the same key.
public struct JSONObject: Sendable, Hashable, Sequence, ExpressibleByDictionaryLiteral {
    /// The keys, in order.
    public private(set) var keys: [String] = []
    private var values: [JSONValue] = []
    /// Where each key stands; kept from ``indexedCount`` members on, because a few keys are found faster without.
    private var places: [String: Int] = [:]
    private static let indexedCount = 16

    /// An object without members.
    public init() {}

    /// Members in this order; of a key that comes twice the last value stays, at the first one's place.
    public init(_ members: some Sequence<(String, JSONValue)>) {
        for (key, value) in members { self[key] = value }
    }

    /// An object written in source code; see ``init(_:)`` for a key that comes twice.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }

    /// How many members there are.
    public var count: Int { keys.count }

    /// Whether there are none.
    public var isEmpty: Bool { keys.isEmpty }

    /// The value of a key, nil where there is none.
    ///
    /// Setting replaces in place or appends; setting nil removes (JSON's null is `.some(.null)`).
    public subscript(key: String) -> JSONValue? {
        get { place(of: key).map { values[$0] } }
        set {
            switch (place(of: key), newValue) {
            case (let place?, let value?): values[place] = value
            case (nil, let value?): append(key, value)
            case (let place?, nil):
                keys.remove(at: place)
                values.remove(at: place)
                places = [:]
                if keys.count >= Self.indexedCount { indexAll() }
            case (nil, nil): break
            }
        }
    }

    /// The members, in order.
    public func makeIterator() -> AnyIterator<(key: String, value: JSONValue)> {
        var position = 0
        return AnyIterator {
            guard position < keys.count else { return nil }
            defer { position += 1 }
            return (keys[position], values[position])
        }
    }

    /// Whether both have the same members in the same order.
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        one.keys == other.keys && one.values == other.values
    }

    /// Feeds keys and values in order, in agreement with `==`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(keys)
        hasher.combine(values)
    }

    func contains(_ key: String) -> Bool { place(of: key) != nil }

    /// Adds a member whose key the caller knows to be new.
    mutating func append(_ key: String, _ value: JSONValue) {
        keys.append(key)
        values.append(value)
        if keys.count > Self.indexedCount {
            places[key] = keys.count - 1
        } else if keys.count == Self.indexedCount {
            indexAll()
        }
    }

    private mutating func indexAll() {
        for (place, key) in keys.enumerated() { places[key] = place }
    }

    private func place(of key: String) -> Int? {
        keys.count < Self.indexedCount ? keys.firstIndex(of: key) : places[key]
    }
}
