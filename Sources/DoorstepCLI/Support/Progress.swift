internal import DoorstepTerminal
internal import Glibc

/// One line on standard error that says how far a long command is: after a second, and on a terminal alone.
struct Progress {
    private let isShown: Bool
    private let what: String
    private let start = ContinuousClock.now
    private var last: ContinuousClock.Instant?

    init(_ what: String, environment: [String: String]) {
        self.what = what
        let capability = TerminalCapability(of: STDERR_FILENO, environment: environment)
        isShown = capability.isTerminal && environment["TERM"] != "dumb"
    }

    /// Says how much is done, at most ten times a second.
    mutating func update(_ done: Int, of total: Int) {
        guard isShown else { return }
        let now = ContinuousClock.now
        guard now - start > .seconds(1), last.map({ now - $0 > .milliseconds(100) }) ?? true else { return }
        last = now
        Console.writeError("\r\(what): \(done) of \(total)\u{1B}[K")
    }

    /// Takes the line away.
    func end() {
        if last != nil { Console.writeError("\r\u{1B}[K") }
    }
}
