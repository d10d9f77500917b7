internal import DoorstepBus
internal import DoorstepPluginKit
internal import Glibc

/// Whether the app starts with the session and may run in the background.
struct BackgroundProbe: PermissionProbe {
    let kind = "background"
    let summary = "The app starts with the session and may run in the background"
    let subject = CheckSubject.app
    let icon = "system-run-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "Running in the Background"),
        LocalizedText.Entry(tag: "de", text: "Im Hintergrund laufen"),
        LocalizedText.Entry(tag: "ar", text: "العمل في الخلفية"),
        LocalizedText.Entry(tag: "ja", text: "バックグラウンド実行"),
    ])

    func watches(_ options: Void, in context: ProbeContext) -> [Watch] {
        let entries = directories(in: context).map { Watch.file("\($0)/autostart/\(context.appID).desktop") }
        return Watch.store("background") + (context.isSandboxed ? [] : entries)
    }

    func remedy(for status: AuthorizationStatus, _ options: Void, in context: ProbeContext) -> Remedy {
        status == .notDetermined || status == .unknown ? .ask(.allow) : .none
    }

    func ask(_ options: Void, with request: Request) async throws(RequestError) {
        try await request.start(Request.portal, on: .session)
        try await request.portal(
            "org.freedesktop.portal.Background.RequestBackground", [.string("")],
            options: ["autostart": .bool(true)])
    }

    func words(for status: AuthorizationStatus, _ options: Void) -> LocalizedText? {
        guard status == .notDetermined else { return nil }
        return .sentence(
            en: "The app doesn’t start by itself yet.",
            de: "Die App startet noch nicht von selbst.",
            ar: "لا يبدأ التطبيق تلقائيًا بعد.",
            ja: "アプリはまだ自動起動しません。")
    }

    func finding(_ options: Void, in context: ProbeContext) async throws(BusError) -> Finding {
        let entry: StoreEntry
        do throws(BusError) {
            entry = try await context.storeEntry(table: "background", id: "background").get()
        } catch {
            // Autostart entries are files; they are read without a session too.
            guard error.isUnavailable else { throw error }
            entry = .absent
        }
        switch StoredDecision(entry, in: "background") {
        case .no: return Finding(.denied, "the permission store's entry for the background is \"no\"")
        case .unreadable(let finding): return finding
        case .yes where context.isSandboxed:
            return .granted(.explicit, "the permission store's entry for the background is \"yes\"")
        case .yes, .ask, .undecided: break
        }
        // A sandbox has an autostart directory of its own, which no session reads.
        if context.isSandboxed { return Finding(.unknown, "a sandbox can't see whether the app starts by itself") }
        return autostart(in: context)
    }

    private func autostart(in context: ProbeContext) -> Finding {
        for directory in directories(in: context) {
            let path = "\(directory)/autostart/\(context.appID).desktop"
            // The first file of that name hides those after it, also when it says no.
            guard let entry = context.machine.parsed(path, by: KeyFile.init) else { continue }
            return finding(for: entry, at: path, in: context)
        }
        return Finding(.notDetermined, "no autostart entry \(context.appID).desktop is there")
    }

    private func directories(in context: ProbeContext) -> [String] {
        [context.configDirectory].compactMap(\.self) + context.directories("XDG_CONFIG_DIRS", else: "/etc/xdg")
    }

    private func finding(for file: KeyFile, at path: String, in context: ProbeContext) -> Finding {
        let group = "Desktop Entry"
        if file[group, "Hidden"] == "true" { return Finding(.denied, "\(path) is switched off (Hidden)") }
        if file[group, "X-GNOME-Autostart-enabled"] == "false" {
            return Finding(.denied, "\(path) is switched off (X-GNOME-Autostart-enabled)")
        }
        let programs = [file[group, "TryExec"], file[group, "Exec"].flatMap(Self.program)].compactMap(\.self)
        guard file[group, "Exec"] != nil else { return Finding(.unavailable, "\(path) names no program") }
        for program in programs where context.program(program) == nil {
            return Finding(.unavailable, "\(path) names the program \"\(program)\", which isn't there")
        }
        return .granted(.explicit, "\(path) starts the app with the session")
    }

    /// The first word of a command line, which may be quoted.
    private static func program(of command: String) -> String? {
        guard command.hasPrefix("\"") else { return command.split(separator: " ").first.map(String.init) }
        return command.dropFirst().split(separator: "\"").first.map(String.init)
    }
}

extension ProbeContext {
    /// Where an executable program is: an absolute path itself, or a name found on PATH; nil where there is none.
    func program(_ name: String) -> String? {
        places(of: name).first(where: isProgram)
    }

    /// Where a program would be looked for: an absolute path itself, or a name in each directory of PATH.
    func places(of name: String) -> [String] {
        if name.isAbsolutePath { return [name] }
        guard !name.holdsSlash else { return [] }
        return programDirectories.map { "\($0)/\(name)" }
    }

    /// Where programs are looked for.
    var programDirectories: [String] { directories("PATH", else: "/usr/local/bin:/usr/bin:/bin") }

    private func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(machine.path(path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && machine.isAccessible(path, X_OK)
    }
}
