internal import DoorstepPluginHost
internal import Dispatch
internal import Synchronization

/// Runs checks on threads of their own, so that one that blocks costs the others nothing.
///
/// Swift's own pool has as many threads as the machine has cores: a few checks that block in a system call would hold up
/// all the rest. Here the first job gets a thread, and more are made, up to a bound, where all threads were blocked for a
/// moment. Most checks wait for answers and block none, and threads that share many small jobs get into each other's way.
/// On a busy machine threads that only lack a processor aren't blocked: more of them would make it worse. Idle threads end
/// by themselves.
final class ElasticExecutor: TaskExecutor {
    static let shared = ElasticExecutor(maximumThreads: 256)

    private struct State {
        var jobs: [UnownedJob] = []
        /// How many threads wait that nobody has called yet.
        var idle = 0
        /// Whether a thread was called and hasn't come yet. It calls the next one if there is still work for two.
        var isCalled = false
        var threads = 0
        /// Those of them that have come up.
        var running: Set<RunningThread> = []
        /// How many jobs were taken so far, and whether somebody watches that this goes on.
        var taken = 0
        var isWatched = false

        /// Whether a thread that waits is to be called.
        mutating func callsThread() -> Bool {
            guard idle > 0, !isCalled else { return false }
            idle -= 1
            isCalled = true
            return true
        }
    }

    private enum Turn {
        case job(UnownedJob, callsAnother: Bool, isLast: Bool)
        case idle
    }

    private enum Need {
        case nothing, call, thread, watch
    }

    /// How long all threads may be stuck before more are made.
    private static let patience = Duration.milliseconds(2)
    /// After how many such moments more are made also where a thread runs: it may be in a loop that never ends.
    private static let longestRun = 25

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
            if state.idle > 0 { return state.callsThread() ? .call : .nothing }
            guard state.threads < maximumThreads else { return .nothing }
            if state.threads == 0 {
                state.threads = 1
                return .thread
            }
            if state.isWatched { return .nothing }
            state.isWatched = true
            return .watch
        }
        switch need {
        case .nothing: break
        case .call: work.signal()
        case .thread:
            if start({ self.serve() }) { return }
            // The job waits for a thread that there is, or for the next that the system gives.
            state.withLock { $0.threads -= 1 }
        case .watch: startWatch()
        }
    }

    private func startWatch() {
        if !start({ self.watch() }) { state.withLock { $0.isWatched = false } }
    }

    /// Makes more threads while jobs wait and every thread is blocked, until no job waits.
    private func watch() {
        let clock = DispatchSemaphore(value: 0)
        var before = -1
        var moments = 0
        while true {
            let (isOver, stuck) = state.withLock { state -> (Bool, Set<RunningThread>?) in
                if state.jobs.isEmpty || state.threads >= maximumThreads {
                    state.isWatched = false
                    return (true, nil)
                }
                defer { before = state.taken }
                moments = state.taken == before ? moments + 1 : 0
                let isStuck = state.taken == before && state.running.count == state.threads
                return (false, isStuck ? state.running : nil)
            }
            if isOver { return }
            if let stuck, moments >= Self.longestRun || !stuck.contains(where: \.isRunnable) {
                grow()
                moments = 0
            }
            _ = clock.wait(timeout: .now() + .microseconds(Int(Self.patience / .microseconds(1))))
        }
    }

    /// Makes threads for jobs that wait, thrice as many as there are: whoever seemed blocked may only have waited for a lock.
    private func grow() {
        let missing = state.withLock { state -> Int in
            let missing = min(state.jobs.count, maximumThreads - state.threads, max(1, state.threads) * 3)
            state.threads += missing
            return missing
        }
        for _ in 0..<missing where !start({ self.serve() }) { state.withLock { $0.threads -= 1 } }
    }

    private func serve() {
        let thread = RunningThread.current
        state.withLock { _ = $0.running.insert(thread) }
        var isCalled = false
        while true {
            let turn = state.withLock { state -> Turn in
                if isCalled { state.isCalled = false }
                if state.jobs.isEmpty {
                    state.idle += 1
                    return .idle
                }
                state.taken += 1
                let job = state.jobs.removeFirst()
                if state.jobs.isEmpty { return .job(job, callsAnother: false, isLast: false) }
                let callsAnother = state.callsThread()
                // Of those who could be called this is the last: jobs that are left must not wait for it, should it block.
                let isLast = state.idle == 0 && !state.isWatched && state.threads < maximumThreads
                if isLast { state.isWatched = true }
                return .job(job, callsAnother: callsAnother, isLast: isLast)
            }
            switch turn {
            case .job(let job, let callsAnother, let isLast):
                if callsAnother { work.signal() }
                if isLast { startWatch() }
                isCalled = false
                job.runSynchronously(on: asUnownedTaskExecutor())
            case .idle:
                if !waits(thread) { return }
                isCalled = true
            }
        }
    }

    /// Waits until the thread is called; false where nobody did for a while, and it ends.
    private func waits(_ thread: RunningThread) -> Bool {
        if work.wait(timeout: .now() + .seconds(1)) == .success { return true }
        let ends = state.withLock { state -> Bool in
            // Called just when the wait ran out: the call is on its way.
            guard state.idle > 0 else { return false }
            state.idle -= 1
            state.threads -= 1
            state.running.remove(thread)
            return true
        }
        if !ends { work.wait() }
        return !ends
    }
}
