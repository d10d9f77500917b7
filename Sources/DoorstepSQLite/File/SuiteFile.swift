internal import Doorstep
internal import Glibc

/// What the system says of an existing suite file and its directory, after the checks that every use begins with.
struct SuiteFile: Hashable {
    /// The file itself: where a link at the suite's path leads to.
    let path: String
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let modified: Int64
    let owner: UInt32
    /// Whether the directory and the file can be written, so that SQLite can keep its log beside the file.
    let isWritable: Bool

    /// The log's path.
    var logPath: String { path + "-wal" }

    /// The rollback journal's path, for a suite without a log.
    var journalPath: String { path + "-journal" }

    /// Looks at the suite at an absolute path, or answers nil if nothing is there.
    ///
    /// A link is followed if the caller or root made it; a link to nothing is an error, because the file that it
    /// stands for may only be out of reach. A suite is refused that others than its owner may write, or that belongs
    /// to somebody else: what it says could have been put there. When it is only read, a file of somebody else is
    /// accepted unless everybody may write it, because that is what an audit does.
    static func inspect(
        _ path: String, access: OnboardingSuite.Access
    ) throws(OnboardingStorageError) -> SuiteFile? {
        guard var facts = try status(ofLink: path, path: path) else { return nil }
        var real = path
        if facts.kind == S_IFLNK {
            if HostileReading.isOn { throw HostileReading.refusal(path) }
            try require(facts, "the link", path: path, access: access)
            real = try target(of: path)
            guard let target = try status(ofLink: real, path: path) else { throw dangling(path, errno: ENOENT) }
            facts = target
        }
        guard facts.kind == S_IFREG else {
            let kind = facts.kind == S_IFDIR ? "a directory" : "not a regular file"
            throw OnboardingStorageError(.foreign, "suite \"\(path)\" is \(kind); name a file")
        }
        let directory = Self.directory(of: real)
        try require(try directoryStatus(directory, path: path), "its directory", path: path, access: access)
        try require(facts, "it", path: path, access: access)
        return SuiteFile(
            path: real, device: facts.device, inode: facts.inode, size: facts.size, modified: facts.modified,
            owner: facts.owner, isWritable: canWrite(directory) && canWrite(real))
    }

    /// Whether the file that was looked at still has its name.
    var isStillThere: Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && UInt64(facts.st_dev) == device && UInt64(facts.st_ino) == inode
    }

    /// Whether the file that was looked at still has its name, its size and its time.
    var isUnchanged: Bool {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return false }
        let now = Status(facts)
        return now.device == device && now.inode == inode && now.size == size && now.modified == modified
    }

    /// Whether the file's time is so old that a change from now on shows in it: file systems count in ticks of some
    /// milliseconds.
    var isSettled: Bool {
        let now = OnboardingInstant.now.milliseconds
        return modified / 1_000_000 < now - 1000
    }

    /// Whether nothing stands at the log's path, so that nobody writes.
    var hasNoLog: Bool {
        var facts = stat()
        return lstat(logPath, &facts) != 0 && errno == ENOENT
    }

    /// Refuses a directory that a new suite couldn't be kept in safely.
    static func requireSafeDirectory(_ directory: String, path: String) throws(OnboardingStorageError) {
        try require(try directoryStatus(directory, path: path), "its directory", path: path, access: .readWrite)
        if !canWrite(directory) {
            throw OnboardingStorageError(systemError: errno, "write in its directory", path: path)
        }
    }

    /// Refuses to make a directory in one of somebody else's: root would lock a user out of their own home.
    static func requireOwnAncestor(of directory: String, path: String) throws(OnboardingStorageError) {
        var (ancestor, facts) = (directory, stat())
        while stat(ancestor, &facts) != 0 {
            guard errno == ENOENT, ancestor != "/" else { return }
            ancestor = Self.directory(of: ancestor)
        }
        if ancestor == directory || facts.st_uid == geteuid() || facts.st_uid == 0 { return }
        throw OnboardingStorageError(
            .notPermitted,
            "suite \"\(path)\" is refused: its place, \(ancestor), belongs to user \(facts.st_uid), and you are user \(geteuid()); use a suite of your own (sudo keeps HOME unless it is told -H)"
        )
    }

    /// The size of a file beside the suite, 0 if there is none.
    static func size(of path: String) -> Int64 {
        var facts = stat()
        return lstat(path, &facts) == 0 ? Int64(facts.st_size) : 0
    }

    /// The directory that holds an absolute path's last part.
    static func directory(of path: String) -> String {
        path.directoryOfPath ?? "/"
    }

    /// The last part of an absolute path.
    static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }

    private static func canWrite(_ name: String) -> Bool {
        faccessat(AT_FDCWD, name, W_OK, AT_EACCESS) == 0
    }

    private struct Status {
        let mode: UInt32
        let owner: UInt32
        let device: UInt64
        let inode: UInt64
        let size: Int64
        let modified: Int64
        var kind: UInt32 { mode & S_IFMT }

        init(_ facts: stat) {
            mode = facts.st_mode
            owner = facts.st_uid
            device = UInt64(facts.st_dev)
            inode = UInt64(facts.st_ino)
            size = Int64(facts.st_size)
            modified = Int64(facts.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(facts.st_mtim.tv_nsec)
        }
    }

    private static func status(ofLink name: String, path: String) throws(OnboardingStorageError) -> Status? {
        var facts = stat()
        if lstat(name, &facts) == 0 { return Status(facts) }
        let error = errno
        if error == ENOENT { return nil }
        throw OnboardingStorageError(systemError: error, "look at it", path: path)
    }

    private static func directoryStatus(_ name: String, path: String) throws(OnboardingStorageError) -> Status {
        var facts = stat()
        if stat(name, &facts) == 0 { return Status(facts) }
        throw OnboardingStorageError(systemError: errno, "look at its directory", path: path)
    }

    /// The file that a link at a path leads to.
    static func target(of path: String) throws(OnboardingStorageError) -> String {
        guard let resolved = realpath(path, nil) else { throw dangling(path, errno: errno) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func dangling(_ path: String, errno error: Int32) -> OnboardingStorageError {
        guard error == ENOENT else {
            return OnboardingStorageError(systemError: error, "follow the link", path: path)
        }
        return OnboardingStorageError(
            .io, "suite \"\(path)\" is a link to a file that isn't there; bring the file back or remove the link")
    }

    private static func require(
        _ status: Status, _ what: String, path: String, access: OnboardingSuite.Access
    ) throws(OnboardingStorageError) {
        let caller = geteuid()
        let isOurs = status.owner == caller || status.owner == 0
        if !isOurs && access == .readWrite {
            throw OnboardingStorageError(
                .notPermitted,
                "suite \"\(path)\" is refused: \(what) belongs to user \(status.owner), and you are user \(caller); use a suite of your own"
            )
        }
        if status.kind == S_IFLNK { return }
        let others: UInt32 = access == .readWrite ? 0o022 : 0o002
        if status.mode & others != 0 {
            let who = status.mode & 0o002 != 0 ? "everybody" : "its group"
            throw OnboardingStorageError(
                .notPermitted,
                "suite \"\(path)\" is refused: \(what) can be written by \(who); take that away with chmod go-w")
        }
    }
}
