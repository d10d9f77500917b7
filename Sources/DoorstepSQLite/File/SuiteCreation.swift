internal import CSQLite
internal import Doorstep
internal import Glibc

/// Makes a suite whole under a temporary name, then puts it in its place, so that no half-made suite is ever seen.
struct SuiteCreation {
    /// A way to give the finished file its name without replacing another's.
    enum Placement: CaseIterable {
        /// A second link to the file; fails if the name is taken.
        case link
        /// For file systems without links.
        case renameWithoutReplacing
        /// For file systems with neither: a rename, one process at a time by a lock on the directory.
        case renameUnderLock
    }

    /// How a placement ended.
    enum Placed {
        case done, nameTaken, temporaryGone, unsupported
    }

    let path: String
    /// The ways to try, in order.
    var placements: [Placement] = Placement.allCases

    /// Makes the suite unless somebody else is first; either way a whole one stands there afterwards.
    func run() throws(OnboardingStorageError) {
        let directory = SuiteFile.directory(of: path)
        try SuiteFile.requireOwnAncestor(of: directory, path: path)
        try makeDirectories(directory)
        try SuiteFile.requireSafeDirectory(directory, path: path)
        // A process that finishes first removes all temporaries of this suite, ours too. That this happens again and
        // again while the suite itself keeps vanishing is not a race any more.
        for _ in 0..<16 {
            let temporary = temporary()
            defer { Self.remove(temporary) }
            do throws(OnboardingStorageError) {
                try build(temporary)
            } catch {
                // An unfinished temporary may be swept away by the process that was first.
                if exists { return }
                throw error
            }
            switch try place(temporary, in: directory) {
            case .done:
                sweep()
                try sync(directory)
                return
            case .nameTaken: return
            case .temporaryGone:
                if exists { return }
            case .unsupported:
                if exists { return }
                throw OnboardingStorageError(
                    .io,
                    "suite \"\(path)\" could not be created: its directory allows neither links nor renames; name a file elsewhere"
                )
            }
        }
        throw OnboardingStorageError(
            .busy, "suite \"\(path)\" could not be created: something keeps removing it; try again")
    }

