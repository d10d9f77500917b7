package import Doorstep
package import DoorstepSQLite
internal import Glibc

/// Reads suites for an audit: the caller's own in this process, somebody else's in a child that has their rights alone.
public struct SuiteReader: Sendable {
    /// The most bytes that a child may answer with.
    static let answerLimit = 64 * 1024 * 1024
    /// The most bytes that a child may answer with when it only counts.
    static let totalsLimit = 4 * 1024 * 1024

    /// The program that runs ``SuiteChild/run(_:becoming:)``, with its arguments up to the path.
    public var child: [String]

    /// A reader whose children are this program, called with these arguments.
    public init(child: [String]) {
        self.child = child
    }

    /// A suite that is to be read.
    public struct Target: Sendable {
        /// The suite's file.
        public let path: String
        /// The user whose suite it is, where users are audited.
        public let user: UserSuite?
        /// Whether a suite that isn't there is a fault, because somebody named it, rather than an empty one.
        public let mustExist: Bool

        /// A suite by its path.
        public init(_ path: String, user: UserSuite? = nil, mustExist: Bool = false) {
            self.path = path
            self.user = user
            self.mustExist = mustExist
        }
    }

    /// Audits a suite: in this process if it is the caller's own, else as its owner.
    public func audit(_ target: Target, with auditor: Auditor) -> SuiteAudit {
        do throws(OnboardingStorageError) {
            guard case .child(let owner) = try Self.way(to: target) else {
                return auditor.audit(try Self.open(target))
            }
            var audit = auditor.audit(
                try contents(target.path, as: owner), path: target.path, user: target.user?.name)
            audit.add(SuitePermissions.findings(target.path))
            return audit
        } catch {
            return Auditor.failed(error, path: target.path, user: target.user?.name)
        }
    }

    /// Counts a suite's records by prefix: in this process if it is the caller's own, else as its owner.
    ///
    /// - Throws: `OnboardingStorageError`.
    package func totals(_ target: Target) throws(OnboardingStorageError) -> [PrefixTotals] {
        guard case .child(let owner) = try Self.way(to: target) else { return try Self.open(target).totals() ?? [] }
        var totals: [PrefixTotals] = []
        // Every suite's totals are kept until the end, so that one may not have as many as there is memory.
        try ask(target.path, ["--totals"], as: owner, limit: Self.totalsLimit) { part in
            guard case .totals(let found) = part else { return false }
            totals.append(found)
            return true
        }
        return totals
    }

    /// Which process reads a suite.
    private enum Way {
        case here
        /// One that becomes the owner, whom only root can become.
        case child(becoming: (uid: UInt32, gid: UInt32)?)
    }

    private static func way(to target: Target) throws(OnboardingStorageError) -> Way {
        var facts = stat()
        let isThere = lstat(target.path, &facts) == 0
        if !isThere, target.mustExist, errno == ENOENT || errno == ENOTDIR {
            throw OnboardingStorageError(.invalid, "there is no suite \"\(target.path)\"")
        }
        let owner: (uid: UInt32, gid: UInt32)
        if let user = target.user {
            owner = (user.uid, user.gid)
        } else if isThere, facts.st_uid != geteuid() {
            owner = (facts.st_uid, facts.st_gid)
        } else {
            return .here
        }
        return .child(becoming: geteuid() == 0 ? owner : nil)
    }

    private static func open(_ target: Target) throws(OnboardingStorageError) -> OnboardingSuite {
        try OnboardingSuite.open(at: target.path, access: .readOnly, busyTimeout: .seconds(1))
    }

    /// What a child says that a suite holds.
    func contents(
        _ path: String, as owner: (uid: UInt32, gid: UInt32)?
    ) throws(OnboardingStorageError) -> SuiteContents {
        var contents = SuiteContents()
        try ask(path, as: owner, limit: Self.answerLimit) { part in
            switch part {
            case .app(let app): contents.apps.append(app)
            case .stray(let record): contents.strays.append(record)
            default: return false
            }
            return true
        }
        return contents
    }

    /// Has a child read a suite, and hands over the parts of its answer, until one isn't wanted.
    private func ask(
        _ path: String, _ options: [String] = [], as owner: (uid: UInt32, gid: UInt32)?, limit: Int,
        _ take: (SuiteWire.Part) -> Bool
    ) throws(OnboardingStorageError) {
        var arguments = child + options
        if let owner { arguments += ["--uid", "\(owner.uid)", "--gid", "\(owner.gid)"] }
        arguments += ["--", path]
        let process = try ChildOutput(arguments)
        var failure: OnboardingStorageError?
        var isWhole = false
        let verdict = process.lines(limit: limit, time: SuiteChild.time + .seconds(5)) { line in
            switch SuiteWire.part(line) {
            case .failure(let error): failure = error
            case .end: isWhole = true
            case nil: return false
            case let part?: return take(part)
            }
            return true
        }
        if let failure { throw failure }
        guard verdict == .ended, isWhole else {
            let reason =
                switch verdict {
                case .late: "reading it took too long"
                case .tooLong: "it holds more than an audit reads of somebody else's suite"
                case .refused, .ended: "the process that read it as its owner failed"
                }
            throw OnboardingStorageError(.io, "suite \"\(path)\" could not be read: \(reason)")
        }
    }
}

/// A child's standard output, read line by line within bounds; the child is gone when this ends.
private struct ChildOutput {
    enum Verdict {
        case ended, late, tooLong, refused
    }

    private let process: pid_t
    private let descriptor: Int32

    init(_ arguments: [String]) throws(OnboardingStorageError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.failure("pipe") }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        if ends[1] > 2 { posix_spawn_file_actions_addclose(&actions, ends[1]) }
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        // The child needs no variable, and gets none that could lead it anywhere.
        var environment: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/bin:/bin"), nil]
        defer { for word in environment { free(word) } }
        var process = pid_t()
        let result = posix_spawn(&process, arguments[0], &actions, nil, &words, &environment)
        close(ends[1])
        guard result == 0 else {
            close(ends[0])
            errno = result
            throw Self.failure("start \(arguments[0])")
        }
        self.process = process
        descriptor = ends[0]
    }

    private static func failure(_ what: String) -> OnboardingStorageError {
        OnboardingStorageError(.io, "a child could not be made (\(what)): \(String(cString: strerror(errno)))")
    }

    func lines(limit: Int, time: Duration, _ take: ([UInt8]) -> Bool) -> Verdict {
        defer {
            close(descriptor)
            kill(process, SIGKILL)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
        let end = ContinuousClock.now + time
        var buffer = [UInt8](repeating: 0, count: 65536)
        var line: [UInt8] = []
        var total = 0
        while true {
            let left = end - ContinuousClock.now
            guard left > .zero else { return .late }
            var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&poller, 1, Int32(min(1000, left / .milliseconds(1) + 1)))
            if ready == 0 || ready < 0 && errno == EINTR { continue }
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return line.isEmpty ? .ended : .refused }
            total += count
            if total > limit { return .tooLong }
            var rest = buffer[..<count]
            while let newline = rest.firstIndex(of: 10) {
                line += rest[..<newline]
                if !take(line) { return .refused }
                line.removeAll(keepingCapacity: true)
                rest = rest[(newline + 1)...]
            }
            line += rest
        }
    }
}
