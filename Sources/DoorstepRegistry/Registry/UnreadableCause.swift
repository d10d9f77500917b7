internal import Glibc

/// Why a file or directory can't be read, as far as scripts tell reasons apart.
public enum UnreadableCause: Sendable, Hashable {
    /// There is none.
    case absent
    /// It may not be read.
    case notPermitted
    /// What is there can't be such a file: it is none, or too large.
    case unsuitable
    /// The reading failed.
    case failed
}

extension RegistryError {
    /// The error of the system call that just failed on a path that was to be read.
    static func unreadable(_ path: String) -> RegistryError {
        let code = errno
        let cause: UnreadableCause =
            switch code {
            case ENOENT, ENOTDIR, ENAMETOOLONG: .absent
            case EACCES, EPERM: .notPermitted
            case EISDIR, ELOOP, ENXIO: .unsuitable
            default: .failed
            }
        return .unreadable(path: path, reason: String(cString: strerror(code)), cause: cause)
    }
}
