internal import DoorstepPluginHost
internal import Glibc

/// Which manifests and policy files are believed: those that nobody but root and the user can have put where they are.
///
/// A manifest says what its users are asked and which programs are, so a registry is looked at as the suite is. The
/// directories above it aren't: the gate reads a registry before each start of each app.
enum RegistryTrust {
    /// What speaks against a file or a directory, or nil.
    static func fault(_ status: stat, of path: String) -> String? {
        if let reason = WriteAccess.fault(status, of: path) { return reason }
        let user = geteuid()
        if status.st_uid == user || status.st_uid == 0 || isReadOnly(path) { return nil }
        return
            "it belongs to user \(status.st_uid), and you are user \(user); only root's manifests and your own are used"
    }

    /// What speaks against the files in a directory, or nil.
    static func fault(ofDirectory path: String) -> String? {
        var status = stat()
        return stat(path, &status) == 0 ? fault(status, of: path) : nil
    }

    /// Whether nobody can write where a path leads, as in a sandbox, where the system's files belong to nobody.
    private static func isReadOnly(_ path: String) -> Bool {
        var facts = statvfs()
        return statvfs(path, &facts) == 0 && facts.f_flag & UInt(ST_RDONLY) != 0
    }
}
