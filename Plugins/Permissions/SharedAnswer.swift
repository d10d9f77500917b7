internal import DoorstepBus
internal import Synchronization

/// What several checks of one pass find out together: the first that asks looks, and the others have its answer.
///
/// Each deadline has a look of its own, so that no check waits longer than its own time allows, or gives up sooner.
final class SharedAnswer<Value: Sendable>: Sendable {
    typealias Answer = Result<Value, BusError>

    private enum State {
        case looking([CheckedContinuation<Answer, Never>])
        case answered(Answer)
    }

    private enum Turn {
        case looks, waits
        case has(Answer)
    }

    private let states = Mutex<[ContinuousClock.Instant: State]>([:])

    /// The answer of whoever looks first with this deadline.
    func answer(by deadline: ContinuousClock.Instant, _ look: () async -> Answer) async -> Answer {
        let turn = states.withLock { states -> Turn in
            switch states[deadline] {
            case .answered(let answer): return .has(answer)
            case .looking: return .waits
            case nil:
                states[deadline] = .looking([])
                return .looks
            }
        }
        let answer: Answer
        switch turn {
        case .looks:
            let own = await look()
            finish(deadline, with: Task.isCancelled ? .failure(.cancelled) : own)
            return own
        case .waits: answer = await wait(for: deadline)
        case .has(let known): answer = known
        }
        // That whoever looked was interrupted is no reason for anybody else.
        if case .failure(.cancelled) = answer, !Task.isCancelled { return await look() }
        return answer
    }

    private func wait(for deadline: ContinuousClock.Instant) async -> Answer {
        await withCheckedContinuation { continuation in
            let early = states.withLock { states -> Answer? in
                switch states[deadline] {
                case .answered(let answer): return answer
                case .looking(var waiting):
                    // Taken out and put back, so that the array isn't copied.
                    states[deadline] = nil
                    waiting.append(continuation)
                    states[deadline] = .looking(waiting)
                case nil: states[deadline] = .looking([continuation])
                }
                return nil
            }
            if let early { continuation.resume(returning: early) }
        }
    }

    private func finish(_ deadline: ContinuousClock.Instant, with answer: Answer) {
        let waiting = states.withLock { states -> [CheckedContinuation<Answer, Never>] in
            defer { states[deadline] = .answered(answer) }
            if case .looking(let waiting) = states[deadline] { return waiting }
            return []
        }
        for continuation in waiting { continuation.resume(returning: answer) }
    }
}
