internal import DoorstepBus
internal import DoorstepPluginKit
internal import Glibc

/// Whether a device may be used, by its node or by a group such as `dialout`.
///
/// The node decides where one is given: an access list grants without any group. A group that the user was only just added
/// to isn't in the running session yet, which is the commonest reason for "it still doesn't work".
struct DeviceGroupProbe: PermissionProbe {
    struct Options: Sendable {
        var group: String?
        var node: String?
    }

    let kind = "device-group"
    let summary = "A device may be used, by its node or the user's groups"
    let subject = CheckSubject.user
    let optionHelp = [
        PluginOption("group", "group name", "the group that grants access, such as \"dialout\""),
        PluginOption("node", "path", "the device itself, such as \"/dev/ttyUSB0\"; give one of the two, or both"),
    ]
    let icon = "drive-removable-media-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "Access to a Device"),
        LocalizedText.Entry(tag: "de", text: "Zugriff auf ein Gerät"),
        LocalizedText.Entry(tag: "ar", text: "الوصول إلى جهاز"),
        LocalizedText.Entry(tag: "ja", text: "デバイスへのアクセス"),
    ])

    func options(from reader: JSONReader) -> Options {
        let options = Options(
            group: reader.optionalString("group"),
            node: reader.optionalString("node") { $0.isAbsolutePath ? nil : "this path must begin with /" })
        if !reader.has("group"), !reader.has("node") {
            reader.fault("either \"group\" or \"node\" is needed, to say which device it is about")
        }
        return options
    }

    func watches(_ options: Options, in context: ProbeContext) -> [Watch] {
        options.node.map { [.file($0)] } ?? []
    }

    func words(for status: AuthorizationStatus, _ options: Options) -> LocalizedText? {
        switch status {
        case .restricted:
            .sentence(
                en: "Log out and in again, and it will work.",
                de: "Melden Sie sich ab und wieder an, dann geht es.",
                ar: "سجّل الخروج ثم الدخول من جديد، وسيعمل.",
                ja: "いったんログアウトして再度ログインすると使えます。")
        case .denied:
            .sentence(
                en: "Your account may not use this device; an administrator can change that.",
                de: "Ihr Konto darf dieses Gerät nicht benutzen; ein Administrator kann das ändern.",
                ar: "لا يُسمح لحسابك باستخدام هذا الجهاز؛ يمكن للمسؤول تغيير ذلك.",
                ja: "このアカウントではデバイスを使えません。管理者が変更できます。")
        default: nil
        }
    }

    func finding(_ options: Options, in context: ProbeContext) async throws(BusError) -> Finding {
        var group: Group?
        if let name = options.group {
            group = Group(name: name)
            if group == nil, options.node == nil { return Finding(.unavailable, "there is no group \(name)") }
        }
        guard let node = options.node else { return membership(of: group) }
        switch context.machine.access(node, R_OK | W_OK) {
        case 0: return .granted(.ungated, "\(node) can be read and written")
        case ENOENT, ENOTDIR: return Finding(.unavailable, "\(node) isn't there")
        default: break
        }
        var status = stat()
        if group == nil, stat(context.machine.path(node), &status) == 0 { group = Group(id: status.st_gid) }
        if let group, group.isNewForSession { return relogin(group) }
        return Finding(.denied, "\(node) may not be read and written by this user")
    }

    private func membership(of group: Group?) -> Finding {
        guard let group else { return Finding(.unavailable, "there is no such group") }
        if group.isInProcess { return .granted(.explicit, "this session has the group \(group.name)") }
        if group.isInDatabase { return relogin(group) }
        return Finding(.denied, "this user isn't in the group \(group.name)")
    }

    private func relogin(_ group: Group) -> Finding {
        Finding(
            .restricted, "this user is in the group \(group.name), but this session isn't yet: log out and in again")
    }
}

/// The groups that the process has, and with it everything started in this session.
enum ProcessGroups {
    /// The one that it acts as, then the others.
    static var all: [gid_t] {
        let count = getgroups(0, nil)
        var groups = [gid_t](repeating: 0, count: Int(max(0, count)))
        // On a line of its own: the list must be read after it is filled.
        let filled = getgroups(count, &groups)
        return [getegid()] + groups.prefix(Int(max(0, filled)))
    }
}

/// A group of the user database.
private struct Group {
    let id: gid_t
    let name: String

    init?(name: String) {
        var entry = group()
        var buffer = [CChar](repeating: 0, count: 65_536)
        var result: UnsafeMutablePointer<group>?
        guard getgrnam_r(name, &entry, &buffer, buffer.count, &result) == 0, let result else { return nil }
        id = result.pointee.gr_gid
        self.name = name
    }

    init?(id: gid_t) {
        var entry = group()
        var buffer = [CChar](repeating: 0, count: 65_536)
        var result: UnsafeMutablePointer<group>?
        guard getgrgid_r(id, &entry, &buffer, buffer.count, &result) == 0, let name = result?.pointee.gr_name else {
            return nil
        }
        self.id = id
        self.name = String(cString: name)
    }

    /// Whether the process has it, and with it everything started in this session.
    var isInProcess: Bool { ProcessGroups.all.contains(id) }

    /// Whether the user database puts the user into it, as a new login would find.
    var isInDatabase: Bool {
        var entry = passwd()
        var buffer = [CChar](repeating: 0, count: 16_384)
        var result: UnsafeMutablePointer<passwd>?
        guard getpwuid_r(getuid(), &entry, &buffer, buffer.count, &result) == 0, let user = result?.pointee else {
            return false
        }
        var count: Int32 = 1024
        var groups = [gid_t](repeating: 0, count: Int(count))
        guard getgrouplist(user.pw_name, user.pw_gid, &groups, &count) >= 0 else { return false }
        return groups.prefix(Int(count)).contains(id)
    }

    var isNewForSession: Bool { isInDatabase && !isInProcess }
}
