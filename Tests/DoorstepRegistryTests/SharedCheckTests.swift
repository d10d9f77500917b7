import Doorstep
import DoorstepPluginKit
import Foundation
import Synchronization
import Testing

@testable import DoorstepRegistry

@Suite struct `Checks of one pass that ask the same` {
    /// A plugin that counts how often it is asked, and a scope for its checks.
    final class Asking: Sendable {
        let subject: CheckSubject
        let scope = PassScope()
        private let asked = Mutex(0)

        init(_ subject: CheckSubject) { self.subject = subject }

        var count: Int { asked.withLock { $0 } }

        func check(
            _ app: String, _ step: String = "step", options: JSONObject = [:], environment: [String: String] = [:],
            scope: PassScope? = nil, answer: CheckPlugin.Check? = nil
        ) throws -> StepCheck {
            var plugin = CheckPlugin("test") { context in
                let number = self.asked.withLock { asked in
                    asked += 1
                    return asked
                }
                return await answer?(context) ?? .granted("answer \(number)")
            }
            plugin.checkSubject = subject
            plugin.takesPath = true
            let context = StepContext(
                app: app, appName: app, step: OnboardingStepConfig(id: OnboardingStepID(step)),
                languages: LanguagePreferences([]), deadline: .now, environment: environment,
                scope: scope ?? self.scope)
            return StepCheck(plugin: try BoundStep(plugin, options: options, at: .root), context: context)
        }
    }

    @Test func `a check of the user is asked once for all apps, and each step gets its answer`() async throws {
        let asking = Asking(.user)
        let checks = try [asking.check("a"), asking.check("b"), asking.check("b", "other")]
        let outcomes = await ReconcilePass.run(checks, timeout: .seconds(60))
        #expect(outcomes.map(\.satisfaction) == Array(repeating: .granted("answer 1"), count: 3))
        #expect(asking.count == 1)
    }

    @Test func `a check of the app is asked once for each app`() async throws {
        let asking = Asking(.app)
        let checks = try [asking.check("a"), asking.check("b"), asking.check("a", "other"), asking.check("b", "other")]
        let answers = await ReconcilePass.run(checks, timeout: .seconds(60)).map(\.satisfaction)
        #expect(asking.count == 2)
        #expect(answers[0] == answers[2] && answers[1] == answers[3] && answers[0] != answers[1])
    }

    @Test func `options that differ in the bytes of a letter alone name two files, and are two questions`() async throws
    {
        let asking = Asking(.user)
        let checks = try ["/data/\u{E9}", "/data/e\u{301}"].map {
            try asking.check("a", options: ["path": .string($0)])
        }
        #expect(Set(await ReconcilePass.run(checks, timeout: .seconds(60)).map(\.satisfaction.evidence)).count == 2)
        #expect(asking.count == 2)
    }

    @Test func `a plugin that says nothing of it is asked for every step`() async throws {
        let asking = Asking(CheckPlugin("silent").checkSubject)
        let checks = try [asking.check("a"), asking.check("a", "other"), asking.check("b")]
        #expect(Set(await ReconcilePass.run(checks, timeout: .seconds(60)).map(\.satisfaction.evidence)).count == 3)
        #expect(asking.count == 3)
    }

    @Test func `what differs in its options, its environment or its pass is asked by itself`() async throws {
        let asking = Asking(.user)
        let checks = try [
            asking.check("a"), asking.check("b", options: ["accept": ["explicit"]]),
            asking.check("c", options: ["timeout": "50s"]), asking.check("d", environment: ["HOME": "/home/ada"]),
            asking.check("e", scope: PassScope()),
        ]
        _ = await ReconcilePass.run(checks, timeout: .seconds(60))
        #expect(asking.count == checks.count)
    }

    @Test func `nothing is kept from one pass to the next`() async throws {
        let asking = Asking(.user)
        for number in 1...2 {
            let checks = try [asking.check("a"), asking.check("b")]
            let outcomes = await ReconcilePass.run(checks, timeout: .seconds(60))
            #expect(outcomes.map(\.satisfaction) == Array(repeating: .granted("answer \(number)"), count: 2))
        }
    }

    @Test func `a late one costs all its steps their answer, and while it hangs a new step is still asked`()
        async throws
    {
        let asking = Asking(.user)
        let latch = Latch()
        defer { latch.open() }
        let stuck: CheckPlugin.Check = { _ in latch.wait() ? .granted("late") : .denied("late") }
        let (first, second) = ("late \(UUID())", "late \(UUID())")
        let checks = try [first, second].map { try asking.check($0, options: ["timeout": "500ms"], answer: stuck) }
        let patience = ContinuousClock.now + .seconds(60)
        // One that got no thread in time never began, and so is asked again.
        repeat {
            let late = await ReconcilePass.run(checks, timeout: .seconds(60)).map(\.satisfaction)
            #expect(late == Array(repeating: .cannotTell("no answer within 500 ms"), count: 2))
        } while latch.arrivals == 0 && .now < patience
        let again = await ReconcilePass.run(checks, timeout: .seconds(60)).map(\.satisfaction)
        let reason = "an earlier check of this step still hasn't answered"
        #expect(again == Array(repeating: .cannotTell(reason), count: 2))
        let new = try asking.check("new \(UUID())", options: ["timeout": "50s"])
        #expect(await ReconcilePass.run([new], timeout: .seconds(60))[0].satisfaction.isSatisfied == true)
    }
}
