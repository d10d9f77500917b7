internal import Doorstep
internal import DoorstepSQLite
internal import Glibc

/// Reads suites for an audit: the caller's own in this process, somebody else's in a child that has their rights alone.
public struct SuiteReader: Sendable {
    /// The most bytes that a child may answer with.
    static let answerLimit = 64 * 1024 * 1024

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
        let (path, user) = (target.path, target.user)
        var facts = stat()
        if target.mustExist, lstat(path, &facts) != 0, errno == ENOENT || errno == ENOTDIR {
            let error = OnboardingStorageError(.invalid, "there is no suite \"\(path)\"")
            return Auditor.failed(error, path: path, user: user?.name)
        }
        let owner: (uid: UInt32, gid: UInt32)?
        if let user {
            owner = (user.uid, user.gid)
        } else if lstat(path, &facts) == 0, facts.st_uid != geteuid() {
            owner = (facts.st_uid, facts.st_gid)
        } else {
            owner = nil
        }
        do throws(OnboardingStorageError) {
            guard let owner else {
                return auditor.audit(try OnboardingSuite.open(at: path, access: .readOnly, busyTimeout: .seconds(1)))
            }
            let contents = try read(path, as: geteuid() == 0 ? owner : nil)
            var audit = auditor.audit(contents, path: path, user: user?.name)
            audit.add(SuitePermissions.findings(path))
            return audit
        } catch {
            return Auditor.failed(error, path: path, user: user?.name)
        }
    }

    /// What a child says of a suite.
    func read(_ path: String, as owner: (uid: UInt32, gid: UInt32)?) throws(OnboardingStorageError) -> SuiteContents {
        var arguments = child
        if let owner { arguments += ["--uid", "\(owner.uid)", "--gid", "\(owner.gid)"] }
        arguments += ["--", path]
        let process = try ChildOutput(arguments)
        var contents = SuiteContents()
        var failure: OnboardingStorageError?
        var isWhole = false
        let verdict = process.lines(limit: Self.answerLimit, time: SuiteChild.time + .seconds(5)) { line in
            switch SuiteWire.part(line) {
            case .app(let app): contents.apps.append(app)
            case .stray(let record): contents.strays.append(record)
            case .failure(let error): failure = error
            case .end: isWhole = true
            case nil: return false
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
        return contents
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
