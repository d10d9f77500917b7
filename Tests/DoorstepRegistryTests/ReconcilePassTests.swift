import DoorstepPluginHost
import Doorstep
import DoorstepPluginKit
import Foundation
import Synchronization
import Testing

@testable import DoorstepRegistry

@Suite struct `A pass over satisfaction checks` {
    func check(
        _ app: String = #function, step: String = "step", timeout: String? = nil, _ answer: @escaping CheckPlugin.Check
    ) throws -> StepCheck {
        let options: JSONObject = timeout.map { ["timeout": .string($0)] } ?? [:]
        let bound = try BoundStep(CheckPlugin("test", check: answer), options: options, at: .root)
        let context = StepContext(
            app: app, appName: app, step: OnboardingStepConfig(id: OnboardingStepID(step)),
            languages: LanguagePreferences([]), deadline: .now, environment: [:], scope: PassScope())
        return StepCheck(plugin: bound, context: context)
    }

    /// Runs a pass on threads that no other test blocks, and says how long it took.
    func timed(_ checks: [StepCheck], timeout: Duration) async -> ([StepCheckOutcome], Duration) {
        await Task(executorPreference: ElasticExecutor.shared) {
            let start = ContinuousClock.now
            return (await ReconcilePass.run(checks, timeout: timeout), ContinuousClock.now - start)
        }.value
    }

    @Test func `checks of one pass run side by side, however many block their thread`() async throws {
        // None of them is let go before all of them run at once: one after the other they would never end.
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount + 24
        let latch = Latch(count: count)
        let checks = try (0..<count).map { index in
            try check(step: "\(index)", timeout: "55s") { _ in latch.wait() ? .granted("\(index)") : .denied("alone") }
        }
        let outcomes = await ReconcilePass.run(checks, timeout: .seconds(55))
        #expect(outcomes.map(\.satisfaction) == (0..<count).map { .granted("\($0)") })
    }

    @Test func `no check and a pass without checks ends at once`() async {
        #expect(await ReconcilePass.run([]).isEmpty)
    }

    @Test func `a check never blocks past its deadline, though it ignores being cancelled and never ends`() async throws
    {
        let latch = Latch()
        defer { latch.open() }
        let (outcomes, time) = await timed(
            [
                try check(step: "stuck", timeout: "50ms") { _ in latch.wait() ? .granted("late") : .denied("late") },
                try check(step: "quick") { _ in .granted("quick") },
            ], timeout: .seconds(60))
        #expect(outcomes[0].satisfaction == .cannotTell("no answer within 50 ms"))
        #expect(outcomes[1].satisfaction == .granted("quick"))
        #expect(time < .seconds(30))
    }

    @Test func `checks that loop keep no other from being asked`() async throws {
        // As many as there are threads at first; they end once the last check has been asked, or never.
        final class Asked: Sendable { let value = Atomic(false) }
        let asked = Asked()
        let looping = try (0..<2).map { number in
            try check(step: "loop\(number)") { context in
                while !asked.value.load(ordering: .relaxed), ContinuousClock.now < context.deadline {}
                return .granted("looped")
            }
        }
        // On threads of their own: they would keep other tests' checks from the shared ones.
        let outcomes = await ReconcilePass.run(
            looping + [
                try check(step: "asked") { _ in
                    asked.value.store(true, ordering: .relaxed)
                    return .granted("asked")
                }
            ], timeout: .seconds(60), on: ElasticExecutor(maximumThreads: 8))
        #expect(outcomes.map(\.satisfaction) == [.granted("looped"), .granted("looped"), .granted("asked")])
    }

    @Test func `no check may take longer than the whole pass`() async throws {
        let latch = Latch()
        defer { latch.open() }
        let (outcomes, time) = await timed(
            [try check(timeout: "50s") { _ in latch.wait() ? .granted("late") : .denied("late") }],
            timeout: .milliseconds(50))
        #expect(outcomes.map(\.satisfaction) == [.cannotTell("no answer within 50 ms")])
        #expect(time < .seconds(30))
    }

