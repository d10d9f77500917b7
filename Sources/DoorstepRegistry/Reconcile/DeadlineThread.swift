internal import Dispatch
internal import Synchronization

/// Runs short bodies at their time, on a thread that nothing else can hold up.
///
/// A timer of Swift's or of a dispatch queue needs a thread of a pool to fire on; a pass must end in time also while every
/// thread of those is blocked. The thread lives while something waits, and ends by itself.
final class DeadlineThread: Sendable {
    static let shared = DeadlineThread()

    private struct Entry {
        let time: ContinuousClock.Instant
        let body: @Sendable () -> Void
    }

    private struct State {
        var entries: [Entry] = []
        var isRunning = false
    }

    private let state = Mutex(State())
    private let changed = DispatchSemaphore(value: 0)

    /// Runs the body at that time, or as soon as it can afterwards. The body must be short.
    func run(at time: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void) {
        let starts = state.withLock { state -> Bool in
            state.entries.append(Entry(time: time, body: body))
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts {
            DetachedThread.start { self.serve() }
        } else {
            changed.signal()
        }
    }

    private func serve() {
        while true {
            let (due, next) = state.withLock { state -> ([Entry], ContinuousClock.Instant?) in
                let now = ContinuousClock.now
                let due = state.entries.filter { $0.time <= now }
                state.entries.removeAll { $0.time <= now }
                if due.isEmpty && state.entries.isEmpty { state.isRunning = false }
                return (due, state.entries.map(\.time).min())
            }
            for entry in due.sorted(by: { $0.time < $1.time }) { entry.body() }
            if let next {
                let wait = max(0, (next - .now) / .microseconds(1))
                _ = changed.wait(timeout: .now() + .microseconds(Int(min(wait, 3.6e9)) + 1))
            } else if due.isEmpty {
                return
            }
        }
    }
}
