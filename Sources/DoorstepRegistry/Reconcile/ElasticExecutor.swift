internal import Dispatch
internal import Synchronization

/// Runs checks on threads of their own, so that one that blocks costs the others nothing.
///
/// Swift's own pool has as many threads as the machine has cores: a few checks that block in a system call would hold up
/// all the rest. Here a job that finds no idle thread gets a new one, up to a bound; idle threads end by themselves.
final class ElasticExecutor: TaskExecutor {
    static let shared = ElasticExecutor(maximumThreads: 256)

    private struct State {
        var jobs: [UnownedJob] = []
        var idle = 0
        var threads = 0
    }

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
        let needsThread = state.withLock { state -> Bool in
            state.jobs.append(job)
            guard state.jobs.count > state.idle, state.threads < maximumThreads else { return false }
            state.threads += 1
            return true
        }
        if needsThread {
            if start({ self.serve() }) { return }
            // The job waits for a thread that there is, or for the next that the system gives.
            state.withLock { $0.threads -= 1 }
        }
        work.signal()
    }

    private func serve() {
        while true {
            if let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
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
