/// Where a bus listens, worked out from an environment and nothing else.
///
/// sd-bus would read the process's own environment, and some address kinds make it start a program (`unixexec:`,
/// `autolaunch:` elsewhere). A probe never starts anything, so only `unix:` sockets pass.
struct BusAddress: Equatable {
    /// One or more `unix:` addresses, separated by `;`, as sd-bus takes them.
    let text: String

    /// The address of `bus` for a process with this environment. An empty variable counts as unset.
    ///
    /// - Throws: `BusError.unavailable` with `.noAddress` where nothing names the bus, `.unsupportedAddress` where what
    ///   names it is no socket.
    init(of bus: Bus, in environment: [String: String]) throws(BusError) {
        if let address = environment[bus.addressVariable], !address.isEmpty {
            guard let sockets = BusAddress.sockets(of: address) else {
                throw .unavailable(bus, .unsupportedAddress)
            }
            text = sockets
            return
        }
        switch bus {
        case .session:
            guard let directory = environment["XDG_RUNTIME_DIR"], directory.utf8.first == UInt8(ascii: "/") else {
                throw .unavailable(bus, .noAddress)
            }
            text = "unix:path=" + BusAddress.escaped(directory + "/bus")
        case .system:
            text = "unix:path=/run/dbus/system_bus_socket"
        }
    }

    /// The address of `bus`, or why there is none.
    static func result(of bus: Bus, in environment: [String: String]) -> Result<BusAddress, BusError> {
        do throws(BusError) { return .success(try BusAddress(of: bus, in: environment)) } catch {
            return .failure(error)
        }
    }

    /// The `unix:` entries of an address list, or nil where it has none.
    private static func sockets(of list: String) -> String? {
        let sockets = list.split(separator: ";").filter { $0.hasPrefix("unix:") }
        return sockets.isEmpty ? nil : sockets.joined(separator: ";")
    }

    /// `path` with everything but the specification's "optionally-escaped bytes" percent-encoded.
    private static func escaped(_ path: String) -> String {
        var escaped = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
                UInt8(ascii: "."):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16)
                escaped += byte < 16 ? "%0" + digits : "%" + digits
            }
        }
        return escaped
    }
}

extension Bus {
    /// The environment variable that names where this bus listens.
    var addressVariable: String {
        switch self {
        case .session: "DBUS_SESSION_BUS_ADDRESS"
        case .system: "DBUS_SYSTEM_BUS_ADDRESS"
        }
    }
}
