internal import DoorstepBus
internal import DoorstepPluginKit

/// Whether the user's key ring is there and open.
///
/// Only the default collection counts: the `session` one is forgotten at logout.
struct SecretsProbe: PermissionProbe {
    let kind = "secrets"
    let summary = "The user's key ring is there and unlocked"
    let subject = CheckSubject.user
    let icon = "dialog-password-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "Key Ring"),
        LocalizedText.Entry(tag: "de", text: "Schlüsselbund"),
        LocalizedText.Entry(tag: "ar", text: "حلقة المفاتيح"),
        LocalizedText.Entry(tag: "ja", text: "キーリング"),
    ])

    private static let name = "org.freedesktop.secrets"
    private static let path = "/org/freedesktop/secrets"
    private static let service = "org.freedesktop.Secret.Service"

    func watches(_ options: Void, in context: ProbeContext) -> [Watch] {
        [
            .owner(.session, Self.name), .properties(.session, of: Self.name),
            .signal(.session, BusMatch(sender: Self.name, interface: Self.service)),
        ]
    }

    func remedy(for status: AuthorizationStatus, _ options: Void, in context: ProbeContext) -> Remedy {
        status == .notDetermined || status == .unknown ? .ask(.unlock) : .none
    }

    func ask(_ options: Void, with request: Request) async throws(RequestError) {
        try await request.start(Self.name, on: .session)
        let alias = try await request.call(
            .session, Self.name, Self.path, Self.service + ".ReadAlias", [.string("default")])
        let reply: [BusValue]
        if let collection = alias.first?.objectPath, collection != "/" {
            reply = try await request.call(
                .session, Self.name, Self.path, Self.service + ".Unlock",
                [.array(of: "o", [.objectPath(collection)])])
        } else {
            reply = try await request.call(
                .session, Self.name, Self.path, Self.service + ".CreateCollection",
                [.options(["org.freedesktop.Secret.Collection.Label": .string("Default")]), .string("default")])
        }
        // "/" says that nobody needs to be asked.
        guard let prompt = reply.last?.objectPath, prompt != "/" else { return }
        let completed = try await request.signal(
            BusMatch(sender: Self.name, path: prompt, interface: "org.freedesktop.Secret.Prompt", member: "Completed"),
            on: .session
        ) { () async throws(RequestError) in
            _ = try await request.call(
                .session, Self.name, prompt, "org.freedesktop.Secret.Prompt.Prompt", [.string("")])
        }
        guard completed.arguments.first?.bool == false else { throw .declined }
    }

    func words(for status: AuthorizationStatus, _ options: Void) -> LocalizedText? {
        guard status == .notDetermined else { return nil }
        return .sentence(
            en: "The key ring is locked, or there is none yet.",
            de: "Der Schlüsselbund ist gesperrt, oder es gibt noch keinen.",
            ar: "حلقة المفاتيح مقفلة، أو لا توجد واحدة بعد.",
            ja: "キーリングがロックされているか、まだありません。")
    }

    func finding(_ options: Void, in context: ProbeContext) async throws(BusError) -> Finding {
        if let absence = try await context.absence(of: Self.name, "the key ring", on: .session) { return absence }
        let alias = try await context.buses.call(
            .session, destination: Self.name, path: "/org/freedesktop/secrets",
            interface: "org.freedesktop.Secret.Service", member: "ReadAlias", arguments: [.string("default")],
            expecting: "o", deadline: context.deadline)
        guard let collection = alias.first?.objectPath, collection != "/" else {
            return Finding(.notDetermined, "there is no default key ring yet")
        }
        guard !collection.hasSuffix("/session") else {
            return Finding(.notDetermined, "the default key ring is forgotten at logout")
        }
        let isLocked = try await context.buses.property(
            .session, destination: Self.name, path: collection, interface: "org.freedesktop.Secret.Collection",
            name: "Locked", expecting: "b", deadline: context.deadline)
        return isLocked.bool == true
            ? Finding(.notDetermined, "the default key ring is locked")
            : .granted(.explicit, "the default key ring is unlocked")
    }
}
