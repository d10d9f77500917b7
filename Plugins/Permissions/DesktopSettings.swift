internal import DoorstepPluginKit
internal import Glibc

/// The user's desktop settings, as GSettings keeps them: in dconf's databases or in a key file.
///
/// Only files are read; no library is loaded and no service asked. A setting that nobody changed isn't in them: its default
/// is the schema's, which doesn't say that the desktop it belongs to runs.
struct DesktopSettings: Sendable {
    /// What is set, in which file.
    enum Setting: Equatable {
        case on, off
        /// Nobody has changed it, or there is nothing that could hold it.
        case unset
        /// The file is damaged, or holds something else there.
        case unreadable(String)
    }

    /// One file of settings; those before it win, unless it locks the key.
    private enum Layer {
        case database(GVDBTable)
        case keyFile(KeyFile, path: String)
        case damaged(path: String)
        /// What dconf's service keeps, and writes for its readers only once it runs.
        case unwritten(path: String)
    }

    /// A database of dconf's.
    private struct Database {
        var path: String
        /// Whether the service writes it anew in every session.
        var isServed = false
    }

    private let layers: [Layer]

    /// The settings that an app of this environment sees. A sandbox has settings of its own, which no desktop reads.
    fileprivate init(in context: ProbeContext) {
        guard !context.isSandboxed else {
            layers = []
            return
        }
        let machine = context.machine
        // GLib takes dconf where it is installed, and the key file else, unless the environment says which.
        let backend = context.variable("GSETTINGS_BACKEND")
        var layers: [Layer] = []
        if backend == nil || backend == "dconf" {
            layers = Self.databases(in: context).compactMap { database in
                let path = database.path
                guard let bytes = machine.bytes(path, atMost: 1 << 24) else {
                    return database.isServed ? .unwritten(path: path) : nil
                }
                do throws(GVDBTable.Damaged) {
                    return .database(try GVDBTable(bytes))
                } catch {
                    return .damaged(path: path)
                }
            }
        }
        if backend == "keyfile" || backend == nil && layers.isEmpty,
            let path = Self.keyFile(in: context), let text = machine.text(path)
        {
            layers.append(.keyFile(KeyFile(text), path: path))
        }
        self.layers = layers
    }

    /// What a switch is set to.
    ///
    /// - Parameter key: Its path and name, such as `/org/gnome/system/location/enabled`.
    func bool(_ key: String) -> Setting {
        // What an administrator has locked is decided there and not above.
        let first = layers.lastIndex { Self.locks($0, key) } ?? 0
        for layer in layers[first...] {
            let setting = Self.bool(key, in: layer)
            if setting != .unset { return setting }
        }
        return .unset
    }

    /// What tells that a setting may be another one now.
    static func watches(in context: ProbeContext) -> [Watch] {
        guard !context.isSandboxed else { return [] }
        return (databases(in: context).map(\.path) + [keyFile(in: context)].compactMap(\.self)).map(Watch.file)
    }

    private static func bool(_ key: String, in layer: Layer) -> Setting {
        switch layer {
        case .damaged(let path): return .unreadable("\(path) is damaged")
        case .unwritten(let path):
            return .unreadable("dconf's service hasn't written \(path) yet, and a check starts nothing")
        case .keyFile(let file, let path):
            let parts = key.split(separator: "/")
            switch file[parts.dropLast().joined(separator: "/"), String(parts.last ?? "")] {
            case "true": return .on
            case "false": return .off
            case nil: return .unset
            default: return .unreadable("\(key) in \(path) is neither true nor false")
            }
        case .database(let table):
            do throws(GVDBTable.Damaged) {
                guard let value = try table.value(key) else { return .unset }
                guard let isOn = value.bool else { return .unreadable("\(key) is neither true nor false in dconf") }
                return isOn ? .on : .off
            } catch {
                return .unreadable("dconf's database is damaged")
            }
        }
    }

    private static func locks(_ layer: Layer, _ key: String) -> Bool {
        guard case .database(let table) = layer, let locks = try? table.table(".locks") else { return false }
        return (try? locks.value(key)) != nil
    }

    private static func keyFile(in context: ProbeContext) -> String? {
        context.configDirectory.map { $0 + "/glib-2.0/settings/keyfile" }
    }

    /// Where dconf looks for its profile, in its order: what an administrator set for the user's session comes first.
    private static func profiles(in context: ProbeContext) -> [String] {
        let name = context.variable("DCONF_PROFILE")
        if let name, name.isAbsolutePath { return ["/run/dconf/user/\(getuid())", name] }
        let places = ["/etc"] + context.directories("XDG_DATA_DIRS", else: "/usr/local/share:/usr/share")
        var paths = ["/run/dconf/user/\(getuid())"]
        if name == nil, let runtime = context.directory("XDG_RUNTIME_DIR") { paths.append("\(runtime)/dconf/profile") }
        return paths + places.map { "\($0)/dconf/profile/\(name ?? "user")" }
    }

    /// dconf's databases by its profile, in its order: the user's own, then those of the machine.
    private static func databases(in context: ProbeContext) -> [Database] {
        var profile: String?
        for path in profiles(in: context) where profile == nil { profile = context.machine.text(path) }
        return (profile ?? "user-db:user").split(whereSeparator: \.isNewline).compactMap { line in
            let parts = line.prefix { $0 != "#" }.trimmed.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            switch parts[0] {
            case "user-db": return context.configDirectory.map { Database(path: "\($0)/dconf/\(parts[1])") }
            case "service-db":
                return context.runtimeDirectory.map {
                    Database(path: "\($0)/dconf-service/\(parts[1])", isServed: true)
                }
            case "system-db": return Database(path: "/etc/dconf/db/\(parts[1])")
            case "file-db": return Database(path: String(parts[1]))
            default: return nil
            }
        }
    }
}

extension ProbeContext {
    /// The desktop's settings as this pass found them.
    var desktopSettings: DesktopSettings { machine.once("the desktop's settings") { DesktopSettings(in: self) } }

    /// Where the user's configuration is, or nil where nobody's is.
    var configDirectory: String? {
        directory("XDG_CONFIG_HOME") ?? directory("HOME").map { $0 + "/.config" }
    }

    /// Where the session's own files are, as GLib sees it, or nil where nobody's are.
    fileprivate var runtimeDirectory: String? {
        directory("XDG_RUNTIME_DIR") ?? directory("XDG_CACHE_HOME") ?? directory("HOME").map { $0 + "/.cache" }
    }
}
