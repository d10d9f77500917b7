internal import DoorstepBus
internal import DoorstepPluginKit

/// Whether the machine is online. It is a hint and no gate: VPNs and captive portals fool everybody who says so.
struct NetworkProbe: PermissionProbe {
    let kind = "network"
    let summary = "The machine is online"
    let subject = CheckSubject.user
    let icon = "network-wired-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "Network"),
        LocalizedText.Entry(tag: "de", text: "Netzwerk"),
        LocalizedText.Entry(tag: "ar", text: "الشبكة"),
        LocalizedText.Entry(tag: "ja", text: "ネットワーク"),
    ])

    private static let name = "org.freedesktop.NetworkManager"

    let settings: SettingsPanel? = .network

    func watches(_ options: Void, in context: ProbeContext) -> [Watch] {
        [
            .owner(.system, Self.name), .properties(.system, of: Self.name, path: "/org/freedesktop/NetworkManager"),
            .routes,
        ]
    }

    func remedy(for status: AuthorizationStatus, _ options: Void, in context: ProbeContext) -> Remedy {
        .settings
    }

    func words(for status: AuthorizationStatus, _ options: Void) -> LocalizedText? {
        guard status == .denied || status == .unavailable else { return nil }
        return .sentence(
            en: "This machine isn’t connected to the internet.",
            de: "Dieser Rechner ist nicht mit dem Internet verbunden.",
            ar: "هذا الجهاز غير متصل بالإنترنت.",
            ja: "このコンピューターはインターネットに接続されていません。")
    }

    func finding(_ options: Void, in context: ProbeContext) async throws(BusError) -> Finding {
        do throws(BusError) {
            guard try await context.presence(.system, Self.name) == .running else { return routes(in: context) }
        } catch {
            guard error.isUnavailable else { throw error }
            return routes(in: context)
        }
        let properties = try await context.buses.properties(
            .system, destination: Self.name, path: "/org/freedesktop/NetworkManager", interface: Self.name,
            deadline: context.deadline)
        guard let connectivity = try properties.value("Connectivity", "u")?.uint32 else {
            return Finding(.unavailable, "NetworkManager doesn't tell its connectivity")
        }
        // 1 is "yes" and 3 "probably yes".
        let isMetered = try properties.value("Metered", "u")?.uint32.map { $0 == 1 || $0 == 3 } ?? false
        let cost = isMetered ? ", metered" : ""
        let isChecked = try properties.value("ConnectivityCheckEnabled", "b")?.bool ?? false
        switch connectivity {
        case 4 where isChecked:
            return .granted(.ungated, "NetworkManager reached the internet\(cost)")
        case 4:
            // Without its check NetworkManager says "full" on any link, also without internet.
            return .granted(.ungated, mode: .unverified, "NetworkManager is connected, and checks no further\(cost)")
        case 3: return Finding(.denied, "NetworkManager is connected, but not to the internet")
        case 2: return Finding(.denied, "the network wants a sign-in on a page of its own first")
        case 1: return Finding(.unavailable, "NetworkManager isn't connected")
        default: return Finding(.unavailable, "NetworkManager doesn't know its connectivity")
        }
    }

    /// Without NetworkManager a default route is all that can be told.
    private func routes(in context: ProbeContext) -> Finding {
        let version4 = context.machine.parsed("/proc/net/route", by: RouteTable.version4)
        let version6 = context.machine.parsed("/proc/net/ipv6_route", by: RouteTable.version6)
        return version4?.hasDefault == true || version6?.hasDefault == true
            ? .granted(.ungated, mode: .unverified, "there is a default route, and nobody checks further")
            : Finding(.unavailable, "there is no default route")
    }
}

/// Whether a table of routes that the kernel prints has one to everywhere.
private struct RouteTable {
    let hasDefault: Bool

    /// Interface Destination Gateway Flags RefCnt Use Metric Mask …; flag 1 is "up".
    static func version4(_ text: String) -> RouteTable {
        RouteTable(text, dropping: 1) { columns in
            columns.count > 7 && columns[1] == "00000000" && columns[7] == "00000000"
                && (UInt32(columns[3], radix: 16) ?? 0) & 1 != 0
        }
    }

    /// Destination, its prefix length, …, flags, interface; the loopback carries an unreachable default.
    static func version6(_ text: String) -> RouteTable {
        RouteTable(text, dropping: 0) { columns in
            columns.count > 9 && columns[0].utf8.allSatisfy { $0 == UInt8(ascii: "0") } && columns[1] == "00"
                && columns[9] != "lo"
        }
    }

    private init(_ text: String, dropping headings: Int, isDefault: ([Substring]) -> Bool) {
        // Byte by byte: a router has thousands of these lines.
        hasDefault = text.utf8.split(separator: UInt8(ascii: "\n")).dropFirst(headings).contains { line in
            isDefault(line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map(Substring.init))
        }
    }
}
