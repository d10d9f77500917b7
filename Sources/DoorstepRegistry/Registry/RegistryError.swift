public import Doorstep

/// Why the registry could not answer.
public enum RegistryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No app of this ID is registered; the nearest registered one, if any is near.
    case unknownApp(String, nearest: String?)
    /// A manifest has these mistakes.
    case invalid([ManifestFault])
    /// A file or directory can't be read, and what kind of reason that has.
    case unreadable(path: String, reason: String, cause: UnreadableCause = .failed)
    /// A manifest or a directory of manifests that somebody else can have changed.
    case untrusted(path: String, reason: String)
    /// A file or directory can't be written.
    case unwritable(path: String, reason: String, isPermission: Bool)
    /// The app is already registered with another manifest.
    case alreadyRegistered(String, path: String)
    /// The app's manifest isn't in the user's own directory.
    case notOurs(String, path: String)
    /// The flow's records can't be read or written.
    case storage(OnboardingStorageError)

    /// One sentence: what, where, what to do. Each mistake of an invalid manifest is a line of its own.
    public var description: String {
        switch self {
        case .unknownApp(let app, let nearest):
            "no app \"\(app)\" is registered"
                + (nearest.map { "; did you mean \"\($0)\"?" } ?? "; doorstep apps lists the registered ones")
        case .invalid(let faults):
            faults.map(\.description).joined(separator: "\n")
        case .unreadable(let path, let reason, _):
            "\"\(path)\" can't be read: \(reason)"
        case .untrusted(let path, let reason):
            "\"\(path)\" is refused: \(reason)"
        case .unwritable(let path, let reason, _):
            "\"\(path)\" can't be written: \(reason); nothing was changed"
        case .alreadyRegistered(let app, let path):
            "the app \"\(app)\" is already registered by \"\(path)\"; use --replace to put this manifest in its place"
        case .notOurs(let app, let path):
            "the app \"\(app)\" is registered by \"\(path)\", which is not in your own registry; remove it where it came from"
        case .storage(let error):
            error.message
        }
    }
}

extension RegistryError {
    /// Whether what is wrong concerns one app alone, so that the others can go on.
    var isOfOneApp: Bool {
        if case .storage(let error) = self { return error.code == .invalid }
        return true
    }
}
