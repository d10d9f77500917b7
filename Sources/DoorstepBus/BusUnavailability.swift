/// Why a bus can't be reached at all.
public enum BusUnavailability: Sendable, Hashable {
    /// libsystemd, which carries the D-Bus client, isn't installed.
    case noLibrary
    /// Nothing in the environment says where the bus is: a shell without a login session, a container, a build.
    case noAddress
    /// The environment names the bus by something other than a socket, such as `autolaunch:` or `disabled:`.
    case unsupportedAddress
    /// The address has no socket behind it.
    case noSocket
    /// The socket is there and nobody listens.
    case refused
    /// The bus turned this user away: root on a user's bus, or one user on another's.
    case notAllowed
    /// Something else, as an errno value.
    case failed(errno: Int32)
}

extension BusUnavailability {
    /// The reason as the second half of a sentence.
    func explanation(for bus: Bus) -> String {
        switch self {
        case .noLibrary:
            "libsystemd.so.0 isn't installed"
        case .noAddress:
            "DBUS_SESSION_BUS_ADDRESS and XDG_RUNTIME_DIR are unset, so this runs outside a login session"
        case .unsupportedAddress:
            "\(bus.addressVariable) doesn't name a usable unix: socket"
        case .noSocket:
            "nothing is at its address"
        case .refused:
            "nobody listens at its address"
        case .notAllowed:
            "it turned this user away, so it belongs to another user"
        case .failed(let errno):
            "connecting failed with errno \(errno)"
        }
    }
}
