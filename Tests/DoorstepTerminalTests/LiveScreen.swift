import Doorstep
import DoorstepTerminal
import Foundation
import Synchronization
import Testing

/// A terminal that the screen presenter draws on: what it writes is taken at once, frame by frame.
final class LiveScreen: Sendable {
    struct Silent: Error, CustomStringConvertible {
        let description: String
    }

    private struct Written {
        var bytes: [UInt8] = []
        /// Where the last whole frame ended.
        var end = 0
        var frameSizes: [Int] = []
        var terminal: FakeTerminal
    }

    /// The end that the presenter has as its terminal.
    let user: Int32
    private let screen: Int32
    private let written: Mutex<Written>
    private let news = NSCondition()
    private static let frameEnd = Array("\u{1B}[?2026l".utf8)

    /// A terminal that is this process's own, so that a change of its size reaches the process.
    static func controlling(columns: UInt16 = 80, rows: UInt16 = 24) throws -> LiveScreen {
        let live = try LiveScreen(columns: columns, rows: rows)
        // Closing its other end at the end of the test hangs it up.
        signal(SIGHUP, SIG_IGN)
        try #require(setsid() >= 0)
        try #require(ioctl(live.user, UInt(TIOCSCTTY), 0) == 0)
        return live
    }

    init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        var ends: (screen: Int32, user: Int32) = (-1, -1)
        try #require(openpty(&ends.screen, &ends.user, nil, nil, &size) == 0)
        (screen, user) = ends
        written = Mutex(Written(terminal: FakeTerminal(columns: Int(columns), rows: Int(rows))))
        // A thread of its own: the terminal must never be full while keys are typed.
        Thread.detachNewThread { [weak self, screen] in
            var bytes = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = read(screen, &bytes, bytes.count)
                guard count > 0, let self else { return }
                self.take(bytes[..<count])
            }
        }
    }

    deinit {
        close(user)
        close(screen)
    }

    /// The bytes of each frame so far.
    var frameSizes: [Int] { written.withLock { $0.frameSizes } }

    /// Everything that was written so far.
    var bytes: [UInt8] { written.withLock { $0.bytes } }

    /// What the screen shows.
    var text: String { written.withLock { $0.terminal.lines.joined(separator: "\n") } }

    /// The terminal's settings.
    var modes: [UInt32] {
        var modes = termios()
        tcgetattr(user, &modes)
        return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
            + withUnsafeBytes(of: modes.c_cc) { $0.map(UInt32.init) }
    }

    /// Makes the line as slow as a serial one.
    func slowDown(to speed: speed_t) {
        var modes = termios()
        tcgetattr(user, &modes)
        cfsetospeed(&modes, speed)
        tcsetattr(user, TCSANOW, &modes)
    }

    func resize(_ columns: Int, _ rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(screen, UInt(TIOCSWINSZ), &size)
    }

    /// Types a text, all of it.
    func type(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(screen, $0.baseAddress, min($0.count, 1024)) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until the screen shows a text, for at most a minute.
    func wait(for text: String) -> Bool {
        let deadline = Date(timeIntervalSinceNow: 60)
        news.lock()
        defer { news.unlock() }
        while !self.text.contains(text) {
            if !news.wait(until: deadline) { return false }
        }
        return true
    }

    /// Waits until what was written ends with a text, for at most a minute.
    func ends(with text: String) -> Bool {
        let (ending, deadline) = (Array(text.utf8), Date(timeIntervalSinceNow: 60))
        news.lock()
        defer { news.unlock() }
        while !bytes.suffix(ending.count).elementsEqual(ending) {
            if !news.wait(until: deadline) { return false }
        }
        return true
    }

    /// Shows a pager here to somebody who types on another thread, and looks whether the terminal is given back as it was.
    ///
    /// - Parameter typing: What they do; false where what they wait for never came, which ends the showing.
    nonisolated(nonsending) func present(
        _ pager: OnboardingPager, environment changes: [String: String] = [:], output: Int32? = nil,
        session: PresenterSession = PresenterSession(), typing: @escaping @Sendable (LiveScreen) -> Bool
    ) async throws -> PresenterOutcome {
        let before = modes
        let typist = Typist(self, typing)
        let environment = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"].merging(changes) { $1 }
        let presenter = ScreenPresenter(
            input: user, output: output ?? user, languages: pager.languages, environment: environment)
        let outcome = try await presenter.run(pager, heading: "Aurora", session: session)
        guard typist.isContent() else { throw Silent(description: "what was waited for never came; instead:\n\(text)") }
        guard modes == before else { throw Silent(description: "the terminal's settings are others now") }
        return outcome
    }

    private func take(_ new: ArraySlice<UInt8>) {
        written.withLock { written in
            written.bytes += new
            var index = max(written.end, written.bytes.count - new.count - Self.frameEnd.count)
            while index + Self.frameEnd.count <= written.bytes.count {
                guard written.bytes[index] == 0x1B, written.bytes[index...].starts(with: Self.frameEnd) else {
                    index += 1
                    continue
                }
                index += Self.frameEnd.count
                written.terminal.take(written.bytes[written.end..<index])
                written.frameSizes.append(index - written.end)
                written.end = index
            }
        }
        news.lock()
        news.broadcast()
        news.unlock()
    }

    /// Somebody at the keyboard, on a thread of their own because a showing keeps its thread while it waits.
    private final class Typist: Sendable {
        private let isDone = DispatchSemaphore(value: 0)
        private let result = Mutex(false)

        init(_ live: LiveScreen, _ work: @escaping @Sendable (LiveScreen) -> Bool) {
            Thread.detachNewThread { [self] in
                let isContent = work(live)
                result.withLock { $0 = isContent }
                if !isContent { live.type("\u{3}") }
                isDone.signal()
            }
        }

        func isContent() -> Bool {
            isDone.wait()
            return result.withLock { $0 }
        }
    }
}
