internal import Glibc

/// Files that are written whole or not at all.
enum AtomicFile {
    /// Writes a file under a temporary name, syncs it, and renames it into place; missing directories are made.
    ///
    /// - Throws: ``RegistryError/unwritable(path:reason:isPermission:)``; what stood there stays.
    static func write(_ bytes: [UInt8], to path: String) throws(RegistryError) {
        let directory = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        try makeDirectory(directory)
        let temporary = "\(path).\(getpid()).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw .unwritable(temporary) }
        var isWritten = write(bytes, to: descriptor) && fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        errno = code
        isWritten = isWritten && rename(temporary, path) == 0
        if !isWritten {
            let error = RegistryError.unwritable(path)
            unlink(temporary)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var count = 0
        while count < bytes.count {
            let put = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + count, $0.count - count) }
            if put < 0, errno == EINTR { continue }
            if put <= 0 { return false }
            count += put
        }
        return true
    }

    private static func makeDirectory(_ path: String) throws(RegistryError) {
        if path.isEmpty || access(path, F_OK) == 0 { return }
        if let slash = path.lastIndex(of: "/") { try makeDirectory(String(path[..<slash])) }
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw .unwritable(path) }
    }
}
