internal import DoorstepRegistry
internal import Glibc

/// Files that a command is asked to write: whole or not at all, for their owner alone.
enum OutputFile {
    /// Writes a text in the place of what stands there.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        let temporary = "\(path).\(getpid()).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        let isDone = WholeWrite.put(text, to: descriptor) && fsync(descriptor) == 0 && rename(temporary, path) == 0
        let error = isDone ? nil : failure(path)
        close(descriptor)
        if let error {
            unlink(temporary)
            throw error
        }
    }

    private static func failure(_ path: String) -> CommandFailure {
        let code = errno
        let isPermission = code == EACCES || code == EPERM || code == EROFS
        return CommandFailure(
            isPermission ? .notPermitted : .storage,
            "\"\(path)\" can't be written: \(String(cString: strerror(code))); nothing was changed")
    }
}
