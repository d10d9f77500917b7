import Foundation
import Synchronization
import Testing

/// A terminal without a screen: what is written to one end comes out of the other.
final class PseudoTerminal: Sendable {
    /// The end that a program has as its terminal.
    let user: Int32
    /// The end that stands for keyboard and screen.
    private let screen: Int32
    private let isHungUp = Mutex(false)
    private let seen = Mutex("")

    init(columns: UInt16 = 80) throws {
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        var ends: (screen: Int32, user: Int32) = (-1, -1)
        try #require(openpty(&ends.screen, &ends.user, nil, nil, &size) == 0)
        (screen, user) = ends
    }

    /// A terminal that is this process's own, so that Ctrl-C on it reaches the process.
    static func controlling() throws -> PseudoTerminal {
        let terminal = try PseudoTerminal()
        // Closing its other end at the end of the test hangs it up.
        signal(SIGHUP, SIG_IGN)
        try #require(setsid() >= 0)
        try #require(ioctl(terminal.user, UInt(TIOCSCTTY), 0) == 0)
        return terminal
    }

    /// The terminal's settings.
    var modes: [UInt32] {
        var modes = termios()
        tcgetattr(user, &modes)
        let characters = withUnsafeBytes(of: modes.c_cc) { $0.map(UInt32.init) }
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag] + characters
    }

    /// Everything that the screen has shown so far.
    var shown: String { seen.withLock { $0 } }

    /// Types something once the screen ends with a prompt.
    ///
    /// - Returns: Whether the prompt came before the deadline.
    @discardableResult
    func type(_ text: String, after prompt: String) -> Bool {
        guard wait(for: prompt) else { return false }
        // From here on the next prompt counts, not this one.
        seen.withLock { $0 += "\u{2402}" }
        return write(screen, text, text.utf8.count) == text.utf8.count
    }

    /// Reads the screen until it ends with a text, for at most half a minute.
    func wait(for ending: String) -> Bool {
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            if shown.hasSuffix(ending) { return true }
            var polled = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
            guard poll(&polled, 1, 1000) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = read(screen, &bytes, bytes.count)
            if count <= 0 { return false }
            // Prompts here are ASCII, so a character that is cut in two does no harm.
            seen.withLock { $0 += String(decoding: bytes[..<count], as: UTF8.self) }
        }
        return false
    }

    /// Takes the screen away.
    func hangUp() {
        isHungUp.withLock { isHungUp in
            if !isHungUp { close(screen) }
            isHungUp = true
        }
    }

    deinit {
        close(user)
        hangUp()
    }
}
