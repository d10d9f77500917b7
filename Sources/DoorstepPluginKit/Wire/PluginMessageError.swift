/// Why a line is no message of the protocol.
public struct PluginMessageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One clause for a person, such as `the line is not JSON: …`.
    public let message: String

    /// An error with its clause.
    public init(_ message: String) {
        self.message = message
    }

    /// The clause.
    public var description: String { message }
}
