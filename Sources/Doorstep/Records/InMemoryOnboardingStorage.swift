internal import Synchronization

/// A storage that keeps everything in memory: for previews and tests, never as a fallback for a store that fails.
public final class InMemoryOnboardingStorage: OnboardingStorage {
    private struct State {
        var records: [OnboardingStepID: OnboardingRecord] = [:]
        var inputs: [OnboardingStepID: [String: OnboardingInputValue]] = [:]
        var failure: OnboardingStorageError?
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> OnboardingInstant

    /// An empty storage.
    ///
    /// - Parameter now: The clock that stamps records.
    public init(now: @escaping @Sendable () -> OnboardingInstant = { .now }) {
        self.now = now
    }

    /// The error that every call throws until it is nil again: a way to see what an app does with a failing store.
    public var failure: OnboardingStorageError? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    /// Reads every record at once.
    ///
    /// - Throws: ``failure`` while it is set.
    public func records() throws(OnboardingStorageError) -> [OnboardingStepID: OnboardingRecord] {
        try read().records
    }

    /// Reads every input, by step and key.
    ///
    /// - Throws: ``failure`` while it is set.
    public func inputs() throws(OnboardingStorageError) -> [OnboardingStepID: [String: OnboardingInputValue]] {
        try read().inputs
    }

    /// Applies the changes all together.
    ///
    /// - Throws: ``failure`` while it is set, or `invalid` for a change that no store can hold; then nothing changed.
    public func commit(_ changes: [OnboardingChange], eraseInputs: Bool) throws(OnboardingStorageError)
        -> [OnboardingStepID: OnboardingRecord]
    {
        for change in changes {
            if let fault = change.fault { throw OnboardingStorageError(.invalid, fault) }
        }
        // One moment for the whole transaction, and asked outside the lock: the clock is the caller's code.
        let moment = now()
        let result = state.withLock { state -> Result<[OnboardingStepID: OnboardingRecord], OnboardingStorageError> in
            if let failure = state.failure { return .failure(failure) }
            if eraseInputs { state.inputs.removeAll() }
            for change in changes { apply(change, at: moment, to: &state) }
            let touched = Set(changes.map(\.step))
            return .success(state.records.filter { touched.contains($0.key) })
        }
        return try result.get()
    }

    private func read() throws(OnboardingStorageError) -> State {
        let state = state.withLock { $0 }
        if let failure = state.failure { throw failure }
        return state
    }

    private func apply(_ change: OnboardingChange, at moment: OnboardingInstant, to state: inout State) {
        guard change.applies(to: state.records[change.step]) else { return }
        switch change.action {
        case .clear:
            state.records[change.step] = nil
        case .record(let value, let revision):
            state.records[change.step] = OnboardingRecord(
                value: value, revision: revision, origin: change.origin, at: moment, evidence: change.evidence)
        }
        if let inputs = change.inputs { state.inputs[change.step] = inputs.isEmpty ? nil : inputs }
    }
}
