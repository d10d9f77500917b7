internal import DoorstepJSON

/// One mistake in a manifest file.
public struct ManifestFault: Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public var file: String
    /// Where in the file: a JSON path, a line and column, or empty for the whole file.
    public var place: String
    /// The reason, and what is accepted.
    public var message: String

    /// A mistake at a JSON path.
    init(file: String, _ fault: JSONFault) {
        self.init(file: file, place: fault.path.elements.isEmpty ? "" : fault.path.description, message: fault.message)
    }

    /// A mistake from its parts.
    public init(file: String, place: String = "", message: String) {
        self.file = file
        self.place = place
        self.message = message
    }

    /// For example `com.example.aurora.json: steps[0].id: this is an integer; it must be a string`.
    public var description: String {
        place.isEmpty ? "\(file): \(message)" : "\(file): \(place): \(message)"
    }
}
