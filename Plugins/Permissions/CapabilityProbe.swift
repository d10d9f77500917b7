internal import CXattr
internal import DoorstepBus
internal import DoorstepPluginKit
internal import Glibc

/// Whether a program of the app gets a Linux capability when it is run.
///
/// Worked out for that program, not for the registry's own process: what it inherits and what its file carries, within the
/// bounding set. A file's capabilities count for nothing under `no_new_privs` and on a `nosuid` file system.
struct CapabilityProbe: PermissionProbe {
    struct Options: Sendable {
        var capability: Int
        var name: String
        var program: String
        var port: Int?
        /// Whether the program needs raw sockets for nothing but pings.
        var isForPing: Bool
    }

    let kind = "linux-capability"
    let summary = "A program gets a Linux capability when it is run"
    let subject = CheckSubject.user
    let optionHelp = [
        PluginOption("capability", "capability name", "such as \"cap_net_bind_service\""),
        PluginOption("program", "path or name", "the app's program: absolute, or found on PATH"),
        PluginOption("port", "1 to 1023", "cap_net_bind_service: the port that it is for; default 1"),
        PluginOption("ping", "true or false", "cap_net_raw: whether it is for nothing but pings; default false"),
    ]
    let icon = "security-medium-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "System Privileges"),
        LocalizedText.Entry(tag: "de", text: "Systemrechte"),
        LocalizedText.Entry(tag: "ar", text: "امتيازات النظام"),
        LocalizedText.Entry(tag: "ja", text: "システム権限"),
    ])

    /// The names, in the order of their numbers (capability.h).
    static let names = [
        "cap_chown", "cap_dac_override", "cap_dac_read_search", "cap_fowner", "cap_fsetid", "cap_kill", "cap_setgid",
        "cap_setuid", "cap_setpcap", "cap_linux_immutable", "cap_net_bind_service", "cap_net_broadcast",
        "cap_net_admin", "cap_net_raw", "cap_ipc_lock", "cap_ipc_owner", "cap_sys_module", "cap_sys_rawio",
        "cap_sys_chroot", "cap_sys_ptrace", "cap_sys_pacct", "cap_sys_admin", "cap_sys_boot", "cap_sys_nice",
        "cap_sys_resource", "cap_sys_time", "cap_sys_tty_config", "cap_mknod", "cap_lease", "cap_audit_write",
        "cap_audit_control", "cap_setfcap", "cap_mac_override", "cap_mac_admin", "cap_syslog", "cap_wake_alarm",
        "cap_block_suspend", "cap_audit_read", "cap_perfmon", "cap_bpf", "cap_checkpoint_restore",
    ]

    func options(from reader: JSONReader) -> Options {
        let name = reader.string("capability") { name in
            if Self.names.contains(name) { return nil }
            let nearest = nearestSpelling(of: name, among: Self.names).map { "; did you mean \"\($0)\"?" } ?? ""
            return "\"\(name)\" is no Linux capability\(nearest)"
        }
        return Options(
            capability: Self.names.firstIndex(of: name) ?? 0, name: name,
            program: reader.string("program") { $0.isEmpty ? "this is empty; it must name a program" : nil },
            port: reader.optionalInteger("port", in: 1...1023), isForPing: reader.bool("ping", default: false))
    }

    func watches(_ options: Options, in context: ProbeContext) -> [Watch] {
        context.places(of: options.program).map(Watch.file)
    }

    func words(for status: AuthorizationStatus, _ options: Options) -> LocalizedText? {
        guard status == .denied else { return nil }
        return .sentence(
            en: "The app lacks a system privilege that an administrator can give it.",
            de: "Der App fehlt ein Systemrecht, das ein Administrator ihr geben kann.",
            ar: "ينقص التطبيق امتياز في النظام يمكن للمسؤول منحه.",
            ja: "アプリに必要なシステム権限がありません。管理者が付与できます。")
    }

    func finding(_ options: Options, in context: ProbeContext) async throws(BusError) -> Finding {
        guard let program = context.program(options.program) else {
            return Finding(.unavailable, "the program \(options.program) isn't there")
        }
        if let reason = needlessness(options, in: context.machine) { return .granted(.ungated, reason) }
        guard let process = context.machine.parsed("/proc/self/status", by: ProcessCapabilities.init) else {
            return Finding(.unknown, "/proc/self/status can't be read")
        }
        let bit = UInt64(1) << UInt64(options.capability)
        guard process.bounding & bit != 0 else {
            return Finding(.restricted, "the bounding set of this session leaves out \(options.name)")
        }
        if context.machine.isRoot { return .granted(.default, "programs run by root have \(options.name)") }
        if process.ambient & bit != 0 { return .granted(.explicit, "this session hands on \(options.name)") }
        guard fileCapabilities(of: context.machine.path(program)) & bit != 0 else {
            return Finding(.denied, "\(program) has no \(options.name)")
        }
        if process.hasNoNewPrivileges {
            return Finding(.restricted, "\(program) has \(options.name), but no_new_privs is set here")
        }
        var system = statvfs()
        if statvfs(context.machine.path(program), &system) == 0, system.f_flag & UInt(ST_NOSUID) != 0 {
            return Finding(.restricted, "\(program) has \(options.name), but is on a nosuid file system")
        }
        return .granted(.explicit, "\(program) has \(options.name)")
    }

    /// Why the capability isn't needed here, or nil where it is.
    private func needlessness(_ options: Options, in machine: Machine) -> String? {
        func numbers(_ file: String) -> [Int] {
            (machine.text("/proc/sys/net/ipv4/" + file) ?? "").split(whereSeparator: \.isWhitespace).compactMap {
                Int($0)
            }
        }
        switch options.name {
        case "cap_net_bind_service":
            guard let start = numbers("ip_unprivileged_port_start").first, start <= options.port ?? 1 else {
                return nil
            }
            return "every program may use ports from \(start) on here"
        case "cap_net_raw" where options.isForPing:
            let range = numbers("ping_group_range")
            guard range.count == 2,
                let group = ProcessGroups.all.first(where: { Int($0) >= range[0] && Int($0) <= range[1] })
            else { return nil }
            return "programs of the group \(group) may ping here"
        default: return nil
        }
    }

    /// The permitted set that a file carries: 0 where it carries none.
    private func fileCapabilities(of path: String) -> UInt64 {
        var bytes = [UInt8](repeating: 0, count: 24)
        let count = getxattr(path, "security.capability", &bytes, bytes.count)
        return Self.permitted(in: bytes.prefix(max(0, count)))
    }

    /// The permitted set in a `vfs_cap_data`: a magic word, then pairs of permitted and inheritable words, all
    /// little-endian.
    static func permitted(in bytes: ArraySlice<UInt8>) -> UInt64 {
        func word(_ offset: Int) -> UInt64 {
            guard bytes.count >= offset + 4 else { return 0 }
            return (0..<4).reduce(0) { $0 | UInt64(bytes[bytes.startIndex + offset + $1]) << UInt64(8 * $1) }
        }
        return word(4) | word(12) << 32
    }
}

/// What `/proc/<pid>/status` says of a process's capabilities.
struct ProcessCapabilities: Equatable {
    var bounding: UInt64
    var ambient: UInt64
    var hasNoNewPrivileges: Bool

    init?(_ status: String) {
        let lines = status.utf8.split(separator: UInt8(ascii: "\n"))
        func value(_ key: String) -> Substring? {
            for line in lines where line.starts(with: key.utf8) {
                return Substring(line.dropFirst(key.utf8.count).drop { $0 == UInt8(ascii: "\t") })
            }
            return nil
        }
        guard let bounding = value("CapBnd:").flatMap({ UInt64($0, radix: 16) }),
            let ambient = value("CapAmb:").flatMap({ UInt64($0, radix: 16) })
        else { return nil }
        self.bounding = bounding
        self.ambient = ambient
        hasNoNewPrivileges = value("NoNewPrivs:") == "1"
    }
}
