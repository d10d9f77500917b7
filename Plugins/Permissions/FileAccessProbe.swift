internal import DoorstepBus
internal import DoorstepPluginKit
internal import Glibc

/// Whether the app's user may use a file or folder so.
struct FileAccessProbe: PermissionProbe {
    /// What is to be done with it.
    enum Mode: String, CaseIterable {
        case read, write, readWrite, execute

        var bits: Int32 {
            switch self {
            case .read: R_OK
            case .write: W_OK
            case .readWrite: R_OK | W_OK
            case .execute: X_OK
            }
        }
    }

    struct Options: Sendable {
        var path: String
        var mode: Mode
    }

    let kind = "file-access"
    let summary = "A file or folder may be read, written or run"
    let subject = CheckSubject.user
    let optionHelp = [
        PluginOption("path", "path", "what is looked at: absolute, or beginning with ~/"),
        PluginOption("mode", Mode.allCases.map(\.rawValue).joined(separator: ", "), "what is to be done; default read"),
    ]
    let icon = "folder-symbolic"
    let title = LocalizedText([
        LocalizedText.Entry(tag: "en", text: "Access to Files"),
        LocalizedText.Entry(tag: "de", text: "Zugriff auf Dateien"),
        LocalizedText.Entry(tag: "ar", text: "الوصول إلى الملفات"),
        LocalizedText.Entry(tag: "ja", text: "ファイルへのアクセス"),
    ])

    func options(from reader: JSONReader) -> Options {
        Options(
            path: reader.string("path") {
                $0.isAbsolutePath || $0.isPathAtHome ? nil : "this path must begin with / or ~/"
            }, mode: reader.optionalChoice("mode", of: Mode.self) ?? .read)
    }

    func watches(_ options: Options, in context: ProbeContext) -> [Watch] {
        path(options, in: context).map { [.file($0)] } ?? []
    }

    func words(for status: AuthorizationStatus, _ options: Options) -> LocalizedText? {
        guard status == .notDetermined else { return nil }
        return .sentence(
            en: "The file or folder isn’t there.",
            de: "Die Datei oder der Ordner ist nicht da.",
            ar: "الملف أو المجلد غير موجود.",
            ja: "ファイルまたはフォルダーがありません。")
    }

    /// The absolute path that the options mean, or nil where that needs a home that isn't known.
    private func path(_ options: Options, in context: ProbeContext) -> String? {
        guard options.path.isPathAtHome else { return options.path }
        return context.directory("HOME").map { $0 + options.path.dropFirst() }
    }

    func finding(_ options: Options, in context: ProbeContext) async throws(BusError) -> Finding {
        guard let path = path(options, in: context) else {
            return Finding(.unknown, "\(options.path) needs HOME, which is unset")
        }
        switch context.machine.access(path, options.mode.bits) {
        case 0:
            // What the document portal exports is one file or folder that somebody chose.
            let parts = path.pathParts
            let isDocument = parts.count > 4 && parts[0] == "run" && parts[1] == "user" && parts[3] == "doc"
            return .granted(
                isDocument ? .explicit : .ungated, mode: isDocument ? .limited : .always,
                "\(path) allows \(options.mode.rawValue)")
        case ENOENT, ENOTDIR:
            if let sandbox = SandboxFiles(of: context), !sandbox.mayShow(path) {
                return Finding(.restricted, "the sandbox doesn't show \(path) (filesystems in /.flatpak-info)")
            }
            return Finding(.notDetermined, "\(path) isn't there")
        case EROFS: return Finding(.restricted, "\(path) is on a read-only file system")
        case EACCES, EPERM: return Finding(.denied, "\(path) doesn't allow \(options.mode.rawValue)")
        case let errno: return Finding(.unknown, "\(path) couldn't be looked at (errno \(errno))")
        }
    }
}

/// Which files of the machine a sandbox shows, as `/.flatpak-info` says it.
private struct SandboxFiles {
    private let places: [String]
    private let home: String?

    /// What this sandbox shows, or nil outside one.
    init?(of context: ProbeContext) {
        guard context.isSandboxed, let info = context.machine.text("/.flatpak-info") else { return nil }
        // A place may end in how it is shown, such as ":ro"; one that begins with "!" is taken away again.
        let entries = (KeyFile(info)["Context", "filesystems"] ?? "").split(separator: ";")
        places = entries.filter { !$0.hasPrefix("!") }.map { String($0.prefix { $0 != ":" }) }
        home = context.directory("HOME")
    }

    /// Whether a file would be seen here if it were there, as far as that can be told.
    func mayShow(_ path: String) -> Bool {
        places.contains { place in
            switch place {
            case "host", "home": return place == "host" || isBelow(home, path)
            case "host-os", "host-etc": return path.hasPrefix("/run/host/")
            // These are folders that the user may have put anywhere.
            case _ where place.hasPrefix("xdg-"): return isBelow(home, path) || path.hasPrefix("/run/user/")
            case _ where place.isPathAtHome: return isBelow(home.map { $0 + place.dropFirst() }, path)
            default: return isBelow(place, path)
            }
        }
    }

    private func isBelow(_ directory: String?, _ path: String) -> Bool {
        guard let directory, directory.isAbsolutePath else { return false }
        // By parts: a directory isn't above one whose name begins with its own.
        return path.pathParts.starts(with: directory.pathParts) { $0.utf8.elementsEqual($1.utf8) }
    }
}
