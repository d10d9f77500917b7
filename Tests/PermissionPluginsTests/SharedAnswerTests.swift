import BusTestSupport
import DoorstepBus
import DoorstepPluginKit
import Foundation
import Synchronization
import Testing

@testable import PermissionPlugins

@Suite("What the checks of a pass find out together", .timeLimit(.minutes(1))) struct SharedAnswerTests {
    @Test func `whoever comes first looks, and all have its answer`() async throws {
        let shared = SharedAnswer<Int>()
        let deadline = ContinuousClock.now + .seconds(60)
        final class Looks: Sendable { let count = Atomic(0) }
        let looks = Looks()
        let answers = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await shared.answer(by: deadline) {
                        await Task.yield()
                        return .success(looks.count.add(1, ordering: .relaxed).newValue)
                    }.get()
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(answers == Array(repeating: 1, count: 50))
        #expect(looks.count.load(ordering: .relaxed) == 1)
    }

    @Test func `each deadline has a look of its own`() async throws {
        let shared = SharedAnswer<Int>()
        let now = ContinuousClock.now
        let first = await shared.answer(by: now + .seconds(1)) { .failure(.timeout) }
        let second = await shared.answer(by: now + .seconds(2)) { .success(2) }
        #expect(first == .failure(.timeout))
        #expect(second == .success(2))
    }

    /// A look that has begun, and finds this once it is released.
    private func look(
        _ shared: SharedAnswer<Int>, by deadline: ContinuousClock.Instant, _ answer: SharedAnswer<Int>.Answer
    ) async -> (look: Task<SharedAnswer<Int>.Answer, Never>, release: () -> Void) {
        let (started, start) = AsyncStream<Void>.makeStream()
        let (released, release) = AsyncStream<Void>.makeStream()
        let look = Task {
            await shared.answer(by: deadline) {
                start.finish()
                for await _ in released {}
                return answer
            }
        }
        for await _ in started {}
        return (look, { release.finish() })
    }

    @Test func `whoever waited for one that was interrupted looks itself`() async throws {
        let shared = SharedAnswer<Int>()
        let deadline = ContinuousClock.now + .seconds(60)
        let (first, release) = await look(shared, by: deadline, .failure(.cancelled))
        let second = Task { await shared.answer(by: deadline) { .success(2) } }
        release()
        #expect(await first.value == .failure(.cancelled))
        #expect(await second.value == .success(2))
    }

    @Test func `whoever is cancelled while it waits waits no longer`() async throws {
        let shared = SharedAnswer<Int>()
        let deadline = ContinuousClock.now + .seconds(60)
        let (first, release) = await look(shared, by: deadline, .success(1))
        let second = Task { await shared.answer(by: deadline) { .success(2) } }
        await Task.yield()
        second.cancel()
        // Nobody has released the first one yet.
        #expect(await second.value == .failure(.cancelled))
        release()
        #expect(await first.value == .success(1))
    }

    @Test func `a step waits no longer than its own time for what another one has more time to find out`() async throws
    {
        try await ProbeBench.run(system: true) { bench, _, system in
            system.daemon.stop()
            let step = try bench.step("location")
            let scope = PassScope()
            func context(within: Duration) -> StepContext {
                var context = bench.context(within: within)
                context.scope = scope
                return context
            }
            let patient = context(within: .seconds(50))
            let slow = Task { await step.satisfaction(in: patient) }
            defer { slow.cancel() }
            let hasty = await step.satisfaction(in: context(within: .milliseconds(200)))
            #expect(hasty.status == .unknown)
            #expect(.now < patient.deadline - .seconds(10))
        }
    }
}
