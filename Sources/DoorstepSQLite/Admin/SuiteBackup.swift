internal import CSQLite
package import Doorstep
internal import Glibc

extension OnboardingSuite {
    /// Writes a consistent copy of the suite to a new file, also while others write; what stands there already stays.
    ///
    /// - Returns: The copy's size in bytes; nil where there is no suite.
    /// - Throws: ``OnboardingStorageError``; then no copy is left.
    package func backUp(to target: String) throws(OnboardingStorageError) -> Int64? {
        try close()
        guard let source = try SuiteConnector.openForReading(path, access: access, waitMilliseconds: busyMilliseconds)
        else {
            return nil
        }
        let directory = SuiteFile.directory(of: target)
        let unique = String(UInt64.random(in: .min ... .max), radix: 36)
        let temporary = "\(directory)/.\(SuiteFile.name(of: target)).\(unique).tmp"
        let descriptor = Glibc.open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure(errno, target) }
        defer {
            Glibc.close(descriptor)
            for suffix in ["", "-journal", "-wal", "-shm"] { unlink(temporary + suffix) }
        }
        try copy(source.connection, to: temporary, shownAs: target)
        let size = lseek(descriptor, 0, SEEK_END)
        guard size >= 0, fsync(descriptor) == 0, link(temporary, target) == 0 else {
            throw Self.failure(errno, target)
        }
        return Int64(size)
    }

    /// Copies in one step, so that a writer can't make it begin again and again: under a write-ahead log, nobody waits
    /// for it.
    private func copy(
        _ source: Connection, to temporary: String, shownAs target: String
    ) throws(OnboardingStorageError) {
        let copy = try Connection(path: temporary, shownAs: target)
        guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main") else {
            throw copy.failure(sqlite3_errcode(copy.handle), "begin the copy")
        }
        let start = ContinuousClock.now
        var result = sqlite3_backup_step(backup, -1)
        while result & 0xff == SQLITE_BUSY || result & 0xff == SQLITE_LOCKED, ContinuousClock.now - start < busyTimeout
        {
            usleep(2000)
            result = sqlite3_backup_step(backup, -1)
        }
        sqlite3_backup_finish(backup)
        if result != SQLITE_DONE { throw source.failure(result, "copy it") }
        try copy.close()
    }

    private static func failure(_ error: Int32, _ target: String) -> OnboardingStorageError {
        if error == EEXIST {
            return OnboardingStorageError(
                .notPermitted, "backup \"\(target)\" is there already; name a new file, nothing was changed")
        }
        return OnboardingStorageError(
            ResultCode.code(ofSystemError: error),
            "backup \"\(target)\" can't be written: \(ResultCode.text(ofSystemError: error)); nothing was changed")
    }
}
