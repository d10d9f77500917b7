internal import Glibc

/// Why a program's version couldn't be asked, as the second half of a sentence.
enum VersionQueryError: Error, Equatable, CustomStringConvertible {
    case notStarted(errno: Int32)
    case late

    var description: String {
        switch self {
        case .notStarted(let errno): "couldn't be started (errno \(errno))"
        case .late: "didn't print its version in time"
        }
    }
}

/// Runs a program for the version that it prints, and leaves nothing of it behind.
enum VersionQuery {
    /// How much of what a program prints is read.
    private static let limit = 4096

    /// What the program prints first, to either output: until its end, a deadline, or 4 KiB of it.
    ///
    /// The program gets no input and a process group of its own, which is killed at the end, whatever it started.
    static func output(
        of path: String, arguments: [String], environment: [String: String], deadline: ContinuousClock.Instant
    ) throws(VersionQueryError) -> String {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .notStarted(errno: errno) }
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (result, child) = spawn(path, arguments: arguments, environment: environment, output: writing)
        close(writing)
        guard result == 0 else { throw .notStarted(errno: result) }
        defer {
            kill(-child, SIGKILL)
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
        }

        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: limit)
        while bytes.count < limit {
            let remaining = ContinuousClock.now.duration(to: deadline).components
            let milliseconds = remaining.seconds * 1000 + remaining.attoseconds / 1_000_000_000_000_000
            guard milliseconds > 0 else { throw .late }
            var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, Int32(clamping: milliseconds)) > 0 else { continue }
            let count = read(reading, &chunk, limit - bytes.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
            // A line with a version is enough; whoever keeps the pipe open is not waited for.
            if bytes.contains(UInt8(ascii: "\n")),
                VersionNumber(firstIn: String(decoding: bytes, as: UTF8.self)) != nil
            {
                break
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func spawn(
        _ path: String, arguments: [String], environment: [String: String], output: Int32
    ) -> (result: Int32, child: pid_t) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, output, 2)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))

        var argv = ([path] + arguments).map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var child: pid_t = 0
        var result: Int32 = 0
        // A program that was written a moment ago may still be open in a process that its writer forked meanwhile.
        for _ in 0..<50 {
            result = posix_spawn(&child, path, &actions, &attributes, &argv, &envp)
            if result != ETXTBSY { break }
            usleep(2000)
        }
        return (result, child)
    }
}
