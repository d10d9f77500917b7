internal import DoorstepBus
internal import DoorstepPluginKit

/// Whether the user may take a privileged action, as polkit says when it must not ask.
struct PolkitProbe: PermissionProbe {
    let kind = "polkit"
    let summary = "The user may take a privileged action"
    let subject = CheckSubject.user
    let optionHelp = [
        PluginOption("action", "polkit action ID", "the action, such as \"org.freedesktop.login1.power-off\"")
    ]
    let icon = "security-high-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "Administration"),
        LocalizedText.Entry(tag: "de", text: "Systemverwaltung"),
        LocalizedText.Entry(tag: "ar", text: "إدارة النظام"),
        LocalizedText.Entry(tag: "ja", text: "システム管理"),
    ])

    private static let name = "org.freedesktop.PolicyKit1"

    func options(from reader: JSONReader) -> String {
        reader.string("action") { $0.contains(".") ? nil : "this is no action ID, such as \"org.example.action\"" }
    }

    func watches(_ action: String, in context: ProbeContext) -> [Watch] {
        [
            .owner(.system, Self.name),
            .signal(
                .system,
                BusMatch(sender: Self.name, interface: "org.freedesktop.PolicyKit1.Authority", member: "Changed")),
        ]
    }

    func remedy(for status: AuthorizationStatus, _ action: String, in context: ProbeContext) -> Remedy {
        status == .notDetermined ? .ask(.allow) : .none
    }

    func ask(_ action: String, with request: Request) async throws(RequestError) {
        let own: String
        do throws(BusError) {
            own = try await request.client.ownName(.system, deadline: request.deadline)
        } catch {
            throw .bus(error)
        }
        // Flag 1 lets polkit ask; an authorisation that it keeps is this process's too.
        let answer = try await request.call(
            .system, Self.name, "/org/freedesktop/PolicyKit1/Authority",
            "org.freedesktop.PolicyKit1.Authority.CheckAuthorization",
            [Self.subject(own), .string(action), .dictionary(key: "s", value: "s", [:]), .uint32(1), .string("")],
            deadline: .now + Request.patience)
        guard answer.first?.fields?.first?.bool == true else { throw .declined }
    }

    private static func subject(_ name: String) -> BusValue {
        .structure([.string("system-bus-name"), .options(["name": .string(name)])])
    }

    func words(for status: AuthorizationStatus, _ action: String) -> LocalizedText? {
        guard status == .notDetermined else { return nil }
        return .sentence(
            en: "A password is asked for when this is needed.",
            de: "Wenn es gebraucht wird, wird nach einem Passwort gefragt.",
            ar: "تُطلب كلمة مرور عند الحاجة إلى ذلك.",
            ja: "必要なときにパスワードが求められます。")
    }

    func finding(_ action: String, in context: ProbeContext) async throws(BusError) -> Finding {
        if let absence = try await context.absence(of: Self.name, "polkit", on: .system) { return absence }
        let own = try await context.buses.ownName(.system, deadline: context.deadline)
        let answer: [BusValue]
        do throws(BusError) {
            // Flags 0: polkit must not ask anybody.
            answer = try await context.buses.call(
                .system, destination: Self.name, path: "/org/freedesktop/PolicyKit1/Authority",
                interface: "org.freedesktop.PolicyKit1.Authority", member: "CheckAuthorization",
                arguments: [
                    Self.subject(own), .string(action), .dictionary(key: "s", value: "s", [:]), .uint32(0), .string(""),
                ], expecting: "(bba{ss})", deadline: context.deadline)
        } catch {
            if case .remote(_, let message) = error, message.contains("is not registered") {
                return Finding(.unavailable, "polkit knows no action \(action)")
            }
            throw error
        }
        let fields = answer.first?.fields ?? []
        guard fields.count == 3, let isAuthorized = fields[0].bool, let isChallenge = fields[1].bool else {
            throw .invalidReply(expected: "(bba{ss})", found: "something else")
        }
        if isAuthorized { return .granted(.default, "polkit authorises \(action)") }
        return isChallenge
            ? Finding(.notDetermined, "polkit asks for a password before \(action)")
            : Finding(.denied, "polkit doesn't authorise \(action)")
    }
}
