/// Why a plugin could not make a page or perform an action.
public struct PluginError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence for a person.
    public let message: String

    /// An error with its sentence.
    public init(_ message: String) {
        self.message = message
    }

    /// One sentence for a person.
    public var description: String { message }
}
