internal import Doorstep
internal import Glibc

/// Whether only its owner can read and write a suite.
enum SuitePermissions {
    static func findings(_ path: String) -> [AuditFinding] {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return [] }
        var found: [AuditFinding] = []
        if facts.st_mode & S_IFMT == S_IFREG, facts.st_mode & 0o077 != 0 {
            found.append(finding("suite \"\(path)\" can be used by others", facts.st_mode, "chmod 600 \(path)"))
        }
        let directory = path.directoryOfPath ?? "."
        guard stat(directory, &facts) == 0, facts.st_mode & 0o022 != 0, facts.st_mode & S_ISVTX == 0 else {
            return found
        }
        found.append(
            finding(
                "the directory \"\(directory)\" of a suite can be written by others", facts.st_mode,
                "chmod go-w \(directory)"))
        return found
    }

    private static func finding(_ what: String, _ mode: mode_t, _ remedy: String) -> AuditFinding {
        AuditFinding(.suitePermissions, "\(what): its mode is \(String(mode & 0o7777, radix: 8))", remedy: remedy)
    }
}
