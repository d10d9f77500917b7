internal import DoorstepPluginHost
internal import Doorstep
internal import DoorstepPluginKit

/// Asks many checks side by side: it costs about its slowest check, and hardly more than its timeout.
public enum ReconcilePass {
    /// How long one check may take that names no time itself.
    public static let standardCheckTimeout = Duration.seconds(1)
    /// How long a whole pass may take.
    public static let standardTimeout = Duration.seconds(2)
    /// The longest that a pass can take; what is longer counts as this.
    static let longestTimeout = Duration.seconds(86_400)

    /// Asks every check and waits for the answers, or for their deadlines.
    ///
    /// Checks that ask the same (``CheckSubject``) are one. Each has until its own timeout (its plugin's, else
    /// ``standardCheckTimeout``) or the pass's, whichever is earlier. A check that is late is "cannot tell"; it is cancelled,
    /// and what it answers later is dropped. While one that was late still runs, its step isn't asked again: a check that
    /// hangs for ever costs one thread, not one a pass.
    ///
    /// - Parameters:
    ///   - checks: The checks.
    ///   - timeout: How long the pass may take.
    /// - Returns: One outcome a check, in their order.
    public static func run(_ checks: [StepCheck], timeout: Duration = standardTimeout) async -> [StepCheckOutcome] {
        await run(checks, timeout: timeout, on: .shared)
    }

    static func run(
        _ checks: [StepCheck], timeout: Duration, on executor: ElasticExecutor,
        threads: DetachedThread.Start = DetachedThread.start
    ) async -> [StepCheckOutcome] {
        let timeout = min(max(timeout, .zero), longestTimeout)
        var works: [TimedWork<Satisfaction>] = []
        works.reserveCapacity(checks.count)
        var asked = [CheckQuestion: Int](minimumCapacity: checks.count)
        let places = checks.map { check -> Int in
            let key = OverdueWork.Key(purpose: .check, app: check.context.app, step: check.context.step.id)
            let question = CheckQuestion(check)
            if let question, let place = asked[question] {
                works[place].keys.append(key)
                return place
            }
            if let question { asked[question] = works.count }
            works.append(work(of: check, named: key, within: timeout))
            return works.count - 1
        }
        let outcomes = await TimedWork.run(works, on: executor, threads: threads)
        return places.map {
            StepCheckOutcome(satisfaction: outcomes[$0].answer, duration: outcomes[$0].duration)
        }
    }

    private static func work(
        of check: StepCheck, named key: OverdueWork.Key, within timeout: Duration
    ) -> TimedWork<Satisfaction> {
        TimedWork(
            keys: [key], limit: min(check.plugin.timeout ?? standardCheckTimeout, timeout),
            body: { deadline in
                var context = check.context
                context.deadline = deadline
                return await check.plugin.satisfaction(in: context)
            },
            unanswered: Satisfaction.cannotTell)
    }
}

extension Duration {
    /// The duration in words, such as `2 s` or `500 ms`.
    package var brief: String {
        let milliseconds = Int(self / .milliseconds(1))
        return milliseconds.isMultiple(of: 1000) ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
