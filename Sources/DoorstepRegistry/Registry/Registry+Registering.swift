internal import DoorstepSQLite
internal import Glibc

extension Registry {
    /// What became of one manifest that was to be registered.
    public enum Registration: Sendable, Hashable {
        /// The app is new.
        case registered(app: String, path: String)
        /// The app's manifest took the place of an earlier one.
        case replaced(app: String, path: String)
        /// The very same manifest stood there already.
        case unchanged(app: String, path: String)
    }

    /// Puts validated copies of manifests into the user's own directory, the first of ``directories``; all or none.
    ///
    /// - Parameters:
    ///   - paths: The manifest files, each named `<app>.json`.
    ///   - replaces: Whether a manifest that is already there may be replaced.
    /// - Throws: ``RegistryError``: `invalid` with every mistake in every file and each overlap of prefixes,
    ///   `alreadyRegistered`, `unreadable` or `unwritable`.
    public func register(_ paths: [String], replaces: Bool) throws(RegistryError) -> [Registration] {
        guard let home = directories.first else {
            throw .unwritable(
                path: "doorstep/registry", reason: "neither HOME nor XDG_DATA_HOME names a directory",
                isPermission: false)
        }
        let apps = try Self.validate(paths, catalogue: catalogue, among: contents().apps)
        var pending: [(app: RegisteredApp, bytes: [UInt8], result: Registration)] = []
        for app in apps {
            let target = "\(home)/\(app.id).json"
            let bytes = try ManifestFile.contents(of: app.file.path).bytes
            let standing = try ManifestFile(at: target) == nil ? nil : ManifestFile.contents(of: target).bytes
            switch standing {
            case nil: pending.append((app, bytes, .registered(app: app.id, path: target)))
            case bytes: pending.append((app, bytes, .unchanged(app: app.id, path: target)))
            case _ where replaces: pending.append((app, bytes, .replaced(app: app.id, path: target)))
            default: throw .alreadyRegistered(app.id, path: target)
            }
        }
        for (app, bytes, result) in pending {
            if case .unchanged = result { continue }
            try AtomicFile.write(bytes, to: "\(home)/\(app.id).json")
        }
        return pending.map(\.result)
    }

    /// Checks manifest files by themselves, against each other, and against the registered apps.
    ///
    /// - Throws: ``RegistryError/invalid(_:)`` with every mistake in every file, or `unreadable` for a single file.
    public static func validate(
        _ paths: [String], catalogue: PluginCatalogue, among registered: [RegisteredApp]
    ) throws(RegistryError) -> [RegisteredApp] {
        var apps: [RegisteredApp] = []
        var faults: [ManifestFault] = []
        for path in paths {
            do throws(RegistryError) {
                let app = try read(path, catalogue: catalogue)
                if let other = PrefixOverlap.find(app, among: apps + registered) {
                    faults.append(PrefixOverlap.fault(of: app, with: other))
                }
                apps.append(app)
            } catch {
                switch error {
                case .invalid(let found): faults += found
                case .unreadable(let path, let reason) where paths.count > 1:
                    faults.append(ManifestFault(file: path, message: "this file can't be read: \(reason)"))
                default: throw error
                }
            }
        }
        if !faults.isEmpty { throw .invalid(faults) }
        return apps
    }

    /// Takes an app's manifest out of the user's own directory; its records stay.
    ///
    /// - Returns: The path of the manifest that was removed.
    /// - Throws: ``RegistryError``: `unknownApp`, `notOurs` for one that a package brought, or `unwritable`.
    public func unregister(_ app: String) throws(RegistryError) -> String {
        let file = try locate(app)
        guard let home = directories.first, file.path == "\(home)/\(app).json" else {
            throw .notOurs(app, path: file.path)
        }
        guard unlink(file.path) == 0 else { throw .unwritable(file.path) }
        return file.path
    }
}

extension RegistryError {
    /// The error of the system call that just failed on a path.
    static func unwritable(_ path: String) -> RegistryError {
        let code = errno
        return .unwritable(
            path: path, reason: String(cString: strerror(code)),
            isPermission: code == EACCES || code == EPERM || code == EROFS)
    }
}
