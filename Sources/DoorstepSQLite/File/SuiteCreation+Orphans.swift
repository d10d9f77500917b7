internal import CSQLite
internal import Doorstep
internal import Glibc

/// What a suite that is gone has left beside the place of the new one.
extension SuiteCreation {
    /// Sets the log and journal of a suite that is gone aside: beside a new one they would spoil it.
    ///
    /// Either may hold the only copy of answers, of a suite that was only moved away or is being restored, so neither is
    /// ever removed: it becomes `suite.db-wal.orphan-<milliseconds since 1970>`, and whoever brings the suite back gives it
    /// its name again. Empty ones and the log's index, which is made from the log, hold nothing and are removed.
    ///
    /// Without the lock they could be those of a suite that another process makes at this moment.
    ///
    /// - Throws: ``OnboardingStorageError`` if one is there and can't be set aside.
    func setOrphansAside(isLocked: Bool) throws(OnboardingStorageError) {
        for suffix in ["-wal", "-shm", "-journal"] {
            let orphan = path + suffix
            var facts = stat()
            if lstat(orphan, &facts) != 0 {
                if errno == ENOENT { continue }
                // A log that can't be looked at may be there all the same, and a new suite beside it would overwrite it.
                throw failure(errno, "look for an earlier suite's log")
            }
            guard isLocked else {
                throw OnboardingStorageError(
                    .io,
                    "suite \"\(path)\" is gone, but not \(orphan), which may hold answers; bring the suite back, or move that file away"
                )
            }
            if suffix == "-shm" || facts.st_size == 0 {
                if unlink(orphan) != 0 { throw failure(errno, "remove an earlier suite's empty log") }
            } else {
                try setAside(orphan)
            }
        }
    }

    /// Whether a name beside a suite is that of a log or journal that was set aside.
    static func isOrphan(_ other: String, of name: String) -> Bool {
        ["-wal", "-journal"].contains { other.utf8.starts(with: "\(name)\($0)\(orphanMark)".utf8) }
    }

    private static let orphanMark = ".orphan-"

    private func setAside(_ orphan: String) throws(OnboardingStorageError) {
        let time = OnboardingInstant.now.milliseconds
        for number in 0..<100 {
            let name = "\(orphan)\(Self.orphanMark)\(time + Int64(number))"
            if doorstep_rename_noreplace(AT_FDCWD, orphan, name) == 0 { return }
            if errno == EEXIST { continue }
            // A file system that can't rename so may still have links.
            if link(orphan, name) == 0 {
                if unlink(orphan) != 0 { throw failure(errno, "set an earlier suite's log aside") }
                return
            }
            if errno == EEXIST { continue }
            // With neither: only whoever holds the directory's lock comes here, so the name stays free until the rename.
            var facts = stat()
            if lstat(name, &facts) == 0 { continue }
            if rename(orphan, name) == 0 { return }
            throw failure(errno, "set an earlier suite's log aside")
        }
        throw failure(EEXIST, "set an earlier suite's log aside")
    }
}
