internal import DoorstepBus
internal import DoorstepPluginKit

/// Whether the screen can be captured. With a portal the user is asked each time, so that is never granted beforehand.
struct ScreenCaptureProbe: PermissionProbe {
    let kind = "screen-capture"
    let summary = "The screen can be captured"
    let subject = CheckSubject.app
    let icon = "video-display-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "Screen Capture"),
        LocalizedText.Entry(tag: "de", text: "Bildschirmaufnahme"),
        LocalizedText.Entry(tag: "ar", text: "التقاط الشاشة"),
        LocalizedText.Entry(tag: "ja", text: "画面収録"),
    ])

    func watches(_ options: Void, in context: ProbeContext) -> [Watch] {
        [.owner(.session, Request.portal), .properties(.session, of: Request.portal, path: Request.portalPath)]
            + Watch.store("screencast")
    }

    func words(for status: AuthorizationStatus, _ options: Void) -> LocalizedText? {
        guard status == .notDetermined else { return nil }
        return .sentence(
            en: "You will be asked each time the screen is captured.",
            de: "Sie werden jedes Mal gefragt, wenn der Bildschirm aufgenommen wird.",
            ar: "سيُطلب إذنك في كل مرة تُلتقط فيها الشاشة.",
            ja: "画面を収録するたびに確認されます。")
    }

    func finding(_ options: Void, in context: ProbeContext) async throws(BusError) -> Finding {
        if !context.isSandboxed, context.variable("DISPLAY") != nil, context.variable("WAYLAND_DISPLAY") == nil {
            return .granted(.ungated, "every program on an X11 display can capture it")
        }
        let portal = "org.freedesktop.portal.Desktop"
        if let absence = try await context.absence(of: portal, "the desktop portal", on: .session) { return absence }
        let types = try await context.buses.property(
            .session, destination: portal, path: "/org/freedesktop/portal/desktop",
            interface: "org.freedesktop.portal.ScreenCast", name: "AvailableSourceTypes", expecting: "u",
            deadline: context.deadline)
        guard types.uint32 != 0 else {
            return Finding(.unavailable, "the desktop portal has no screen to capture")
        }
        if try await context.storeKeeps(table: "screencast") {
            return .granted(
                .explicit, mode: .whileInUse, "the permission store has a capture that the app may go on with unasked")
        }
        return Finding(.notDetermined, "the desktop portal asks each time the screen is captured")
    }
}
