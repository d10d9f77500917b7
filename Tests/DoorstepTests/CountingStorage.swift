import Doorstep
import Synchronization

/// A real in-memory storage that counts what is asked of it, keeps what was committed, and lets another process answer
/// just before a commit; with marks of its changes, or without.
final class CountingStorage: OnboardingStorage {
    struct Counts {
        var reads = 0
        /// How often another process has written.
        var foreign = 0
        var commits: [[OnboardingChange]] = []
        var erasures = 0
        var intruder: (@Sendable (InMemoryOnboardingStorage) throws -> Void)?
        var commitFailure: OnboardingStorageError?
    }

    let inner = InMemoryOnboardingStorage(now: { OnboardingInstant(milliseconds: 1_000) })
    private let hasMarks: Bool
    private let counts = Mutex(Counts())

    init(hasMarks: Bool = false) {
        self.hasMarks = hasMarks
    }

    var reads: Int { counts.withLock { $0.reads } }
    var commits: [[OnboardingChange]] { counts.withLock { $0.commits } }
    var erasures: Int { counts.withLock { $0.erasures } }

    /// The error of every commit, while reads go on working.
    func failCommits(_ error: OnboardingStorageError?) {
        counts.withLock { $0.commitFailure = error }
    }

    /// Runs once, between a flow's look at its records and the next commit's transaction.
    func beforeNextCommit(_ body: @escaping @Sendable (InMemoryOnboardingStorage) throws -> Void) {
        counts.withLock { $0.intruder = body }
    }

    /// Answers as another process would: not seen by any flow before it reads or writes.
    func answerElsewhere(_ id: OnboardingStepID, _ value: Bool, revision: Int = 1) throws {
        _ = try inner.commit([elsewhere(id, value, revision: revision)])
        counts.withLock { $0.foreign += 1 }
    }

    func mark() throws(OnboardingStorageError) -> OnboardingStorageMark? {
        guard hasMarks else { return nil }
        return counts.withLock { OnboardingStorageMark(state: [$0.foreign], commits: $0.commits.count) }
    }

    func records() throws(OnboardingStorageError) -> [OnboardingStepID: OnboardingRecord] {
        counts.withLock { $0.reads += 1 }
        return try inner.records()
    }

    func inputs() throws(OnboardingStorageError) -> [OnboardingStepID: [String: OnboardingInputValue]] {
        try inner.inputs()
    }

    func commit(_ changes: [OnboardingChange], eraseInputs: Bool) throws(OnboardingStorageError)
        -> [OnboardingStepID: OnboardingRecord]
    {
        let (intruder, failure) = counts.withLock { counts in
            defer { counts.intruder = nil }
            if counts.intruder != nil { counts.foreign += 1 }
            return (counts.intruder, counts.commitFailure)
        }
        do { try intruder?(inner) } catch { throw OnboardingStorageError(.io, "the other process failed: \(error)") }
        if let failure { throw failure }
        let result = try inner.commit(changes, eraseInputs: eraseInputs)
        counts.withLock { counts in
            counts.commits.append(changes)
            if eraseInputs { counts.erasures += 1 }
        }
        return result
    }
}

/// An answer that another process gives.
func elsewhere(_ id: OnboardingStepID, _ value: Bool, revision: Int = 1) -> OnboardingChange {
    OnboardingChange(step: id, action: .record(value, revision: revision), origin: .admin)
}

let broken = OnboardingStorageError(.full, "the disk is full; free some space")

let welcome: OnboardingStepID = "com.example.aurora.welcome"
let profile: OnboardingStepID = "com.example.aurora.profile"
let news: OnboardingStepID = "com.example.aurora.news"
let alerts: OnboardingStepID = "com.example.aurora.alerts"

/// A must-do profile, an optional newsletter, a required permission that can be skipped.
let steps = [
    OnboardingStepConfig(id: profile, isRequired: true, isSkippable: false),
    OnboardingStepConfig(id: news),
    OnboardingStepConfig(id: alerts, isRequired: true),
]

/// A flow over the usual steps.
func aurora(_ storage: any OnboardingStorage, welcome id: OnboardingStepID? = welcome) throws -> OnboardingFlow {
    try OnboardingFlow(welcome: id, steps: steps, storage: storage)
}
