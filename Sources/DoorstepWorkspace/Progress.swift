internal import DoorstepPluginHost
internal import DoorstepRegistry
internal import DoorstepTerminal
internal import Glibc
internal import Synchronization

/// One line on standard error that says that a command is at work: after a second, and on a terminal alone.
///
/// It begins with every command but the gate. A command with something to count tells of it, and one that draws on the
/// terminal itself ends it. What is printed takes the line away first; it comes back below.
package final class Progress: Sendable {
    /// The line of this process.
    package static let shared = Progress()

    private struct State {
        /// What is at work, or nil while no line may be shown.
        var what: String?
        var start = ContinuousClock.now
        var counted: (done: Int, total: Int?, thing: String)?
        var isShown = false
        /// How many texts are being printed, each of which may be waiting for its reader.
        var printing = 0
    }

    private let state = Mutex(State())
    private static let patience: Int32 = 1000
    private static let pace: Int32 = 200

    private init() {}

    /// Begins to wait for the moment at which the line is due; without a terminal nothing is begun.
    package func begin(_ what: String, environment: [String: String]) {
        let isTerminal = TerminalCapability(of: STDERR_FILENO, environment: environment).isTerminal
        guard isTerminal, !TerminalCapability.isDumb(environment) else { return }
        let columns = TerminalSize.columns(of: STDERR_FILENO, environment: environment)
        state.withLock { $0.what = what }
        // On a thread of its own: the command may hold every other one.
        _ = DetachedThread.start {
            var wait = Self.patience
            repeat {
                poll(nil, 0, wait)
                wait = Self.pace
            } while self.show(columns: columns)
        }
    }

    /// Says how much is done of how much, where that is known.
    package func update(_ done: Int, of total: Int? = nil, _ thing: String = "") {
        state.withLock { $0.counted = (done, total, thing) }
    }

    /// Takes the line away for good.
    package func end() {
        state.withLock { state in
            state.what = nil
            Self.hide(&state)
        }
    }

    /// Prints something, with the line out of its way.
    package func aside<Answer>(_ body: () -> Answer) -> Answer {
        state.withLock { state in
            state.printing += 1
            Self.hide(&state)
        }
        defer { state.withLock { $0.printing -= 1 } }
        return body()
    }

    /// Shows the line as it is now, and answers whether there will be more to show.
    private func show(columns: Int) -> Bool {
        state.withLock { state in
            guard let what = state.what else { return false }
            if state.printing > 0 { return true }
            var text = what + ": "
            if let (done, total, thing) = state.counted {
                text +=
                    [String(done), total.map { "of \($0)" } ?? "", thing].filter { !$0.isEmpty }
                    .joined(separator: " ") + ", "
            }
            text += "\((ContinuousClock.now - state.start).components.seconds) s"
            Self.write("\r\(text.prefix(max(1, columns - 1)))\u{1B}[K")
            state.isShown = true
            return true
        }
    }

    private static func hide(_ state: inout State) {
        if state.isShown { write("\r\u{1B}[K") }
        state.isShown = false
    }

    /// A line that can't be shown is no failure.
    private static func write(_ text: String) {
        var text = text
        _ = text.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
