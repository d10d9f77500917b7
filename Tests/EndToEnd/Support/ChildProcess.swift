import Foundation
import Synchronization
import Testing

/// A process of its own: exactly the environment that it is given, and an end that is waited for within bounds.
final class ChildProcess: Sendable {
    /// Where one of the three standard streams leads.
    enum Stream {
        case file(String, flags: Int32)
        case descriptor(Int32)

        static let nothing = Stream.file("/dev/null", flags: O_RDWR)
    }

    /// How long any process of these tests may take; only a hung one takes so long.
    static let patience = Duration.seconds(60)

    /// Descriptors are made and inherited under this lock, so that no process gets one that is meant for another.
    private static let spawning = Mutex(())

    let id: pid_t
    private let reaped = Mutex<Int32?>(nil)

    /// - Parameters:
    ///   - command: The program's path and its arguments.
    ///   - ownsTerminal: Whether the process begins a session, so that the terminal it opens first becomes its own.
    ///   - streams: Makes standard input, output and error; what it makes is closed on exec unless it is one of those.
    init(
        _ command: [String], environment: [String: String], directory: String, ownsTerminal: Bool = false,
        streams: () throws -> [Stream]
    ) throws {
        id = try Self.spawning.withLock { _ in
            let streams = try streams()
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            for (number, stream) in streams.enumerated() {
                switch stream {
                case .file(let path, let flags):
                    posix_spawn_file_actions_addopen(&actions, Int32(number), path, flags, 0o600)
                case .descriptor(let descriptor):
                    posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
                }
            }
            var attributes = posix_spawnattr_t()
            posix_spawnattr_init(&attributes)
            defer { posix_spawnattr_destroy(&attributes) }
            // Handlers of the test runner's must not reach the command: it starts as a shell would start it.
            var defaults = sigset_t()
            sigfillset(&defaults)
            posix_spawnattr_setsigdefault(&attributes, &defaults)
            var flags = Int32(POSIX_SPAWN_SETSIGDEF)
            // POSIX_SPAWN_SETSID, which glibc shows to GNU sources alone.
            if ownsTerminal { flags |= 0x80 }
            posix_spawnattr_setflags(&attributes, Int16(flags))

            // env goes to the directory and then becomes the command, under the same process ID.
            let command = ["/usr/bin/env", "--chdir=\(directory)"] + command
            let arguments = command.map { strdup($0) } + [nil]
            let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
            defer { (arguments + variables).forEach { free($0) } }
            var process = pid_t()
            let code = posix_spawn(&process, command[0], &actions, &attributes, arguments, variables)
            try #require(code == 0, "\(command) can't be started: \(String(cString: strerror(code)))")
            return process
        }
    }

    /// Two ends of a pipe that no process inherits unasked. Call it only while streams are made.
    static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        for end in ends { keep(end) }
        return (ends[0], ends[1])
    }

    /// Makes a descriptor one that no process inherits.
    static func keep(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Waits for the end of a process whose streams have ended.
    ///
    /// - Returns: The exit status, or 128 and the signal that ended it.
    func wait() -> Int32 {
        reaped.withLock { reaped in
            if let reaped { return reaped }
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0 && errno == EINTR {}
            let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
            reaped = code
            return code
        }
    }

    /// Sends a signal, unless the process has been waited for.
    func signal(_ number: Int32) {
        reaped.withLock { if $0 == nil { kill(id, number) } }
    }

    deinit {
        signal(SIGKILL)
        _ = wait()
    }
}

extension ChildProcess {
    /// Reads descriptors until each of them has ended or enough was seen.
    ///
    /// - Parameters:
    ///   - endsWithAny: Whether the end of any of them is the end.
    ///   - isEnough: Whether what was read so far is enough.
    /// - Returns: Whether that happened in time.
    static func read(
        _ descriptors: [Int32], into contents: inout [[UInt8]], endsWithAny: Bool = false,
        until isEnough: ([[UInt8]]) -> Bool = { _ in false }
    ) -> Bool {
        let deadline = ContinuousClock.now + patience
        var open = descriptors
        while !isEnough(contents) {
            if open.allSatisfy({ $0 < 0 }) || endsWithAny && open.contains(-1) { return true }
            guard ContinuousClock.now < deadline else { return false }
            var polled = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, nfds_t(polled.count), 1000) > 0 else { continue }
            for (place, entry) in polled.enumerated() where entry.revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 65536)
                let count = Glibc.read(entry.fd, &bytes, bytes.count)
                if count > 0 { contents[place] += bytes[..<count] } else { open[place] = -1 }
            }
        }
        return true
    }
}