    @Test func `deadlines hold while every thread of Swift's own pool is blocked`() throws {
        let latch = Latch()
        defer { latch.open() }
        let stuck = try check(timeout: "50ms") { _ in latch.wait() ? .granted("late") : .denied("late") }
        // More than the pool has threads; this test's own thread blocks with them.
        for _ in 0..<4 * ProcessInfo.processInfo.activeProcessorCount { Task.detached { _ = latch.wait() } }
        let ended = DispatchSemaphore(value: 0)
        Task(executorPreference: ElasticExecutor.shared) {
            _ = await ReconcilePass.run([stuck], timeout: .seconds(60))
            ended.signal()
        }
        #expect(ended.wait(timeout: .now() + 30) == .success)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(-1), .zero])
    func `a timeout that no pass can keep is no harm`(timeout: Duration) async throws {
        let outcomes = await ReconcilePass.run(
            [try check("\(timeout)", timeout: "1440m") { _ in .granted("yes") }], timeout: timeout)
        #expect(outcomes.count == 1)
    }

    @Test func `a check knows its deadline and is cancelled when it is over`() async throws {
        let wasCancelled = Latch()
        let told = Mutex<ContinuousClock.Instant?>(nil)
        let late = try check(timeout: "50ms") { context in
            told.withLock { $0 = context.deadline }
            await withTaskCancellationHandler {
                while !Task.isCancelled { await Task.yield() }
            } onCancel: {
                wasCancelled.open()
            }
            return .granted("late")
        }
        let start = ContinuousClock.now
        let (outcomes, _) = await timed([late], timeout: .seconds(60))
        #expect(outcomes.map(\.satisfaction) == [.cannotTell("no answer within 50 ms")])
        // One that got no thread in time never began, and so is asked again.
        while told.withLock({ $0 == nil }), .now < start + .seconds(60) {
            _ = await timed([late], timeout: .seconds(60))
        }
        #expect(wasCancelled.wait())
        let deadline = try #require(told.withLock { $0 })
        #expect(deadline >= start + .milliseconds(50))
    }

    @Test func `a step whose late check still runs isn't asked again, and is once it has ended`() async throws {
        let latch = Latch()
        let stuck = try check(timeout: "500ms") { _ in latch.wait() ? .granted("at last") : .denied("late") }
        #expect(
            await ReconcilePass.run([stuck], timeout: .seconds(60))[0].satisfaction
                == .cannotTell("no answer within 500 ms"))
        // One that got no thread in time never began, and so is asked again.
        let patience = ContinuousClock.now + .seconds(60)
        while latch.arrivals == 0, .now < patience { _ = await ReconcilePass.run([stuck], timeout: .seconds(60)) }
        for _ in 0..<3 {
            let again = await ReconcilePass.run([stuck], timeout: .seconds(60))[0].satisfaction
            #expect(again == .cannotTell("an earlier check of this step still hasn't answered"))
        }
        #expect(latch.arrivals == 1)
        latch.open()
        let key = OverdueWork.Key(purpose: .check, app: stuck.context.app, step: "step")
        while OverdueWork.shared.contains([key]) { await Task.yield() }
        let free = try check(timeout: "55s") { _ in .granted("at last") }
        #expect(await ReconcilePass.run([free], timeout: .seconds(60))[0].satisfaction == .granted("at last"))
    }

    @Test func `the same step of another app is asked while one hangs`() async throws {
        let latch = Latch()
        defer { latch.open() }
        let stuck = try check("com.example.a", timeout: "50ms") { _ in latch.wait() ? .granted("") : .denied("") }
        _ = await ReconcilePass.run([stuck], timeout: .seconds(60))
        let outcomes = await ReconcilePass.run(
            [try check("com.example.b") { _ in .granted("yes") }], timeout: .seconds(60))
        #expect(outcomes.map(\.satisfaction) == [.granted("yes")])
    }

    @Test func `checks that hang never take more threads than the executor has`() async {
        let executor = ElasticExecutor(maximumThreads: 4)
        let latch = Latch()
        let running = Crowd()
        var tasks: [Task<Void, Never>] = []
        for _ in 0..<40 {
            tasks.append(
                Task(executorPreference: executor) {
                    running.enter()
                    latch.wait()
                    running.leave()
                })
        }
        #expect(latch.waitForArrivals(4))
        latch.open()
        for task in tasks { await task.value }
        #expect(running.most == 4)
        #expect(latch.arrivals == 40)
    }

