import Doorstep
import DoorstepPluginKit
import DoorstepRegistry
import DoorstepSQLite
import Foundation
import Synchronization
import Testing

@Suite struct `A showing of a registered app` {
    /// A switch outside the flow, like a setting that the user can turn on.
    final class Outside: Sendable {
        private let state = Mutex((isOn: false, asked: 0))
        var isOn: Bool {
            get { state.withLock { $0.isOn } }
            set { state.withLock { $0.isOn = newValue } }
        }
        var asked: Int { state.withLock { $0.asked } }

        func ask() -> Satisfaction {
            state.withLock {
                $0.asked += 1
                return $0.isOn ? .granted("it is on") : .denied("it is off")
            }
        }

        func plugin(
            act: @escaping @Sendable (Outside) throws(PluginError) -> Void = { (outside) throws(PluginError) in
                outside.isOn = true
            }
        ) -> CheckPlugin {
            var plugin = CheckPlugin("notifications") { _ in self.ask() }
            plugin.act = { (_) throws(PluginError) in try act(self) }
            return plugin
        }
    }

    func session(
        _ app: String, _ household: Household, _ suite: OnboardingSuite,
        _ selection: OnboardingPager.Selection = .needed
    ) async throws -> OnboardingSession {
        try await PreparedShowing(
            household.registry.app(app), in: suite, selection: selection,
            reconciler: Reconciler(environment: ["LANG": "de_DE.UTF-8"], timeout: .seconds(60))
        ).begin()
    }

