internal import DoorstepBus
internal import DoorstepPluginKit

/// Whether a Bluetooth adapter is there and switched on.
struct BluetoothProbe: PermissionProbe {
    let kind = "bluetooth"
    let summary = "A Bluetooth adapter is there and switched on"
    let subject = CheckSubject.user
    let icon = "bluetooth-symbolic"
    let title = LocalizedText("Bluetooth")

    private static let name = "org.bluez"
    private static let adapter = "org.bluez.Adapter1"

    let settings: SettingsPanel? = .bluetooth

    func watches(_ options: Void, in context: ProbeContext) -> [Watch] {
        [
            .owner(.system, Self.name), .properties(.system, of: Self.name),
            .signal(.system, BusMatch(sender: Self.name, interface: "org.freedesktop.DBus.ObjectManager")),
        ]
    }

    func remedy(for status: AuthorizationStatus, _ options: Void, in context: ProbeContext) -> Remedy {
        status == .denied ? .ask(.turnOn) : .settings
    }

    func ask(_ options: Void, with request: Request) async throws(RequestError) {
        let objects = try await request.call(
            .system, Self.name, "/", "org.freedesktop.DBus.ObjectManager.GetManagedObjects", [])
        let adapters = (objects.first?.dictionary ?? [:]).filter { $0.value.dictionary?[Self.adapter] != nil }
        guard let adapter = adapters.keys.min() else { throw .missing(Self.name) }
        _ = try await request.call(
            .system, Self.name, adapter, "org.freedesktop.DBus.Properties.Set",
            [.string(Self.adapter), .string("Powered"), .variant(.bool(true))])
    }

    func words(for status: AuthorizationStatus, _ options: Void) -> LocalizedText? {
        guard status == .denied else { return nil }
        return .sentence(
            en: "Bluetooth is switched off.",
            de: "Bluetooth ist ausgeschaltet.",
            ar: "البلوتوث مطفأ.",
            ja: "Bluetoothがオフになっています。")
    }

    func finding(_ options: Void, in context: ProbeContext) async throws(BusError) -> Finding {
        // Its unit isn't started where there is no adapter, so an idle service means that there is none.
        switch try await context.presence(.system, Self.name) {
        case .running: break
        case .activatable: return Finding(.unknown, "the Bluetooth service is installed but not running")
        case .absent: return Finding(.unavailable, "no Bluetooth service (\(Self.name)) is installed")
        case .hidden: return Finding(.unknown, "the sandbox hides whether there is Bluetooth")
        }
        let answer = try await context.buses.call(
            .system, destination: Self.name, path: "/", interface: "org.freedesktop.DBus.ObjectManager",
            member: "GetManagedObjects", expecting: "a{oa{sa{sv}}}", deadline: context.deadline)
        var adapters = 0
        for object in (answer.first?.dictionary ?? [:]).values {
            guard let adapter = object.dictionary?[Self.adapter]?.dictionary else { continue }
            adapters += 1
            if try adapter.value("Powered", "b")?.bool == true {
                let name = adapter["Alias"]?.string ?? adapter["Name"]?.string ?? "a Bluetooth adapter"
                return .granted(.ungated, "\(name) is switched on")
            }
        }
        return adapters == 0
            ? Finding(.unavailable, "there is no Bluetooth adapter") : Finding(.denied, "Bluetooth is switched off")
    }
}
