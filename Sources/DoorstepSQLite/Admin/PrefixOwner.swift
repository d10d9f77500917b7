internal import Doorstep

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

    var registration: FlowRegistration { FlowRegistration(app: app, prefix: prefix) }
}

extension Connection {
    /// The apps in a table whose prefixes overlap one, found through the table's index of prefixes and not by reading all.
    func owners(
        in table: String, overlapping prefix: String
    ) throws(OnboardingStorageError) -> [PrefixOwner] {
        // Nothing overlaps what is no prefix.
        guard prefix.utf8.last == UInt8(ascii: ".") else { return [] }
        var owners: [PrefixOwner] = []
        func add(_ filter: String, _ values: [SQLValue]) throws(OnboardingStorageError) {
            try query("SELECT app, prefix FROM \(table) WHERE \(filter)", values, "look apps up") {
                (row) throws(OnboardingStorageError) in
                owners.append(PrefixOwner(app: row.text(0), prefix: row.text(1)))
            }
        }
        // Each prefix ends in a dot, so those that this one begins with end at one of its dots.
        for place in prefix.utf8.indices.dropLast() where prefix.utf8[place] == UInt8(ascii: ".") {
            try add("prefix = ?1", [.text(String(decoding: prefix.utf8[...place], as: UTF8.self))])
        }
        // Those that begin with it stand from it on, and before what has the byte behind the dot in the dot's place.
        let end = String(prefix.unicodeScalars.dropLast()) + "/"
        try add("prefix >= ?1 AND prefix < ?2", [.text(prefix), .text(end)])
        return owners
    }
}
