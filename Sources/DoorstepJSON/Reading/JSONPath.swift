/// Where in a document a value stands, for example `steps[0].id`.
public struct JSONPath: Sendable, Hashable, CustomStringConvertible {
    /// One step down.
    public enum Element: Sendable, Hashable {
        /// Into a member of an object.
        case key(String)
        /// Into an element of an array, from 0.
        case index(Int)
    }

    /// The steps from the top.
    public let elements: [Element]

    /// The whole document.
    public static let root = JSONPath(elements: [])

    /// A path of these steps.
    public init(elements: [Element]) { self.elements = elements }

    /// The path of a member.
    public func key(_ key: String) -> JSONPath { JSONPath(elements: elements + [.key(key)]) }

    /// The path of an array's element, from 0.
    public func index(_ index: Int) -> JSONPath { JSONPath(elements: elements + [.index(index)]) }

    /// `steps[0].id`, with keys that are no identifiers as `["a b"]`; the root is `(the whole document)`.
    public var description: String {
        if elements.isEmpty { return "(the whole document)" }
        var text = ""
        for element in elements {
            switch element {
            case .index(let index): text += "[\(index)]"
            case .key(let key) where Self.isIdentifier(key): text += text.isEmpty ? key : ".\(key)"
            case .key(let key): text += "[\(quoted(key))]"
            }
        }
        return text
    }

    private static func isIdentifier(_ key: String) -> Bool {
        guard let first = key.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        return key.utf8.count <= 64
            && key.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
                default: false
                }
            }
    }
}
