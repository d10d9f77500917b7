internal import DoorstepBus

/// systemd, which runs the machine's services, and another one each user's.
enum Systemd {
    static let name = "org.freedesktop.systemd1"
    static let path = "/org/freedesktop/systemd1"
    static let manager = "org.freedesktop.systemd1.Manager"

    /// What a unit's object is called, loaded or not: its name with everything but letters and digits written as `_xx`.
    static func path(of unit: String) -> String {
        var path = "\(path)/unit/"
        for (index, byte) in unit.utf8.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                path.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: "0")...UInt8(ascii: "9") where index > 0:
                path.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                path += (byte < 16 ? "_0" : "_") + String(byte, radix: 16)
            }
        }
        return path
    }

    /// What systemd sends when a unit's state changes.
    static func changes(of unit: String) -> BusMatch { .properties(of: name, path: path(of: unit)) }

    /// Has systemd send signals of its units, which it does only while somebody is subscribed. Nothing else changes by it,
    /// and it ends with the connection.
    static func subscribe(_ client: BusClient, _ bus: Bus, deadline: ContinuousClock.Instant) async {
        // Where there is none, its start is what is waited for.
        _ = try? await client.call(
            bus, destination: name, path: path, interface: manager, member: "Subscribe", deadline: deadline)
    }
}
