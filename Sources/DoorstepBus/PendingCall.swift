internal import Synchronization

/// One caller's wait for one answer: finished once, by whoever comes first.
///
/// The loop thread, the caller's cancellation and the client's closing race for it. Everything mutable is behind the
/// mutex, and the continuation is resumed outside it.
final class PendingCall: Sendable {
    typealias Answer = Result<[BusValue], BusError>

    /// When the caller stops waiting.
    let deadline: ContinuousClock.Instant

    private enum State {
        case created
        case waiting(CheckedContinuation<Answer, Never>)
        case finished(Answer)
        case answered
    }

    private let state = Mutex<State>(.created)

    init(deadline: ContinuousClock.Instant) {
        self.deadline = deadline
    }

    /// Whether an answer has been given, so that nothing more need be done for this caller.
    var isFinished: Bool {
        state.withLock {
            switch $0 {
            case .created, .waiting: false
            case .finished, .answered: true
            }
        }
    }

    /// Gives the caller its answer. Later answers are dropped.
    func finish(_ answer: Answer) {
        let continuation: CheckedContinuation<Answer, Never>? = state.withLock { state in
            switch state {
            case .created:
                state = .finished(answer)
                return nil
            case .waiting(let continuation):
                state = .answered
                return continuation
            case .finished, .answered:
                return nil
            }
        }
        continuation?.resume(returning: answer)
    }

    /// Waits for the answer, which may be there already. Called once.
    func answer() async -> Answer {
        await withCheckedContinuation { continuation in
            let early: Answer? = state.withLock { state in
                if case .finished(let answer) = state {
                    state = .answered
                    return answer
                }
                state = .waiting(continuation)
                return nil
            }
            if let early { continuation.resume(returning: early) }
        }
    }
}
