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
    private enum Placed {
        case done, nameTaken, temporaryGone, unsupported
    }

    let path: String
    /// The ways to try, in order.
    var placements: [Placement] = Placement.allCases
    /// Whether to try for a write-ahead log before falling back to a rollback journal.
    var prefersLog = true

    /// Makes the suite unless somebody else is first; either way a whole one stands there afterwards.
    func run() throws(OnboardingStorageError) {
        let directory = SuiteFile.directory(of: path)
        try makeDirectories(directory)
        try SuiteFile.requireSafeDirectory(directory, path: path)
        // A process that finishes first removes all temporaries of this suite, ours too. That this happens again and
        // again while the suite itself keeps vanishing is not a race any more.
        for _ in 0..<16 {
            let temporary = directory + "/" + temporaryPrefix + Self.randomSuffix()
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
                Self.remove(temporary)
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
    /// Whoever is still making one at this moment finds the name taken.
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

    private var temporaryPrefix: String { ".\(SuiteFile.name(of: path)).new-" }

    private var exists: Bool {
        var facts = stat()
        return lstat(path, &facts) == 0
    }

    private static func randomSuffix() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36)
    }

    private static func remove(_ temporary: String) {
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
        let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(errno, "create it") }
        // A strict umask may have taken the owner's own rights away.
        let changed = fchmod(descriptor, 0o600)
        let error = errno
        close(descriptor)
        if changed != 0 { throw failure(error, "create it") }
        try fill(temporary)
        try sync(temporary)
    }

    private func fill(_ temporary: String) throws(OnboardingStorageError) {
        let connection = try Connection(path: temporary, shownAs: path)
        try connection.run(
            """
            PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA page_size = 4096;
            PRAGMA auto_vacuum = NONE; PRAGMA encoding = 'UTF-8';
            BEGIN EXCLUSIVE; PRAGMA application_id = \(SuiteSchema.applicationID)
            """, "create it")
        try SuiteSchema.migrate(connection)
        try connection.run("COMMIT", "create it")
        // The mode is set while nobody else can have the file open: setting it on a shared one locks in spite of the
        // busy wait.
        if prefersLog, !logWorks(connection) {
            try connection.run("PRAGMA journal_mode = DELETE", "create it")
        }
        try connection.close()
    }

    /// Whether the file takes a write-ahead log: tried by writing through it.
    private func logWorks(_ connection: Connection) -> Bool {
        var mode = ""
        do throws(OnboardingStorageError) {
            try connection.query("PRAGMA journal_mode = WAL", [], "try its log") {
                (row) throws(OnboardingStorageError) in
                mode = row.text(0)
            }
            guard mode == "wal" else { return false }
            try connection.run("PRAGMA user_version = \(SuiteSchema.version)", "try its log")
            return true
        } catch {
            return false
        }
    }

    private func place(_ temporary: String, in directory: String) throws(OnboardingStorageError) -> Placed {
        for placement in placements {
            let error =
                switch placement {
                case .link: link(temporary, path) == 0 ? 0 : errno
                case .renameWithoutReplacing:
                    doorstep_rename_noreplace(AT_FDCWD, temporary, path) == 0 ? 0 : errno
                case .renameUnderLock: renameUnderLock(temporary, in: directory)
                }
            switch error {
            case 0: return .done
            case EEXIST: return .nameTaken
            case ENOENT: return .temporaryGone
            case EPERM, EACCES, ENOTSUP, ENOSYS, EINVAL, EMLINK: continue
            default: throw failure(error, "put it in its place")
            }
        }
        return .unsupported
    }

    private func renameUnderLock(_ temporary: String, in directory: String) -> Int32 {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            if errno != EINTR { return errno }
        }
        if exists { return EEXIST }
        return rename(temporary, path) == 0 ? 0 : errno
    }

    /// Makes a file or the names in a directory durable.
    private func sync(_ name: String) throws(OnboardingStorageError) {
        let descriptor = open(name, O_RDONLY | O_CLOEXEC)
        // A directory that may be entered and written but not listed can't be synchronised; nothing is lost by it but
        // the promise.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if fsync(descriptor) != 0 && errno != EINVAL && errno != EROFS { throw failure(errno, "make it durable") }
    }

    private func failure(_ error: Int32, _ operation: String) -> OnboardingStorageError {
        OnboardingStorageError(systemError: error, operation, path: path)
    }
}
