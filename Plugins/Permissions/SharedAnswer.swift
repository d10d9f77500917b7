internal import DoorstepBus
internal import Synchronization

/// What several checks of one pass find out together: the first that asks looks, and the others have its answer.
///
/// Each deadline has a look of its own, so that no check waits longer than its own time allows, or gives up sooner.
final class SharedAnswer<Value: Sendable>: Sendable {
    typealias Answer = Result<Value, BusError>

    private enum State {
        /// Those who wait, by their tickets.
        case looking([Int: CheckedContinuation<Answer, Never>])
        case answered(Answer)
    }

    private enum Turn {
        case looks, waits
        case has(Answer)
    }

    private let states = Mutex<[ContinuousClock.Instant: State]>([:])
    private let tickets = Atomic(0)

    /// The answer of whoever looks first with this deadline.
    func answer(by deadline: ContinuousClock.Instant, _ look: () async -> Answer) async -> Answer {
        let turn = states.withLock { states -> Turn in
            switch states[deadline] {
            case .answered(let answer): return .has(answer)
            case .looking: return .waits
            case nil:
                states[deadline] = .looking([:])
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

    /// Waits for whoever looks, or until nobody wants the answer any more.
    private func wait(for deadline: ContinuousClock.Instant) async -> Answer {
        let ticket = tickets.wrappingAdd(1, ordering: .relaxed).oldValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early = states.withLock { states -> Answer? in
                    // Whoever is cancelled later is found under the ticket.
                    if Task.isCancelled { return .failure(.cancelled) }
                    if case .answered(let answer) = states[deadline] { return answer }
                    _ = Self.change(&states[deadline]) { $0.updateValue(continuation, forKey: ticket) }
                    return nil
                }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            let waiting = states.withLock { states in
                Self.change(&states[deadline]) { $0.removeValue(forKey: ticket) }
            }
            waiting?.resume(returning: .failure(.cancelled))
        }
    }

    /// Changes who waits, without a copy of all of them; nil where there is an answer.
    private static func change<Result>(
        _ state: inout State?, _ body: (inout [Int: CheckedContinuation<Answer, Never>]) -> Result?
    ) -> Result? {
        guard case .looking(var waiting) = state else { return nil }
        state = nil
        defer { state = .looking(waiting) }
        return body(&waiting)
    }

    private func finish(_ deadline: ContinuousClock.Instant, with answer: Answer) {
        let waiting = states.withLock { states -> [Int: CheckedContinuation<Answer, Never>] in
            defer { states[deadline] = .answered(answer) }
            if case .looking(let waiting) = states[deadline] { return waiting }
            return [:]
        }
        for continuation in waiting.values { continuation.resume(returning: answer) }
    }
}
