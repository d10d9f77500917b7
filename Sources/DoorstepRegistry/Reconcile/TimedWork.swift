internal import DoorstepPluginHost

/// Something that a plugin is asked for, and how long it may take.
struct TimedWork<Answer: Sendable>: Sendable {
    /// An answer, and how long it took.
    struct Outcome: Sendable {
        var answer: Answer
        var duration: Duration
    }

    /// What names it, one name for each who asks: while earlier work of all these names that was late still runs, it isn't
    /// started again.
    var keys: [OverdueWork.Key]
    /// How long it may take.
    let limit: Duration
    /// Does it, until an instant.
    let body: @Sendable (ContinuousClock.Instant) async -> Answer
    /// The answer in the place of one that didn't come, from the reason.
    let unanswered: @Sendable (String) -> Answer
}

extension TimedWork {
    /// What work gets beyond its deadline to say itself what it waited for.
    private static var grace: Duration { .milliseconds(100) }

    /// Does work side by side, each piece on a thread of its own: it costs about its slowest piece.
    ///
    /// What is late, or is asked for by a task that was cancelled, is cancelled too and no longer waited for.
    ///
    /// - Returns: One outcome a piece, in their order.
    static func run(
        _ works: [TimedWork], on executor: ElasticExecutor = .shared,
        threads: DetachedThread.Start = DetachedThread.start
    ) async -> [Outcome] {
        if works.isEmpty { return [] }
        let start = ContinuousClock.now
        let collector = OutcomeCollector<Outcome>(count: works.count)
        var alarms = PassAlarms()
        var givingUp: [@Sendable (String) -> Void] = []
        for (index, work) in works.enumerated() {
            if OverdueWork.shared.contains(work.keys) {
                let reason = "an earlier \(work.keys[0].purpose) of this step still hasn't answered"
                collector.put(Outcome(answer: work.unanswered(reason), duration: .zero), at: index)
                continue
            }
            let deadline = start + work.limit
            let run = OverdueWork.Run(keys: work.keys)
            let task = Task(executorPreference: executor) {
                defer { OverdueWork.shared.end(run) }
                let begin = ContinuousClock.now
                // One that got no thread in time has nobody to answer to.
                if begin > deadline { return }
                let answer = await work.body(deadline)
                collector.put(Outcome(answer: answer, duration: ContinuousClock.now - begin), at: index)
            }
            let giveUp = { @Sendable (reason: String) in
                // Noted before the pass can end, so that the next one already knows of it.
                OverdueWork.shared.note(run)
                let outcome = Outcome(answer: work.unanswered(reason), duration: ContinuousClock.now - start)
                collector.put(outcome, at: index)
                task.cancel()
            }
            alarms.ring(at: deadline + grace) { giveUp("no answer within \(work.limit.brief)") }
            givingUp.append(giveUp)
        }
        // Nothing would end work that hangs, so none is waited for.
        if !alarms.start(on: threads) { for giveUp in givingUp { giveUp("the system has no thread to give") } }
        defer { alarms.stop() }
        return await withTaskCancellationHandler {
            await collector.outcomes()
        } onCancel: { [givingUp] in
            for giveUp in givingUp { giveUp("it was interrupted") }
        }
    }
}
