internal import Doorstep
public import DoorstepSQLite
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
    ///   - suite: The user's suite, whose answers keep an app from changing its prefix; nil, or one that can't be read,
    ///     keeps nothing.
    /// - Throws: ``RegistryError``: `invalid` with every mistake in every file and each overlap of prefixes,
    ///   `alreadyRegistered`, `storage` for a prefix that an app can't change, `unreadable` or `unwritable`, also where
    ///   another process holds the directory for too long.
    public func register(
        _ paths: [String], replaces: Bool, answersIn suite: OnboardingSuite? = nil
    ) throws(RegistryError) -> [Registration] {
        guard let home = directories.first else {
            throw .unwritable(
                path: "doorstep/registry", reason: "neither HOME nor XDG_DATA_HOME names a directory",
                isPermission: false)
        }
        let checked = try Self.checked(paths, catalogue: catalogue, among: contents().apps)
        try Self.refuseRepeats(checked.map(\.app))
        // From here on nobody else changes the directory. Two that register at once have both been checked without the
        // other's manifests, so these are looked at once more.
        let lock = try RegistryLock(home)
        defer { lock.release() }
        let overlaps = Self.overlaps(of: checked.map(\.app), among: contents().apps)
        if !overlaps.isEmpty { throw .invalid(overlaps) }
        var writes: [AtomicFile.Write] = []
        var results: [Registration] = []
        for (app, bytes) in checked {
            let target = "\(home)/\(app.id).json"
            let standing = try ManifestFile(at: target) == nil ? nil : ManifestFile.contents(of: target).bytes
            switch standing {
            case nil: results.append(.registered(app: app.id, path: target))
            case bytes: results.append(.unchanged(app: app.id, path: target))
            case _ where replaces: results.append(.replaced(app: app.id, path: target))
            default: throw .alreadyRegistered(app.id, path: target)
            }
            if standing != bytes { writes.append(AtomicFile.Write(path: target, bytes: bytes, before: standing)) }
        }
        if let suite { try Self.requireKeptPrefixes(of: checked.map(\.app), in: suite) }
        try AtomicFile.write(writes)
        return results
    }

    /// Refuses apps that have answers under another prefix. Registering needs no suite, so one that can't be read is no
    /// reason to refuse.
    private static func requireKeptPrefixes(
        of apps: [RegisteredApp], in suite: OnboardingSuite
    ) throws(RegistryError) {
        for app in apps {
            do throws(OnboardingStorageError) {
                try suite.requireKeptPrefix(of: app.registration)
            } catch {
                if error.code == .invalid { throw .storage(error) }
            }
        }
    }

    /// Checks manifest files by themselves, against each other, and against the registered apps.
    ///
    /// - Throws: ``RegistryError/invalid(_:)`` with every mistake in every file, or `unreadable` for a single file.
    public static func validate(
        _ paths: [String], catalogue: PluginCatalogue, among registered: [RegisteredApp]
    ) throws(RegistryError) -> [RegisteredApp] {
        try checked(paths, catalogue: catalogue, among: registered).map(\.app)
    }

    /// The same, with the bytes that were checked: what is registered is what was checked, whatever becomes of the file.
    private static func checked(
        _ paths: [String], catalogue: PluginCatalogue, among registered: [RegisteredApp]
    ) throws(RegistryError) -> [(app: RegisteredApp, bytes: [UInt8])] {
        var read: [(app: RegisteredApp, bytes: [UInt8])] = []
        var faults: [ManifestFault] = []
        for path in paths {
            do throws(RegistryError) {
                read.append(try reading(path, catalogue: catalogue))
            } catch {
                switch error {
                case .invalid(let found): faults += found
                case .unreadable(let path, let reason, _) where paths.count > 1:
                    faults.append(ManifestFault(file: path, message: "this file can't be read: \(reason)"))
                default: throw error
                }
            }
        }
        faults += overlaps(of: read.map(\.app), among: registered)
        if !faults.isEmpty { throw .invalid(faults) }
        return read
    }

    /// The overlaps of given apps' prefixes with each other's and with those of the registered ones.
    private static func overlaps(of apps: [RegisteredApp], among registered: [RegisteredApp]) -> [ManifestFault] {
        // What stands in the registry for these apps is about to be replaced, so it is nothing to overlap with.
        let given = Set(apps.map(\.id))
        var others = registered.filter { !given.contains($0.id) }
        var faults: [ManifestFault] = []
        for app in PrefixOverlap.ranked(apps) {
            if let other = PrefixOverlap.find(app, among: others) {
                faults.append(PrefixOverlap.fault(of: app, with: other))
            }
            others.append(app)
        }
        return faults
    }

    private static func refuseRepeats(_ apps: [RegisteredApp]) throws(RegistryError) {
        var paths: [String: String] = [:]
        var faults: [ManifestFault] = []
        for app in apps {
            if let earlier = paths.updateValue(app.file.path, forKey: app.id) {
                let message = "the app \"\(app.id)\" is already given by \(earlier); register one of the two"
                faults.append(ManifestFault(file: app.file.path, place: "app", message: message))
            }
        }
        if !faults.isEmpty { throw .invalid(faults) }
    }

    /// The manifest of an app that the user may unregister: the one in their own directory.
    ///
    /// - Throws: ``RegistryError``: `unknownApp`, or `notOurs` for one that a package brought.
    public func ownManifest(of app: String) throws(RegistryError) -> ManifestFile {
        let file = try locate(app)
        guard let home = directories.first, file.path == "\(home)/\(app).json" else {
            throw .notOurs(app, path: file.path)
        }
        return file
    }

    /// Takes an app's manifest out of the user's own directory; its records stay.
    ///
    /// - Returns: The path of the manifest that was removed.
    /// - Throws: ``RegistryError``: `unknownApp`, `notOurs` for one that a package brought, or `unwritable`.
    public func unregister(_ app: String) throws(RegistryError) -> String {
        let file = try ownManifest(of: app)
        let lock = try RegistryLock(AtomicFile.directory(of: file.path))
        defer { lock.release() }
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