    @Test func `a check that could not start before its deadline never starts`() async throws {
        let executor = ElasticExecutor(maximumThreads: 1)
        let latch = Latch()
        let blocker = Task(executorPreference: executor) { latch.wait() }
        #expect(latch.waitForArrivals(1))
        let started = Mutex(false)
        let late = try check(timeout: "50ms") { _ in
            started.withLock { $0 = true }
            return .granted("late")
        }
        let outcomes = await ReconcilePass.run([late], timeout: .seconds(30), on: executor)
        #expect(outcomes.map(\.satisfaction) == [.cannotTell("no answer within 50 ms")])
        latch.open()
        #expect(await blocker.value)
        await Task(executorPreference: executor) {}.value
        #expect(!started.withLock { $0 })
    }

    @Test func `without a thread to keep its deadlines, nothing is waited for`() async throws {
        let latch = Latch()
        defer { latch.open() }
        for hasWorkers in [true, false] {
            let executor = hasWorkers ? ElasticExecutor.shared : ElasticExecutor(maximumThreads: 4) { _ in false }
            let checks = try (0..<3).map { index in
                try check(step: "\(hasWorkers) \(index)") { _ in latch.wait() ? .granted("late") : .denied("late") }
            }
            let outcomes = await ReconcilePass.run(
                checks, timeout: .seconds(60), on: executor, threads: { _ in false })
            #expect(
                outcomes.map(\.satisfaction)
                    == Array(repeating: .cannotTell("the system has no thread to give"), count: 3))
        }
    }

    @Test func `a job that got no thread is done by the next that the system gives`() async throws {
        let refusals = Mutex(1)
        let executor = ElasticExecutor(maximumThreads: 4) { body in
            let isRefused = refusals.withLock { left in
                left -= 1
                return left >= 0
            }
            return isRefused ? false : DetachedThread.start(body)
        }
        let first = Task(executorPreference: executor) { 1 }
        let second = Task(executorPreference: executor) { 2 }
        #expect(await first.value + second.value == 3)
    }

    @Test func `a thread that runs is told from one that waits`() {
        let waiting = Mutex<RunningThread?>(nil)
        let isOver = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            waiting.withLock { $0 = RunningThread.current }
            isOver.wait()
        }
        defer { isOver.signal() }
        #expect(RunningThread.current.isRunnable)
        let deadline = ContinuousClock.now + .seconds(10)
        while waiting.withLock({ $0?.isRunnable ?? true }), .now < deadline { sched_yield() }
        #expect(waiting.withLock { $0?.isRunnable } == false)
    }

    @Test func `a pass whose task is cancelled no longer waits`() async throws {
        let latch = Latch()
        defer { latch.open() }
        let stuck = try check { _ in latch.wait() ? .granted("late") : .denied("late") }
        let pass = Task(executorPreference: ElasticExecutor.shared) {
            await ReconcilePass.run([stuck], timeout: .seconds(60))
        }
        #expect(latch.waitForArrivals(1))
        pass.cancel()
        #expect(await pass.value.map(\.satisfaction) == [.cannotTell("it was interrupted")])
    }

    @Test func `the checks of a pass share a scope's one value`() async throws {
        final class Connection: Sendable {}
        let made = Mutex(0)
        let scope = PassScope()
        let checks = try (0..<8).map { index in
            var check = try check(step: "\(index)") { context in
                let connection = context.scope.shared {
                    made.withLock { $0 += 1 }
                    return Connection()
                }
                return .granted("\(ObjectIdentifier(connection))")
            }
            check.context.scope = scope
            return check
        }
        let outcomes = await ReconcilePass.run(checks, timeout: .seconds(60))
        #expect(Set(outcomes.map(\.satisfaction.evidence)).count == 1)
        #expect(made.withLock { $0 } == 1)
    }
}

/// How many are somewhere at once.
private final class Crowd: Sendable {
    private let count = Mutex((now: 0, most: 0))

    var most: Int { count.withLock { $0.most } }

    func enter() {
        count.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
        }
    }

    func leave() { count.withLock { $0.now -= 1 } }
}
