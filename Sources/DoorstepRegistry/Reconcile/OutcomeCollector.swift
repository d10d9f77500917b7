internal import Synchronization

/// Gathers the first outcome of each piece of work and wakes whoever waits for them after the last.
final class OutcomeCollector<Outcome: Sendable>: Sendable {
    private struct State {
        var outcomes: [Outcome?]
        var missing: Int
        var waiting: CheckedContinuation<[Outcome], Never>?

        var complete: [Outcome]? {
            missing == 0 ? outcomes.compactMap { $0 } : nil
        }
    }

    private let state: Mutex<State>

    init(count: Int) {
        state = Mutex(State(outcomes: Array(repeating: nil, count: count), missing: count))
    }

    func put(_ outcome: Outcome, at index: Int) {
        let done = state.withLock { state -> (CheckedContinuation<[Outcome], Never>, [Outcome])? in
            guard state.outcomes[index] == nil else { return nil }
            state.outcomes[index] = outcome
            state.missing -= 1
            guard let complete = state.complete, let waiting = state.waiting else { return nil }
            state.waiting = nil
            return (waiting, complete)
        }
        done?.0.resume(returning: done?.1 ?? [])
    }

    func outcomes() async -> [Outcome] {
        await withCheckedContinuation { continuation in
            let complete = state.withLock { state -> [Outcome]? in
                if let complete = state.complete { return complete }
                state.waiting = continuation
                return nil
            }
            if let complete { continuation.resume(returning: complete) }
        }
    }
}