    @Test func `writes each answer as it is given, with its inputs`() async throws {
        let household = try Household()
        try household.putFamily()
        let suite = try household.suite()
        let session = try await session("com.example.aurora", household, suite)
        let pager = session.pager
        try pager.start()
        #expect(pager.page?.content.title == "Entdecke deinen Nachthimmel")
        #expect(pager.actions.map(\.title) == ["Registrieren"])
        try pager.complete()
        #expect(pager.setValue(.text("Al"), for: "name")?.phrase == .tooShort(minimum: 3))
        guard case .stayed(let faults) = try pager.complete() else { throw Unexpected() }
        #expect(faults.map(\.key) == ["name"])
        pager.setValue(.text("Ada"), for: "name")
        try pager.complete()

        let other = try household.suite()
        let seen = try household.registry.flow(for: "com.example.aurora", in: other)
        #expect(seen.value(for: "com.example.aurora.welcome") == true)
        #expect(seen.value(for: "com.example.aurora.profile.name") == true)
        #expect(try seen.storage.inputs()["com.example.aurora.profile.name"] == ["name": .text("Ada")])
        pager.leave()
        #expect(
            try household.registry.gate(for: "com.example.aurora", in: other).nextStepNeeded
                == "com.example.aurora.profile.age")
    }

    @Test func `with onFinish leaves no trace before the last page, and writes everything after it`() async throws {
        let household = try Household()
        try household.putFamily()
        let suite = try household.suite()
        let first = try await session("com.example.trailmates", household, suite)
        try first.pager.start()
        try first.pager.complete()
        first.pager.setValue(.text("Ada"), for: "name")
        try first.pager.complete()
        try first.pager.complete()
        first.pager.leave()
        #expect(!FileManager.default.fileExists(atPath: household.suitePath))

        let second = try await session("com.example.trailmates", household, suite)
        try second.pager.start()
        try second.pager.complete()
        second.pager.setValue(.text("Ada"), for: "name")
        try second.pager.complete()
        try second.pager.complete()
        second.pager.setValue(.text("non-binary"), for: "gender")
        #expect(!FileManager.default.fileExists(atPath: household.suitePath))
        #expect(try second.pager.complete() == .finished)
        let flow = try household.registry.flow(for: "com.example.trailmates", in: suite)
        #expect(!flow.needsOnboarding && flow.allRequiredSatisfied)
        #expect(
            try flow.storage.inputs() == [
                "com.example.trailmates.name": ["name": .text("Ada")],
                "com.example.trailmates.age": ["age": .integer(50)],
                "com.example.trailmates.gender": ["gender": .text("non-binary")],
            ])
        #expect(Set(try suite.history().map(\.at)).count == 1)

        try flow.signOut()
        #expect(try household.registry.gate(for: "com.example.trailmates", in: suite).needsWelcome)
        #expect(try flow.storage.inputs().isEmpty)
    }

    @Test func `reconciles before its pages are captured, also under onFinish`() async throws {
        for commit in ["eachStep", "onFinish"] {
            let outside = Outside()
            outside.isOn = true
            let household = try Household(.with([outside.plugin()]))
            try household.put(
                "com.example.a",
                #""commit": "\#(commit)", "steps": [ { "id": "n", "plugin": "notifications" }, { "id": "i", "plugin": "info" } ]"#
            )
            let suite = try household.suite()
            let session = try await session("com.example.a", household, suite)
            #expect(session.pager.pages.map(\.step.id) == ["i"])
            let early = try household.registry.flow(for: "com.example.a", in: suite)
            #expect(early.value(for: "n") == (commit == "eachStep" ? true : nil))
            try session.pager.start()
            try session.pager.complete()
            let flow = try household.registry.flow(for: "com.example.a", in: suite)
            #expect(flow.records["n"]?.origin == .reconcile)
            #expect(flow.records["n"]?.evidence == "it is on [explicit]")
            #expect(flow.value(for: "i") == true)
        }
    }

    @Test func `a flow that needs no page finishes at once and writes what its checks found`() async throws {
        let outside = Outside()
        outside.isOn = true
        let household = try Household(.with([outside.plugin()]))
        try household.put(
            "com.example.a", #""commit": "onFinish", "steps": [ { "id": "n", "plugin": "notifications" } ]"#)
        let suite = try household.suite()
        let session = try await session("com.example.a", household, suite)
        #expect(try session.pager.start() == .finished)
        #expect(try household.registry.flow(for: "com.example.a", in: suite).value(for: "n") == true)
    }

    @Test func `an action is performed, its step is checked again, and a satisfied one advances`() async throws {
        let outside = Outside()
        let household = try Household(.with([outside.plugin()]))
        try household.put(
            "com.example.a", #""steps": [ { "id": "n", "plugin": "notifications" }, { "id": "i", "plugin": "info" } ]"#)
        let suite = try household.suite()
        let session = try await session("com.example.a", household, suite)
        try session.pager.start()
        #expect(session.pager.page?.content.status == "it is off")
        guard case .perform("ask")? = session.pager.actions.first?.role else { throw Unexpected() }
        #expect(try await session.perform("ask", step: "n") == nil)
        #expect(session.pager.page?.step.id == "i")
        #expect(session.pager.pages[0].content.primary == .complete(title: nil))
        let record = try #require(try household.registry.flow(for: "com.example.a", in: suite).records["n"])
        #expect(record.origin == .reconcile && record.evidence == "it is on [explicit]")
    }

    @Test(arguments: [nil, "This app isn't allowed to."])
    func `a page says what its check was told, once, while its step isn't satisfied`(words: String?) async throws {
        let outside = Outside()
        var plugin = outside.plugin()
        plugin.words = words
        let household = try Household(.with([plugin]))
        try household.put(
            "com.example.a", #""steps": [ { "id": "n", "plugin": "notifications" }, { "id": "i", "plugin": "info" } ]"#)
        let session = try await session("com.example.a", household, try household.suite())
        try session.pager.start()
        #expect(session.pager.page?.content.status == words ?? "it is off")
        #expect(session.pager.page?.content.evidence == (words == nil ? nil : "it is off"))
        _ = try await session.perform("ask", step: "n")
        #expect(session.pager.pages[0].content.evidence == nil)
    }

    @Test func `knows the fields of the pages that were answered before it too, in the order of the flow`() async throws
    {
        let household = try Household()
        try household.putFamily()
        let suite = try household.suite()
        let first = try await session("com.example.aurora", household, suite)
        let all = first.fields.map { "\($0.step) \($0.field.key)" }
        #expect(all.contains("com.example.aurora.profile.name name"))
        try first.pager.start()
        try first.pager.complete()
        first.pager.setValue(.text("Ada"), for: "name")
        try first.pager.complete()
        first.pager.leave()
        let second = try await session("com.example.aurora", household, suite)
        #expect(!second.pager.pages.contains { $0.step.id == "com.example.aurora.profile.name" })
        #expect(second.fields.map { "\($0.step) \($0.field.key)" } == all)
    }

    @Test func `an action that fails says why, and the page stays as things are`() async throws {
        let outside = Outside()
        let plugin = outside.plugin { (_) throws(PluginError) in throw PluginError("the settings can't be opened") }
        let household = try Household(.with([plugin]))
        try household.put("com.example.a", #""steps": [ { "id": "n", "plugin": "notifications" } ]"#)
        let session = try await session("com.example.a", household, try household.suite())
        try session.pager.start()
        #expect(try await session.perform("ask", step: "n") == PluginError("the settings can't be opened"))
        #expect(session.pager.page?.step.id == "n")
        #expect(outside.asked == 2)
    }

    @Test func `an action of a kind without a check gets its page made anew`() async throws {
        final class Counter: Sendable {
            let count = Mutex(0)
        }
        struct Counting: StepPlugin {
            let counter: Counter
            let kind = "counting"
            let summary = "Counts"
            func page(_ options: Void, in context: StepContext) async throws(PluginError) -> StepPage {
                context.page(title: LocalizedText("\(counter.count.withLock { $0 })"))
            }
            func perform(_ action: String, _ options: Void, in context: StepContext) async throws(PluginError) {
                counter.count.withLock { $0 += 1 }
            }
        }
        let household = try Household(PluginCatalogue([Counting(counter: Counter())]))
        try household.put("com.example.a", steps: ["one"], plugin: "counting")
        let session = try await session("com.example.a", household, try household.suite())
        try session.pager.start()
        #expect(session.pager.page?.content.title == "0")
        _ = try await session.perform("more", step: "com.example.a.one")
        #expect(session.pager.page?.content.title == "1")
    }

    @Test func `becoming active asks the open steps again and passes over what became satisfied`() async throws {
        let outside = Outside()
        let household = try Household(.with([outside.plugin()]))
        try household.put(
            "com.example.a",
            #""steps": [ { "id": "i", "plugin": "info" }, { "id": "n", "plugin": "notifications" }, { "id": "j", "plugin": "info" } ]"#
        )
        let suite = try household.suite()
        let session = try await session("com.example.a", household, suite)
        try session.pager.start()
        try await session.becomeActive()
        #expect(session.pager.page?.step.id == "i")
        outside.isOn = true
        try await session.becomeActive()
        #expect(outside.asked == 3)
        #expect(session.pager.page?.step.id == "i")
        try session.pager.complete()
        #expect(session.pager.page?.step.id == "j")
        try await session.becomeActive()
        #expect(outside.asked == 3)
    }

    @Test func `a step that the user declined isn't asked again in the same showing`() async throws {
        let outside = Outside()
        let household = try Household(.with([outside.plugin()]))
        try household.put(
            "com.example.a",
            #""steps": [ { "id": "n", "plugin": "notifications", "required": true }, { "id": "i", "plugin": "info" } ]"#
        )
        let suite = try household.suite()
        let session = try await session("com.example.a", household, suite)
        try session.pager.start()
        try session.pager.skip()
        outside.isOn = true
        try await session.becomeActive()
        #expect(outside.asked == 1)
        try session.pager.complete()
        #expect(try household.registry.flow(for: "com.example.a", in: suite).value(for: "n") == false)

        let again = try await self.session("com.example.a", household, suite, .unmetRequired)
        #expect(again.pager.pages.isEmpty)
        #expect(try household.registry.flow(for: "com.example.a", in: suite).value(for: "n") == true)
    }

    @Test func `a page that its plugin can't make is shown with the reason, and can be passed`() async throws {
        struct Broken: StepPlugin {
            let kind = "broken"
            let summary = "Has no page"
            func page(_ options: Void, in context: StepContext) async throws(PluginError) -> StepPage {
                throw PluginError("there is no page today")
            }
        }
        let household = try Household(PluginCatalogue([Broken()]))
        try household.put("com.example.a", steps: ["one"], plugin: "broken")
        let session = try await session("com.example.a", household, try household.suite())
        try session.pager.start()
        #expect(session.pager.page?.content.status == "there is no page today")
        #expect(try session.pager.complete() == .finished)
    }

    @Test func `a page that is needed only since the preparation is never answered unseen`() async throws {
        let household = try Household()
        try household.put(
            "com.example.a",
            #""steps": [ { "id": "t", "plugin": "info", "required": true, "skippable": false }, { "id": "i", "plugin": "info" } ]"#
        )
        let suite = try household.suite()
        let other = try household.registry.flow(for: "com.example.a", in: try household.suite())
        try other.record(true, for: "t")
        let showing = try await PreparedShowing(
            household.registry.app("com.example.a"), in: suite, reconciler: Reconciler(environment: [:]))
        #expect(showing.pages.map(\.step.id) == ["i"])
        #expect(try !showing.isOutdated())

        try other.clear("t")
        #expect(try showing.isOutdated())
        let error = try #require(throws: OnboardingStorageError.self) { try showing.begin() }
        #expect(error.code == .busy && error.message.contains("try again"))
        await #expect(throws: AnswersError.self) { try await AnswersFile([:]).answer(showing) }
        #expect(try household.registry.flow(for: "com.example.a", in: suite).records.isEmpty)

        // What was answered meanwhile is no reason to prepare again.
        try other.record(true, for: "t")
        try other.record(true, for: "i")
        #expect(try !showing.isOutdated())
        #expect(try showing.begin().pager.start() == .finished)
    }

    @Test func `pages are made side by side, and one that is late is shown with the reason and can be passed`()
        async throws
    {
        struct Slow: StepPlugin {
            let latch: Latch
            let kind = "slow"
            let summary = "Makes its page once all are asked for one, but never the one of stuck"
            func page(_ options: Void, in context: StepContext) async throws(PluginError) -> StepPage {
                let isStuck = context.step.id == "com.example.a.stuck"
                guard isStuck ? stuck.wait() : latch.wait() else { throw PluginError("alone") }
                return context.page(title: "made")
            }
            let stuck: Latch
        }
        let stuck = Latch()
        defer { stuck.open() }
        let household = try Household(PluginCatalogue([Slow(latch: Latch(count: 3), stuck: stuck)]))
        try household.put("com.example.a", steps: ["one", "two", "stuck", "three"], plugin: "slow")
        let showing = try await PreparedShowing(
            household.registry.app("com.example.a"), in: try household.suite(),
            reconciler: Reconciler(environment: [:], timeout: .seconds(4)))
        #expect(showing.pages.map(\.content.title) == ["made", "made", "com.example.a.stuck", "made"])
        #expect(showing.pages[2].content.status == "the page could not be made: no answer within 4 s")
        let pager = try showing.begin().pager
        try pager.start()
        while pager.page != nil { #expect(try pager.complete() != .stayed([])) }
        #expect(pager.phase == .finished)
    }

    @Test func `a suite that can't be read shows nothing`() async throws {
        let household = try Household()
        try household.put("com.example.a", steps: ["one"])
        try household.put(text: "", as: "suite.db", in: household.directory.path + "/suite")
        await #expect(throws: RegistryError.self) {
            _ = try await session("com.example.a", household, try household.suite())
        }
    }
}

/// A test came where it must not come.
struct Unexpected: Error {}
