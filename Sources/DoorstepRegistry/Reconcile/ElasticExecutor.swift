internal import Dispatch
internal import Synchronization

/// Runs checks on threads of their own, so that one that blocks costs the others nothing.
///
/// Swift's own pool has as many threads as the machine has cores: a few checks that block in a system call would hold up
/// all the rest. Here a job that finds no idle thread gets a new one. A few threads are made at once; more, up to a bound, only
/// where none of them took a job for a moment, since most checks wait for answers and block no thread. Idle threads end by
/// themselves.
final class ElasticExecutor: TaskExecutor {
    static let shared = ElasticExecutor(maximumThreads: 256)

    private struct State {
        var jobs: [UnownedJob] = []
        var idle = 0
        var threads = 0
        /// How many jobs were taken so far, and whether somebody watches that this goes on.
        var taken = 0
        var isWatched = false
    }

    private enum Need {
        case nothing, thread, watch
    }

    /// How many threads are made as jobs come in, and how long they may be stuck before more are made.
    private static let eagerThreads = 4
    private static let patience = Duration.milliseconds(2)

    private let state = Mutex(State())
    private let work = DispatchSemaphore(value: 0)
    private let maximumThreads: Int
    private let start: DetachedThread.Start

    init(maximumThreads: Int, start: @escaping DetachedThread.Start = DetachedThread.start) {
        self.maximumThreads = maximumThreads
        self.start = start
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let need = state.withLock { state -> Need in
            state.jobs.append(job)
            guard state.jobs.count > state.idle, state.threads < maximumThreads else { return .nothing }
            if state.threads < Self.eagerThreads {
                state.threads += 1
                return .thread
            }
            if state.isWatched { return .nothing }
            state.isWatched = true
            return .watch
        }
        switch need {
        case .nothing: break
        case .thread:
            if start({ self.serve() }) { return }
            // The job waits for a thread that there is, or for the next that the system gives.
            state.withLock { $0.threads -= 1 }
        case .watch:
            if !start({ self.watch() }) { state.withLock { $0.isWatched = false } }
        }
        work.signal()
    }

    /// Makes more threads while jobs wait and none is taken, until no job waits.
    private func watch() {
        let clock = DispatchSemaphore(value: 0)
        var before = -1
        while true {
            let (isOver, missing) = state.withLock { state -> (Bool, Int) in
                if state.jobs.isEmpty || state.threads >= maximumThreads {
                    state.isWatched = false
                    return (true, 0)
                }
                defer { before = state.taken }
                guard state.taken == before else { return (false, 0) }
                let missing = min(state.jobs.count, maximumThreads - state.threads)
                state.threads += missing
                return (false, missing)
            }
            if isOver { return }
            for _ in 0..<missing where !start({ self.serve() }) { state.withLock { $0.threads -= 1 } }
            _ = clock.wait(timeout: .now() + .microseconds(Int(Self.patience / .microseconds(1))))
        }
    }

    private func serve() {
        while true {
            let next = state.withLock { state -> UnownedJob? in
                if state.jobs.isEmpty { return nil }
                state.taken += 1
                return state.jobs.removeFirst()
            }
            if let job = next {
                job.runSynchronously(on: asUnownedTaskExecutor())
                continue
            }
            state.withLock { $0.idle += 1 }
            let outcome = work.wait(timeout: .now() + .seconds(1))
            let ends = state.withLock { state -> Bool in
                state.idle -= 1
                // A job may have come in just when the wait ran out.
                guard outcome == .timedOut, state.jobs.isEmpty else { return false }
                state.threads -= 1
                return true
            }
            if ends { return }
        }
    }
}
