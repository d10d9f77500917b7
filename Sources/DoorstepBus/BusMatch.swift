/// Which signals are wanted: those that fit everything that is given here.
public struct BusMatch: Sendable, Hashable {
    /// The name of the service that sends them, or nil for anybody.
    public var sender: String?
    /// The object that they come from, or nil for any.
    public var path: String?
    /// Their interface, or nil for any.
    public var interface: String?
    /// Their name, or nil for any.
    public var member: String?
    /// What their first argument, a string, must be, or nil for anything.
    public var firstArgument: String?

    /// A match from its parts.
    public init(
        sender: String? = nil, path: String? = nil, interface: String? = nil, member: String? = nil,
        firstArgument: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.firstArgument = firstArgument
    }

    /// Somebody begins or ceases to own a name: a service started, stopped or crashed.
    public static func owner(of name: String) -> BusMatch {
        BusMatch(
            sender: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: "NameOwnerChanged", firstArgument: name)
    }

    /// Properties of an object changed.
    ///
    /// - Parameter interface: The interface that has them, or nil for any.
    public static func properties(of name: String, path: String? = nil, interface: String? = nil) -> BusMatch {
        BusMatch(
            sender: name, path: path, interface: MethodCall.propertiesInterface, member: "PropertiesChanged",
            firstArgument: interface)
    }

    /// The rule as a bus reads it.
    var rule: String {
        var parts = ["type='signal'"]
        for (key, value) in [
            ("sender", sender), ("path", path), ("interface", interface), ("member", member), ("arg0", firstArgument),
        ] {
            guard let value else { continue }
            // Inside quotes nothing is escaped, so an apostrophe stands between two quoted pieces; also one under a mark,
            // which is another character but the same scalar.
            let pieces = value.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
            parts.append("\(key)='\(pieces.map { String($0) }.joined(separator: #"'\''"#))'")
        }
        return parts.joined(separator: ",")
    }
}