    /// Removes what processes that died while creating this suite have left; call it only while the suite exists.
    ///
    /// Every creation that succeeds and the first write of every process come here, so that leftovers go at the latest
    /// with the next process that writes, at whatever moment the one before it was killed. Whoever is still making a suite
    /// at this moment finds the name taken.
    func sweep() {
        let directory = SuiteFile.directory(of: path)
        guard let stream = opendir(directory) else { return }
        defer { closedir(stream) }
        let prefix = temporaryPrefix
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.utf8.starts(with: prefix.utf8) { unlink(directory + "/" + name) }
        }
    }

    /// A new name beside the suite, of a file that ``sweep()`` removes if it is left.
    func temporary() -> String {
        SuiteFile.directory(of: path) + "/" + temporaryPrefix + Self.randomSuffix()
    }

    private var temporaryPrefix: String { ".\(SuiteFile.name(of: path)).new-" }

    private var exists: Bool {
        var facts = stat()
        return lstat(path, &facts) == 0
    }

    private static func randomSuffix() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36)
    }

    static func remove(_ temporary: String) {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(temporary + suffix) }
    }

    private func makeDirectories(_ directory: String) throws(OnboardingStorageError) {
        if mkdir(directory, 0o700) == 0 {
            try sync(SuiteFile.directory(of: directory))
            return
        }
        switch errno {
        case EEXIST: return
        case ENOENT where directory != "/":
            try makeDirectories(SuiteFile.directory(of: directory))
            if mkdir(directory, 0o700) != 0 && errno != EEXIST { throw failure(errno, "make its directory") }
            try sync(SuiteFile.directory(of: directory))
        case let error: throw failure(error, "make its directory")
        }
    }

    private func build(_ temporary: String) throws(OnboardingStorageError) {
        do throws(OnboardingStorageError) {
            try createEmpty(temporary)
            if try !logWorks(fill(temporary), temporary) {
                // The trial may have left a file that can't be opened any more without a log.
                Self.remove(temporary)
                try createEmpty(temporary)
                try fill(temporary).close()
            }
            try sync(temporary)
        } catch {
            // A file of ours alone that isn't what was written to it: the place is at fault, and there is no suite to restore.
            guard error.code == .damaged || error.code == .foreign else { throw error }
            throw OnboardingStorageError(
                .io,
                "suite \"\(path)\" could not be created: what is written in its directory can't be read back; name a file elsewhere, nothing was changed"
            )
        }
    }

    /// Makes an empty file for the caller alone.
    func createEmpty(_ temporary: String) throws(OnboardingStorageError) {
        let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(errno, "create it") }
        defer { close(descriptor) }
        // A strict umask may have taken the owner's own rights away.
        if fchmod(descriptor, 0o600) != 0 { throw failure(errno, "create it") }
    }

    /// Makes the tables of a new suite that uses a rollback journal. Nothing is durable before all of it is.
    private func fill(_ temporary: String) throws(OnboardingStorageError) -> Connection {
        let connection = try Connection(path: temporary, shownAs: path)
        try connection.run(
            """
            PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA page_size = 4096;
            PRAGMA auto_vacuum = NONE; PRAGMA encoding = 'UTF-8';
            BEGIN EXCLUSIVE; PRAGMA application_id = \(SuiteSchema.applicationID)
            """, "create it")
        try SuiteSchema.migrate(connection)
        try connection.run("COMMIT", "create it")
        return connection
    }

    /// Gives the new suite a write-ahead log, and answers whether it can be written through one here; closes it.
    ///
    /// This is done while nobody else can have the file open: setting the mode of a shared file locks in spite of the
    /// busy wait.
    private func logWorks(_ connection: Connection, _ temporary: String) -> Bool {
        var mode = ""
        do throws(OnboardingStorageError) {
            try connection.query("PRAGMA journal_mode = WAL", [], "try its log") {
                (row) throws(OnboardingStorageError) in
                mode = row.text(0)
            }
            guard mode == "wal" else { return false }
            try connection.run("PRAGMA user_version = \(SuiteSchema.version)", "try its log")
            try connection.close()
            // What is left in a log would be lost with the temporary's name.
            return SuiteFile.size(of: temporary + "-wal") == 0
        } catch {
            return false
        }
    }

    /// Gives the finished file its name, one process at a time where the file system has locks.
    func place(_ temporary: String, in directory: String) throws(OnboardingStorageError) -> Placed {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        let isLocked = descriptor >= 0 && lock(descriptor)
        if exists { return .nameTaken }
        try setOrphansAside(isLocked: isLocked)
        for placement in placements {
            let result =
                switch placement {
                case .link: link(temporary, path)
                case .renameWithoutReplacing: doorstep_rename_noreplace(AT_FDCWD, temporary, path)
                case .renameUnderLock: isLocked ? rename(temporary, path) : -1
                }
            if result == 0 { return .done }
            switch errno {
            case EEXIST: return .nameTaken
            case ENOENT: return .temporaryGone
            case EPERM, EACCES, ENOTSUP, ENOSYS, EINVAL, EMLINK: continue
            case let error: throw failure(error, "put it in its place")
            }
        }
        return .unsupported
    }

    /// Gives a finished file its name for good: where that can't be made durable, what a power cut might take away isn't
    /// called there.
    func placeDurably(_ temporary: String, in directory: String) throws(OnboardingStorageError) -> Placed {
        let placed = try place(temporary, in: directory)
        guard case .done = placed else { return placed }
        do throws(OnboardingStorageError) {
            try sync(directory)
        } catch {
            unlink(path)
            throw error
        }
        return placed
    }

    private func lock(_ descriptor: Int32) -> Bool {
        // Whoever holds it only names a finished file, so the wait is short; a stranger's lock isn't waited for long.
        for _ in 0..<1000 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            if errno != EWOULDBLOCK && errno != EINTR { return false }
            usleep(1000)
        }
        return false
    }

    /// Makes a file or the names in a directory durable.
    func sync(_ name: String) throws(OnboardingStorageError) {
        let descriptor = open(name, O_RDONLY | O_CLOEXEC)
        // A directory that may be entered and written but not listed can't be synchronised; nothing is lost by it but
        // the promise.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS { throw failure(errno, "make it durable") }
    }

    func failure(_ error: Int32, _ operation: String) -> OnboardingStorageError {
        OnboardingStorageError(systemError: error, operation, path: path)
    }
}
