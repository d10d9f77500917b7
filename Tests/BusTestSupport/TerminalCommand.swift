internal import Foundation
internal import Glibc

/// The built `doorstep` at a terminal of its own.
package final class TerminalCommand {
    package struct Silent: Error, CustomStringConvertible {
        package let description: String
    }

    /// Everything that the screen has shown so far.
    package private(set) var shown = ""
    private let screen: Int32
    private let process = Process()

    package init(_ command: DoorstepCommand, _ arguments: String...) throws {
        var size = winsize(ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
        var ends: (screen: Int32, user: Int32) = (-1, -1)
        guard openpty(&ends.screen, &ends.user, nil, nil, &size) == 0 else {
            throw Silent(description: "no pseudo terminal: errno \(errno)")
        }
        _ = fcntl(ends.screen, F_SETFD, FD_CLOEXEC)
        screen = ends.screen
        let user = FileHandle(fileDescriptor: ends.user, closeOnDealloc: true)
        let line = command.launcher + [command.program] + arguments
        process.executableURL = URL(fileURLWithPath: line[0])
        process.arguments = Array(line.dropFirst())
        process.environment = command.environment
        process.standardInput = user
        process.standardOutput = user
        process.standardError = user
        try process.run()
    }

    /// The process, for who looks at it from outside.
    package var pid: Int32 { process.processIdentifier }

    /// Reads the screen until it shows a text.
    ///
    /// - Throws: `Silent` with all that was shown, where the text doesn't come within half a minute.
    package func wait(for text: String) throws {
        let deadline = ContinuousClock.now + .seconds(30)
        while !shown.contains(text) {
            guard ContinuousClock.now < deadline else { throw Silent(description: "instead of \"\(text)\": \(shown)") }
            guard readScreen() else { throw Silent(description: "instead of \"\(text)\" the end: \(shown)") }
        }
    }

    /// Reads what comes within a moment: whether more may come.
    private func readScreen() -> Bool {
        var polled = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, 100) > 0 else { return true }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(screen, &bytes, bytes.count)
        guard count > 0 else { return false }
        shown += String(decoding: bytes[..<count], as: UTF8.self)
        return true
    }

    /// Types something.
    package func type(_ text: String) {
        _ = write(screen, text, text.utf8.count)
    }

    /// Waits for the end, and reads the screen meanwhile: a program whose screen is full waits with its last words.
    package func exitStatus() -> Int32 {
        while process.isRunning, readScreen() {}
        process.waitUntilExit()
        return process.terminationStatus
    }

    deinit {
        if process.isRunning { process.terminate() }
        close(screen)
    }
}
