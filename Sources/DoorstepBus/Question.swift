internal import Synchronization

/// One method call and everybody who waits for its answer.
///
/// Callers join from any thread, the loop's thread sends and answers. Who joins a question that is on its way costs the loop
/// nothing, and who asks what was answered already waits for nobody.
final class Question: Sendable {
    /// How a caller stands who has joined.
    enum Joining {
        /// The question has yet to be sent.
        case new(Question)
        /// The answer is waited for; the loop must look again where this caller's deadline comes before all others'.
        case waits(isFirstDue: Bool)
        /// The answer is there.
        case answered(PendingCall.Answer)
    }

    private enum State {
        case open([PendingCall])
        case answered(PendingCall.Answer)
        case over
    }

    let bus: Bus
    let call: MethodCall
    private let state: Mutex<State>

    init(_ call: MethodCall, on bus: Bus, for waiter: PendingCall) {
        self.bus = bus
        self.call = call
        state = Mutex(.open([waiter]))
    }

    /// Adds a caller; nil where nobody waits any more, and it must be asked anew.
    fileprivate func join(_ waiter: PendingCall) -> Joining? {
        state.withLock { state in
            switch state {
            case .answered(let answer): return .answered(answer)
            case .over: return nil
            case .open(var waiters):
                // Taken out and put back, so that the array isn't copied.
                state = .over
                let isFirstDue = waiters.allSatisfy { waiter.deadline < $0.deadline }
                waiters.append(waiter)
                state = .open(waiters)
                return .waits(isFirstDue: isFirstDue)
            }
        }
    }

    /// Gives the answer to everybody. What the other side said is kept for those who ask later; that it couldn't be reached
    /// isn't.
    func finish(_ answer: PendingCall.Answer) {
        let waiters = state.withLock { state -> [PendingCall] in
            guard case .open(let waiters) = state else { return [] }
            state = answer.isReply ? .answered(answer) : .over
            return waiters
        }
        for waiter in waiters { waiter.finish(answer) }
    }

    /// Ends the waits that are over.
    ///
    /// - Returns: When the next one will be, or nil once nobody waits: then the answer is no longer wanted.
    func expire(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        let (late, next) = state.withLock { state -> ([PendingCall], ContinuousClock.Instant?) in
            guard case .open(var waiters) = state else { return ([], nil) }
            state = .over
            let late = waiters.filter { $0.deadline <= now }
            waiters.removeAll { $0.deadline <= now || $0.isFinished }
            if !waiters.isEmpty { state = .open(waiters) }
            return (late, waiters.lazy.map(\.deadline).min())
        }
        for waiter in late { waiter.finish(.failure(.timeout)) }
        return next
    }
}

extension PendingCall.Answer {
    /// Whether somebody on the bus said this, be it an error.
    fileprivate var isReply: Bool {
        switch self {
        case .success, .failure(.remote), .failure(.invalidReply): true
        case .failure: false
        }
    }
}

/// The questions of one client by what they ask, so that equal ones are sent once.
final class SharedQuestions: Sendable {
    /// By hash. All checks of a pass come by here: they hash and compare outside the lock.
    private let questions = Mutex<[Int: [Question]]>([:])

    /// Joins the question that asks the same, or makes it.
    func join(_ call: MethodCall, on bus: Bus, _ waiter: PendingCall) -> Question.Joining {
        let hash = call.hashValue ^ bus.hashValue
        var candidates = questions.withLock { $0[hash] } ?? []
        while true {
            for question in candidates where question.bus == bus && question.call == call {
                if let joining = question.join(waiter) { return joining }
            }
            let new = Question(call, on: bus, for: waiter)
            let others = questions.withLock { questions -> [Question]? in
                // Another caller may have been first, and is joined then.
                if let others = questions[hash], others.count != candidates.count { return others }
                questions[hash, default: []].append(new)
                return nil
            }
            guard let others else { return .new(new) }
            candidates = others
        }
    }
}
