internal import Doorstep
internal import Glibc
internal import Synchronization

/// Files that are written whole or not at all, one or several at once.
enum AtomicFile {
    /// One file that is to be written.
    struct Write {
        /// Where it goes.
        var path: String
        /// What will stand there.
        var bytes: [UInt8]
        /// What stands there now, or nil for a new file.
        var before: [UInt8]?
    }

    private struct Staged {
        var write: Write
        var temporary: String
    }

    /// Makes the number of a temporary name, so that two threads of one process don't share one.
    private static let count = Mutex(0)

    /// Writes every file, or none: each is first written whole and synced under a temporary name, and only when all of
    /// them are there, they are renamed into place. Missing directories are made, for their owner alone. A new file never
    /// takes the place of one that came up meanwhile.
    ///
    /// - Throws: ``RegistryError/unwritable(path:reason:isPermission:)``; what stood there stands there again.
    static func write(_ writes: [Write]) throws(RegistryError) {
        var staged: [Staged] = []
        defer { for file in staged { unlink(file.temporary) } }
        for write in writes {
            staged.append(Staged(write: write, temporary: try stage(write.bytes, for: write.path)))
        }
        for (index, file) in staged.enumerated() where !put(file) {
            let error = RegistryError.unwritable(file.write.path)
            for done in staged[..<index].reversed() { undo(done.write) }
            throw error
        }
        for directory in Set(writes.map { Self.directory(of: $0.path) }) { sync(directory: directory) }
    }

    /// Puts a staged file in its place and answers whether that worked; `errno` says why not.
    private static func put(_ file: Staged) -> Bool {
        let (temporary, path) = (file.temporary, file.write.path)
        if file.write.before != nil { return rename(temporary, path) == 0 }
        if link(temporary, path) == 0 { return true }
        // A file system without links; the directory's lock keeps other registrations away.
        return (errno == EPERM || errno == EOPNOTSUPP) && access(path, F_OK) != 0 && rename(temporary, path) == 0
    }

    private static func undo(_ write: Write) {
        guard let before = write.before else {
            unlink(write.path)
            return
        }
        // Nothing more can be done where even the old content can't be put back; the error says that the writing failed.
        if let temporary = try? stage(before, for: write.path), rename(temporary, write.path) != 0 { unlink(temporary) }
    }

    private static func stage(_ bytes: [UInt8], for path: String) throws(RegistryError) -> String {
        try makeDirectory(directory(of: path))
        let number = count.withLock { count in
            count += 1
            return count
        }
        let temporary = "\(path).\(getpid())-\(number).tmp"
        // One that is left of a crashed process with the same number is nobody's any more.
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw .unwritable(path) }
        let isWritten = bytes.withUnsafeBytes { WholeWrite.put($0, to: descriptor) } && fsync(descriptor) == 0
        let error = RegistryError.unwritable(path)
        close(descriptor)
        if isWritten { return temporary }
        unlink(temporary)
        throw error
    }

    /// Makes the new names last through a power cut; a file system that can't sync a directory needs no error.
    private static func sync(directory: String) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    static func directory(of path: String) -> String {
        path.directoryOfPath ?? "."
    }

    /// Makes a directory and those above it, for their owner alone.
    static func makeDirectory(_ path: String) throws(RegistryError) {
        if access(path, F_OK) == 0 { return }
        let parent = directory(of: path)
        if parent != path { try makeDirectory(parent) }
        // 0700 is what the XDG Base Directory Specification asks for.
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .unwritable(path) }
    }
}
