internal import Doorstep
public import DoorstepPluginKit
internal import Synchronization

/// One step that a pass asks about.
public struct StepCheck: Sendable {
    /// The step's plugin and options.
    public var plugin: BoundStep
    /// What the plugin may know; the pass sets its deadline.
    public var context: StepContext

    /// A check from its parts.
    public init(plugin: BoundStep, context: StepContext) {
        self.plugin = plugin
        self.context = context
    }
}

/// What one check answered, and how long it took.
public struct StepCheckOutcome: Sendable, Hashable {
    /// The answer; "cannot tell" with the reason for a check that was late.
    public var satisfaction: Satisfaction
    /// From the start of the check to its answer.
    public var duration: Duration
}

/// Asks many checks side by side: it costs about its slowest check, and hardly more than its timeout.
public enum ReconcilePass {
    /// How long one check may take that names no time itself.
    public static let standardCheckTimeout = Duration.seconds(1)
    /// How long a whole pass may take.
    public static let standardTimeout = Duration.seconds(2)
    /// The longest that a pass can take; what is longer counts as this.
    static let longestTimeout = Duration.seconds(86_400)
    /// What a check gets beyond its deadline to say itself what it waited for.
    static let grace = Duration.milliseconds(100)

    /// Asks every check and waits for the answers, or for their deadlines.
    ///
    /// Each check has until its own timeout (its plugin's, else ``standardCheckTimeout``) or the pass's, whichever is
    /// earlier. A check that is late is "cannot tell"; it is cancelled, and what it answers later is dropped. While one
    /// that was late still runs, its step isn't asked again: a check that hangs for ever costs one thread, not one a pass.
    ///
    /// - Parameters:
    ///   - checks: The checks.
    ///   - timeout: How long the pass may take.
    /// - Returns: One outcome a check, in their order.
    public static func run(_ checks: [StepCheck], timeout: Duration = standardTimeout) async -> [StepCheckOutcome] {
        await run(checks, timeout: timeout, on: .shared)
    }

    static func run(
        _ checks: [StepCheck], timeout: Duration, on executor: ElasticExecutor
    ) async -> [StepCheckOutcome] {
        if checks.isEmpty { return [] }
        let timeout = min(max(timeout, .zero), longestTimeout)
        let start = ContinuousClock.now
        let collector = OutcomeCollector(count: checks.count)
        var alarms = PassAlarms()
        for (index, check) in checks.enumerated() {
            let limit = min(check.plugin.timeout ?? standardCheckTimeout, timeout)
            var context = check.context
            context.deadline = start + limit
            let key = OverdueChecks.Key(app: context.app, step: context.step.id)
            if OverdueChecks.shared.contains(key) {
                let stuck = Satisfaction.cannotTell("an earlier check of this step still hasn't answered")
                collector.put(StepCheckOutcome(satisfaction: stuck, duration: .zero), at: index)
                continue
            }
            let run = OverdueChecks.Run(key: key)
            let task = Task(executorPreference: executor) { [context] in
                defer { OverdueChecks.shared.end(run) }
                let begin = ContinuousClock.now
                // One that got no thread in time has nobody to answer to.
                if begin > context.deadline { return }
                let satisfaction = await check.plugin.satisfaction(in: context)
                collector.put(
                    StepCheckOutcome(satisfaction: satisfaction, duration: ContinuousClock.now - begin), at: index)
            }
            alarms.ring(at: start + limit + grace) {
                let late = Satisfaction.cannotTell("no answer within \(limit.brief)")
                // Noted before the pass can end, so that the next one already knows of it.
                OverdueChecks.shared.note(run)
                collector.put(StepCheckOutcome(satisfaction: late, duration: ContinuousClock.now - start), at: index)
                task.cancel()
            }
        }
        alarms.start()
        defer { alarms.stop() }
        return await collector.outcomes()
    }
}

/// Gathers the first outcome of each check and wakes the pass after the last.
private final class OutcomeCollector: Sendable {
    private struct State {
        var outcomes: [StepCheckOutcome?]
        var missing: Int
        var waiting: CheckedContinuation<[StepCheckOutcome], Never>?

        var complete: [StepCheckOutcome]? {
            missing == 0 ? outcomes.compactMap { $0 } : nil
        }
    }

    private let state: Mutex<State>

    init(count: Int) {
        state = Mutex(State(outcomes: Array(repeating: nil, count: count), missing: count))
    }

    func put(_ outcome: StepCheckOutcome, at index: Int) {
        let done = state.withLock { state -> (CheckedContinuation<[StepCheckOutcome], Never>, [StepCheckOutcome])? in
            guard state.outcomes[index] == nil else { return nil }
            state.outcomes[index] = outcome
            state.missing -= 1
            guard let complete = state.complete, let waiting = state.waiting else { return nil }
            state.waiting = nil
            return (waiting, complete)
        }
        done?.0.resume(returning: done?.1 ?? [])
    }

    func outcomes() async -> [StepCheckOutcome] {
        await withCheckedContinuation { continuation in
            let complete = state.withLock { state -> [StepCheckOutcome]? in
                if let complete = state.complete { return complete }
                state.waiting = continuation
                return nil
            }
            if let complete { continuation.resume(returning: complete) }
        }
    }
}

extension Duration {
    /// The duration in words, such as `2 s` or `500 ms`.
    package var brief: String {
        let milliseconds = Int(self / .milliseconds(1))
        return milliseconds.isMultiple(of: 1000) ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
