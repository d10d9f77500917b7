internal import Glibc

/// The right to change a registry's directory: one process has it at a time, until it is released or ends.
final class RegistryLock {
    /// How long another process's change is waited for.
    private static let patience = Duration.seconds(10)

    private let descriptor: Int32

    /// Waits for the right to change a directory, which is made where it is missing.
    ///
    /// A file system without locks needs no error: new files are put in place without replacing any.
    ///
    /// - Throws: ``RegistryError/unwritable(path:reason:isPermission:)``.
    init(_ directory: String) throws(RegistryError) {
        try AtomicFile.makeDirectory(directory)
        descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unwritable(directory) }
        let end = ContinuousClock.now + Self.patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            if errno != EWOULDBLOCK { return }
            guard ContinuousClock.now < end else {
                throw .unwritable(
                    path: directory, reason: "another doorstep is changing it; try again", isPermission: false)
            }
            usleep(5000)
        }
    }

    /// Lets go of the directory; also keeps the lock alive until here.
    func release() {
        _ = flock(descriptor, LOCK_UN)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }
}
