internal import DoorstepBus
internal import DoorstepPluginKit

/// A switch that takes something from all apps at once, as the desktop's settings and its portal know it.
enum Lockdown {
    case location, camera, microphone

    private static let interface = "org.freedesktop.impl.portal.Lockdown"

    /// Why no app may use it now, or nil where nothing says so.
    func finding(in context: ProbeContext) async -> Result<Finding?, BusError> {
        let key = setting.key
        switch context.desktopSettings.bool(key) {
        case .unreadable(let words): return .success(Finding(.unknown, words))
        case setting.locked: return .success(Finding(.restricted, "the desktop's setting \(key) switches it off"))
        case .on, .off, .unset: break
        }
        return await portal(in: context)
    }

    /// What tells that the switch may stand otherwise now.
    func watches(in context: ProbeContext) -> [Watch] {
        let backend = Self.backend(in: context).map {
            [Watch.owner(.session, $0), .properties(.session, of: $0, path: Request.portalPath)]
        }
        return DesktopSettings.watches(in: context) + (backend ?? [])
    }

    private var setting: (key: String, locked: DesktopSettings.Setting) {
        switch self {
        case .location: ("/org/gnome/system/location/enabled", .off)
        case .camera: ("/org/gnome/desktop/privacy/disable-camera", .on)
        case .microphone: ("/org/gnome/desktop/privacy/disable-microphone", .on)
        }
    }

    private var property: String {
        switch self {
        case .location: "disable-location"
        case .camera: "disable-camera"
        case .microphone: "disable-microphone"
        }
    }

    /// What the portal's backend says, where one runs.
    private func portal(in context: ProbeContext) async -> Result<Finding?, BusError> {
        guard let backend = Self.backend(in: context) else { return .success(nil) }
        do throws(BusError) {
            guard try await context.presence(.session, backend) == .running else { return .success(nil) }
            let isLocked = try await context.buses.property(
                .session, destination: backend, path: Request.portalPath, interface: Self.interface, name: property,
                expecting: "b", deadline: context.deadline)
            return .success(
                isLocked.bool == true ? Finding(.restricted, "the desktop portal has it locked (\(property))") : nil)
        } catch {
            // Without a session there is no portal either.
            return error.isUnavailable || error.isUnknownFeature ? .success(nil) : .failure(error)
        }
    }

    /// The bus name of the portal's backend that has the switches, as this pass found it. A sandbox sees none.
    private static func backend(in context: ProbeContext) -> String? {
        context.isSandboxed ? nil : context.machine.once("the portal's backend") { Backend(in: context) }.name
    }

    /// The backend that the portal chooses for its switches: the desktop's own, else the first one installed.
    private struct Backend: Sendable {
        let name: String?

        init(in context: ProbeContext) {
            let directory = "/usr/share/xdg-desktop-portal/portals"
            let desktops = context.desktops
            var first: String?
            for name in context.machine.names(in: directory) where name.hasSuffix(".portal") {
                guard let file = context.machine.parsed("\(directory)/\(name)", by: KeyFile.init) else { continue }
                func list(_ key: String) -> [String] {
                    (file["portal", key] ?? "").split(separator: ";").map(String.init)
                }
                guard let service = file["portal", "DBusName"], list("Interfaces").contains(interface) else { continue }
                if list("UseIn").contains(where: { desktops.contains($0.lowercased()) }) {
                    self.name = service
                    return
                }
                first = first ?? service
            }
            name = first
        }
    }
}
