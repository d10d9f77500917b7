/// Every mistake of one document, at least one.
public struct JSONFaults: Error, Sendable, Hashable, CustomStringConvertible {
    /// The mistakes in the order they were met.
    public let faults: [JSONFault]

    /// The mistakes of a document.
    public init(_ faults: [JSONFault]) { self.faults = faults }

    /// One mistake a line.
    public var description: String { faults.map(\.description).joined(separator: "\n") }
}
