/// What an error means for a question, whichever of its spellings a server chose.
///
/// Servers disagree: GDBus answers `InvalidArgs` "No such interface" where others say `UnknownInterface`, and an
/// activation that fails has five names.
extension BusError {
    /// There is no bus to ask.
    public var isUnavailable: Bool {
        if case .unavailable = self { true } else { false }
    }

    /// The service hung or died: our deadline passed, or the bus says that nobody will reply.
    public var isTimeout: Bool {
        switch self {
        case .timeout: true
        case .remote(let name, _): name == "\(Self.standard)NoReply" || name == "\(Self.standard)Timeout"
        default: false
        }
    }

    /// Nobody owns the name that was asked. Whether somebody could is `BusClient.isActivatable`.
    public var isNotOwned: Bool {
        guard case .remote(let name, let message) = self else { return false }
        return switch name {
        case "\(Self.standard)ServiceUnknown": true
        case "\(Self.standard)NameHasNoOwner": !Self.tellsOfActivation(message)
        default: false
        }
    }

    /// The service answers, but has no such object, interface, method or property: a feature that it lacks.
    public var isUnknownFeature: Bool {
        guard case .remote(let name, let message) = self, name.hasPrefix(Self.standard) else { return false }
        return switch name.dropFirst(Self.standard.count) {
        case "UnknownObject", "UnknownInterface", "UnknownMethod", "UnknownProperty": true
        case "InvalidArgs": message.lowercased().hasPrefix("no such ")
        default: false
        }
    }

    /// A portal or its permission store has no such entry: nobody has decided yet.
    public var isNotFound: Bool {
        guard case .remote(let name, _) = self else { return false }
        return name == "org.freedesktop.portal.Error.NotFound"
    }

    /// The caller may not ask this, be it by the bus's policy or by polkit.
    public var isAccessDenied: Bool {
        guard case .remote(let name, _) = self else { return false }
        return switch name {
        case "\(Self.standard)AccessDenied", "\(Self.standard)AuthFailed",
            "\(Self.standard)InteractiveAuthorizationRequired", "org.freedesktop.PolicyKit1.Error.NotAuthorized":
            true
        default: false
        }
    }

    /// Somebody started the service and it didn't come up. Our calls start nothing, but join what others started.
    public var isActivationFailure: Bool {
        guard case .remote(let name, let message) = self, name.hasPrefix(Self.standard) else { return false }
        let kind = name.dropFirst(Self.standard.count)
        return kind == "TimedOut" || kind == "FileExists" || kind.hasPrefix("Spawn.")
            || (kind == "NameHasNoOwner" && Self.tellsOfActivation(message))
    }

    private static let standard = "org.freedesktop.DBus.Error."

    private static func tellsOfActivation(_ message: String) -> Bool {
        message.hasPrefix("Could not activate")
    }
}
