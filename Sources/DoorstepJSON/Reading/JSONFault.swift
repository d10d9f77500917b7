/// One mistake in a document that is JSON, but not the JSON that was expected.
public struct JSONFault: Sendable, Hashable, CustomStringConvertible {
    /// Where it is.
    public let path: JSONPath
    /// The reason and what is accepted.
    public let message: String

    /// A mistake at a path.
    public init(path: JSONPath, message: String) {
        self.path = path
        self.message = message
    }

    /// For example `steps[0].id: this is an integer; it must be a string`.
    public var description: String { "\(path): \(message)" }
}
