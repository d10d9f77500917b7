internal import Doorstep
internal import DoorstepRegistry
internal import DoorstepSQLite
internal import Glibc

/// The child that reads somebody else's suite: it gives up every right but its owner's before it looks at the file.
public enum SuiteChild {
    /// How long the child may read.
    static let time = Duration.seconds(10)
    /// How long it waits for a lock.
    static let lockTime = Duration.seconds(1)

    /// Becomes a user, reads the suite, and writes what it holds to standard output.
    ///
    /// - Parameters:
    ///   - path: The suite's file.
    ///   - isCounting: Whether only the records of each prefix are counted.
    ///   - user: The user and group to become, or nil to stay who this process is.
    /// - Returns: The process's exit status: 0 if what it wrote is all there is.
    public static func run(
        _ path: String, counting isCounting: Bool = false, becoming user: (uid: UInt32, gid: UInt32)?
    ) -> Int32 {
        if let user {
            let hasLeft =
                setgroups(0, nil) == 0 && setgid(user.gid) == 0 && setuid(user.uid) == 0 && getuid() == user.uid
                && geteuid() == user.uid && getgid() == user.gid
            // Without this a suite would be read with rights that its owner doesn't have.
            if !hasLeft || user.uid != 0 && setuid(0) == 0 { return 77 }
        }
        limit(RLIMIT_CORE, 0)
        limit(RLIMIT_CPU, 20)
        limit(RLIMIT_AS, 2 * 1024 * 1024 * 1024)
        limit(RLIMIT_NOFILE, 64)
        HostileReading.begin(for: time)
        do throws(OnboardingStorageError) {
            let suite = try OnboardingSuite.open(at: path, access: .readOnly, environment: [:], busyTimeout: lockTime)
            let isWhole =
                isCounting
                ? SuiteWire.lines(try suite.totals() ?? [], emit: write)
                : SuiteWire.lines(try suite.contents() ?? SuiteContents(), emit: write)
            return isWhole ? 0 : 74
        } catch {
            return write(SuiteWire.line(error)) ? 0 : 74
        }
    }

    private static func limit(_ resource: __rlimit_resource, _ value: UInt) {
        var limits = rlimit(rlim_cur: value, rlim_max: value)
        setrlimit(__rlimit_resource_t(resource.rawValue), &limits)
    }

    private static func write(_ line: String) -> Bool {
        WholeWrite.put(line + "\n", to: STDOUT_FILENO)
    }
}
