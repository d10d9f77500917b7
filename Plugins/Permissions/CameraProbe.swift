internal import DoorstepBus
internal import DoorstepPluginKit
internal import Glibc

/// Whether there is a camera and the app may use it: two questions, and an allowed camera that isn't there is unavailable.
struct CameraProbe: PermissionProbe {
    let kind = "camera"
    let summary = "There is a camera, and the app may use it"
    let subject = CheckSubject.app
    let icon = "camera-web-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "Camera"),
        LocalizedText.Entry(tag: "de", text: "Kamera"),
        LocalizedText.Entry(tag: "ar", text: "الكاميرا"),
        LocalizedText.Entry(tag: "ja", text: "カメラ"),
    ])

    let settings: SettingsPanel? = .camera

    func watches(_ options: Void, in context: ProbeContext) -> [Watch] {
        let portal: Watch = .properties(.session, of: Request.portal, path: Request.portalPath)
        return Watch.store("devices") + [context.isSandboxed ? portal : .file("/dev/video*")]
            + Lockdown.camera.watches(in: context)
    }

    func remedy(for status: AuthorizationStatus, _ options: Void, in context: ProbeContext) -> Remedy {
        // Outside a sandbox the node decides, and no portal changes that.
        status == .notDetermined ? .ask(.allow) : .settings
    }

    func ask(_ options: Void, with request: Request) async throws(RequestError) {
        try await request.start(Request.portal, on: .session)
        try await request.portal("org.freedesktop.portal.Camera.AccessCamera")
    }

    func finding(_ options: Void, in context: ProbeContext) async throws(BusError) -> Finding {
        context.isSandboxed ? try await sandboxed(in: context) : try await native(in: context)
    }

    /// Inside a sandbox the portal alone hands out cameras.
    private func sandboxed(in context: ProbeContext) async throws(BusError) -> Finding {
        let isPresent = try await context.buses.property(
            .session, destination: "org.freedesktop.portal.Desktop", path: "/org/freedesktop/portal/desktop",
            interface: "org.freedesktop.portal.Camera", name: "IsCameraPresent", expecting: "b",
            deadline: context.deadline)
        guard isPresent.bool == true else { return Finding(.unavailable, "the camera portal sees no camera") }
        let entry = try await context.storeEntry(table: "devices", id: "camera").get()
        if entry == .silent { return Finding(.unknown, "the sandbox hides what was decided on the camera") }
        return decision(entry) ?? Finding(.notDetermined, "nobody has decided on the camera yet")
    }

    /// Outside one, the device nodes decide, and the store only where somebody wrote into it.
    private func native(in context: ProbeContext) async throws(BusError) -> Finding {
        let nodes = context.machine.names(in: "/dev").filter { $0.hasPrefix("video") }.map { "/dev/" + $0 }
        guard let first = nodes.first else { return Finding(.unavailable, "there is no camera (/dev/video*)") }
        if let locked = try await Lockdown.camera.finding(in: context).get() { return locked }
        let readable = nodes.first { context.machine.isAccessible($0, R_OK | W_OK) }
        guard let readable else { return Finding(.denied, "\(first) may not be opened by this user") }
        let entry: StoreEntry
        do throws(BusError) {
            entry = try await context.storeEntry(table: "devices", id: "camera").get()
        } catch {
            // The node is what guards the camera here; without a session there is simply no store.
            guard error.isUnavailable else { throw error }
            entry = .absent
        }
        return decision(entry) ?? .granted(.ungated, "\(readable) can be opened, and nothing else guards it")
    }

    private func decision(_ entry: StoreEntry) -> Finding? {
        switch StoredDecision(entry, in: "devices") {
        case .yes: .granted(.explicit, "the permission store's entry for the camera is \"yes\"")
        case .no: Finding(.denied, "the permission store's entry for the camera is \"no\"")
        case .ask: Finding(.notDetermined, "the permission store says to ask for the camera each time")
        case .unreadable(let finding): finding
        case .undecided: nil
        }
    }
}
