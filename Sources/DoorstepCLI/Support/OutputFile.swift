internal import DoorstepRegistry
internal import Glibc

/// Files that a command is asked to write: whole or not at all, for their owner alone.
enum OutputFile {
    /// Writes a text in the place of the file that stands there, or of nothing; a link stays, and where it leads is written.
    ///
    /// What is no file takes the text as any writer's: a device or a pipe must not become a file.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        let target = try target(of: path)
        var facts = stat()
        let kind = lstat(target, &facts) == 0 ? facts.st_mode & S_IFMT : S_IFREG
        guard kind == S_IFREG else {
            try put(text, into: target, shownAs: path)
            return
        }
        let temporary = "\(target).\(getpid()).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        let isDone = WholeWrite.put(text, to: descriptor) && fsync(descriptor) == 0 && rename(temporary, target) == 0
        let error = isDone ? nil : failure(path)
        close(descriptor)
        if let error {
            unlink(temporary)
            throw error
        }
    }

    /// Where a link leads; a path that is none is its own.
    private static func target(of path: String) throws(CommandFailure) -> String {
        var facts = stat()
        guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK else { return path }
        guard facts.st_uid == geteuid() || facts.st_uid == 0 else {
            throw CommandFailure(
                .notPermitted,
                "\"\(path)\" is a link that another user made, so it isn't followed; name a file, nothing was changed")
        }
        // Such as /dev/stdout: what the link says is no path then.
        if stat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG { return path }
        guard let real = realpath(path, nil) else {
            guard errno == ENOENT else { throw failure(path) }
            throw CommandFailure(
                .storage, "\"\(path)\" is a link that leads nowhere; name a file, nothing was changed")
        }
        defer { free(real) }
        return String(cString: real)
    }

    /// Writes to a device or a pipe; anything else, such as a directory, can't be opened for writing.
    private static func put(_ text: String, into target: String, shownAs path: String) throws(CommandFailure) {
        let descriptor = open(target, O_WRONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        guard WholeWrite.put(text, to: descriptor) else { throw failure(path) }
    }

    private static func failure(_ path: String) -> CommandFailure {
        let code = errno
        let isPermission = code == EACCES || code == EPERM || code == EROFS
        return CommandFailure(
            isPermission ? .notPermitted : .storage,
            "\"\(path)\" can't be written: \(String(cString: strerror(code))); nothing was changed")
    }
}
