internal import Foundation
package import Glibc
internal import Synchronization

/// A program that a test started, with its standard output to read from. `kill()` ends it and reaps it.
package final class ChildProcess: Sendable {
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    package let pid: pid_t
    private let output: Int32
    private let isReaped = Mutex(false)

    /// Starts `arguments[0]`, looked up on PATH, with `environment` and nothing else.
    ///
    /// - Parameter isQuiet: Whether its standard error goes nowhere: desktop services complain about the desktop that a
    ///   test doesn't have.
    package init(
        _ arguments: [String], environment: [String: String] = [:], isQuiet: Bool = false, package: String
    ) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Missing(description: "no pipe: errno \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        if isQuiet { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }

        var argv = arguments.map { strdup($0) } + [nil]
        var variables = environment
        variables["PATH"] = "/usr/local/bin:/usr/bin:/bin"
        var envp = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var child: pid_t = 0
        let result = posix_spawnp(&child, arguments[0], &actions, nil, &argv, &envp)
        guard result == 0 else {
            close(ends[0])
            throw Missing(description: "\(arguments[0]) didn't start (errno \(result)): install the package \(package)")
        }
        pid = child
        output = ends[0]
    }

    /// The next line of its standard output, read on a thread of its own.
    ///
    /// - Throws: `Missing` with `explanation` where the output ends, or nothing comes for 30 seconds.
    package func line(orElse explanation: String) async throws -> String {
        let output = self.output
        let line: String? = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var line: [UInt8] = []
                var byte: UInt8 = 0
                while true {
                    var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
                    guard poll(&descriptor, 1, 30_000) > 0, read(output, &byte, 1) == 1 else {
                        continuation.resume(returning: nil)
                        return
                    }
                    if byte == UInt8(ascii: "\n") { break }
                    line.append(byte)
                }
                continuation.resume(returning: String(decoding: line, as: UTF8.self))
            }
        }
        guard let line else { throw Missing(description: explanation) }
        return line
    }

    /// Waits for the first byte of its standard output, at most 30 seconds.
    package func byte(orElse explanation: String) async throws {
        let output = self.output
        let came = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var byte: UInt8 = 0
                var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
                continuation.resume(returning: poll(&descriptor, 1, 30_000) > 0 && read(output, &byte, 1) == 1)
            }
        }
        if !came { throw Missing(description: explanation) }
    }

    package func stop() {
        Glibc.kill(pid, SIGSTOP)
        // Signals arrive in their own time; the wait makes "stopped" a fact.
        var status: Int32 = 0
        waitpid(pid, &status, WUNTRACED)
    }

    package func kill() {
        isReaped.withLock { isReaped in
            guard !isReaped else { return }
            isReaped = true
            Glibc.kill(pid, SIGKILL)
            var status: Int32 = 0
            waitpid(pid, &status, 0)
            close(output)
        }
    }

    deinit { kill() }
}
