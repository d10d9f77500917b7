/// Whose a prefix is.
package struct PrefixOwner: Sendable, Hashable {
    /// The app.
    package var app: String
    /// Its prefix.
    package var prefix: String

    /// An owner from its parts.
    package init(app: String, prefix: String) {
        self.app = app
        self.prefix = prefix
    }

    /// Whether one of two prefixes begins with the other.
    package func overlaps(_ other: PrefixOwner) -> Bool { FlowRegistration.overlap(prefix, other.prefix) }

    var registration: FlowRegistration { FlowRegistration(app: app, prefix: prefix) }
}
