internal import DoorstepBus
internal import DoorstepPluginKit
internal import Glibc

/// Whether the user's services keep running after logout.
struct LingerProbe: PermissionProbe {
    let kind = "linger"
    let summary = "The user's services keep running after logout"
    let subject = CheckSubject.user
    let icon = "system-shutdown-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "Running After Logout"),
        LocalizedText.Entry(tag: "de", text: "Nach dem Abmelden weiterlaufen"),
        LocalizedText.Entry(tag: "ar", text: "العمل بعد تسجيل الخروج"),
        LocalizedText.Entry(tag: "ja", text: "ログアウト後の実行"),
    ])

    private static let name = "org.freedesktop.login1"

    func watches(_ options: Void, in context: ProbeContext) -> [Watch] {
        Self.userName(in: context).map { [.file("/var/lib/systemd/linger/\($0)")] } ?? []
    }

    func remedy(for status: AuthorizationStatus, _ options: Void, in context: ProbeContext) -> Remedy {
        status == .notDetermined ? .ask(.turnOn) : .none
    }

    func ask(_ options: Void, with request: Request) async throws(RequestError) {
        // Users may set it for themselves without a question; a policy that wants one says no.
        _ = try await request.call(
            .system, Self.name, "/org/freedesktop/login1", "org.freedesktop.login1.Manager.SetUserLinger",
            [.uint32(getuid()), .bool(true), .bool(false)])
    }

    func words(for status: AuthorizationStatus, _ options: Void) -> LocalizedText? {
        guard status == .notDetermined else { return nil }
        return .sentence(
            en: "Its services end when you log out.",
            de: "Ihre Dienste enden, wenn Sie sich abmelden.",
            ar: "تتوقف خدماتك عند تسجيل الخروج.",
            ja: "ログアウトするとサービスは終了します。")
    }

    func finding(_ options: Void, in context: ProbeContext) async throws(BusError) -> Finding {
        // logind keeps the setting as a file that everybody may see, which needs no bus and no session.
        if context.machine.exists("/var/lib/systemd/linger"), let user = Self.userName(in: context) {
            let file = "/var/lib/systemd/linger/\(user)"
            return context.machine.exists(file)
                ? .granted(.explicit, "\(file) is there") : Finding(.notDetermined, "\(file) isn't there")
        }
        if let absence = try await context.absence(of: Self.name, "logind", on: .system) { return absence }
        do throws(BusError) {
            let user = try await context.buses.call(
                .system, destination: Self.name, path: "/org/freedesktop/login1",
                interface: "org.freedesktop.login1.Manager", member: "GetUser", arguments: [.uint32(getuid())],
                expecting: "o", deadline: context.deadline)
            let lingers = try await context.buses.property(
                .system, destination: Self.name, path: user.first?.objectPath ?? "/",
                interface: "org.freedesktop.login1.User", name: "Linger", expecting: "b", deadline: context.deadline)
            return lingers.bool == true
                ? .granted(.explicit, "logind keeps this user's services running")
                : Finding(.notDetermined, "logind ends this user's services at logout")
        } catch {
            // The ordinary answer for a user who is neither logged in nor lingering.
            guard case .remote("org.freedesktop.login1.NoSuchUser", _) = error else { throw error }
            return Finding(.notDetermined, "logind has no session of this user, and nothing lingers")
        }
    }

    /// The user's name, looked up once a pass.
    private static func userName(in context: ProbeContext) -> String? {
        context.machine.once("the user's name") {
            var entry = passwd()
            var buffer = [CChar](repeating: 0, count: 16_384)
            var result: UnsafeMutablePointer<passwd>?
            guard getpwuid_r(getuid(), &entry, &buffer, buffer.count, &result) == 0, let name = result?.pointee.pw_name
            else { return String?.none }
            return String(cString: name)
        }
    }
}
