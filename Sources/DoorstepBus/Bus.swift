/// One of the two message buses of a Linux machine.
public enum Bus: Sendable, Hashable, CaseIterable {
    /// The bus of one user's login: notification servers, portals, key rings.
    case session
    /// The bus of the whole machine: network, Bluetooth, logind, polkit.
    case system
}

extension Bus: CustomStringConvertible {
    /// The bus as a sentence names it: "session bus" or "system bus".
    public var description: String {
        switch self {
        case .session: "session bus"
        case .system: "system bus"
        }
    }
}
