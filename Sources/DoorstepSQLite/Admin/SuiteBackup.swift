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
        // A backup gets its name as a new suite does: whole, durable, and never in another's place.
        let creation = SuiteCreation(path: target)
        let directory = SuiteFile.directory(of: target)
        let temporary = creation.temporary()
        let descriptor = Glibc.open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure(errno, target) }
        defer {
            Glibc.close(descriptor)
            SuiteCreation.remove(temporary)
        }
        try copy(source.connection, to: temporary, shownAs: target)
        let size = lseek(descriptor, 0, SEEK_END)
        guard size >= 0, fsync(descriptor) == 0 else { throw Self.failure(errno, target) }
        switch try creation.placeDurably(temporary, in: directory) {
        case .done: break
        case .nameTaken: throw Self.failure(EEXIST, target)
        case .temporaryGone: throw Self.failure(ENOENT, target)
        case .unsupported: throw Self.failure(ENOTSUP, target)
        }
        creation.sweep()
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
