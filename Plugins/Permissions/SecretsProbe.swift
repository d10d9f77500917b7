internal import DoorstepBus
internal import DoorstepPluginKit

/// Whether the user's key ring is there and open.
///
/// Only the default collection counts: the `session` one is forgotten at logout.
struct SecretsProbe: PermissionProbe {
    let kind = "secrets"
    let summary = "The user's key ring is there and unlocked"
    let icon = "dialog-password-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "Key Ring"),
        LocalizedText.Entry(tag: "de", text: "Schlüsselbund"),
        LocalizedText.Entry(tag: "ar", text: "حلقة المفاتيح"),
        LocalizedText.Entry(tag: "ja", text: "キーリング"),
    ])

    private static let name = "org.freedesktop.secrets"

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
