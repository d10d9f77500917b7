import Doorstep
import DoorstepPluginKit
import DoorstepRegistry
import DoorstepSQLite
import Foundation
import Synchronization
import Testing

@Suite struct `A reconcile over apps` {
    static let languages = ["LANG": "en_US.UTF-8"]

    func reconciler(timeout: Duration = .seconds(60)) -> Reconciler {
        Reconciler(environment: Self.languages, timeout: timeout)
    }

    /// A household whose steps of the kind `test` are answered by step ID; what isn't named can't tell.
    func household(_ answers: [String: Satisfaction]) throws -> Household {
        let plugin = CheckPlugin("test") { answers[$0.step.id.rawValue] ?? .cannotTell("nothing is known") }
        return try Household(.with([plugin]))
    }

    @Test func `an explicit pass is its own transaction: it records before the finish of an app that commits onFinish`()
        async throws
    {
        let household = try Household(.with([CheckPlugin("notifications") { _ in .granted("it is on") }]))
        try household.put(
            "com.example.a",
            #""commit": "onFinish", "steps": [ { "id": "n", "plugin": "notifications" }, { "id": "i", "plugin": "info" } ]"#
        )
        let suite = try household.suite()
        let app = try household.registry.app("com.example.a")
        let report = await Reconciler(environment: [:], timeout: .seconds(60)).reconcile([app], in: suite)
        #expect(report.rows.map(\.after) == [true])
        let flow = try app.flow(in: suite)
        #expect(flow.value(for: "n") == true && flow.value(for: "i") == nil)
    }

    @Test func `only satisfied records: not satisfied and "cannot tell" leave the step unanswered`() async throws {
        let household = try household([
            "com.example.a.yes": .granted("it is on"), "com.example.a.no": .denied("it is off"),
        ])
        try household.put("com.example.a", steps: ["yes", "no", "unknown"], plugin: "test")
        let suite = try household.suite()
        let app = try household.registry.app("com.example.a")
        let report = await reconciler().reconcile([app], in: suite)
        #expect(report.rows.map(\.before) == [nil, nil, nil])
        #expect(report.rows.map(\.after) == [true, nil, nil])
        #expect(report.rows.map(\.satisfaction.isSatisfied) == [true, false, nil])
        #expect(report.rows.map(\.satisfaction.status) == [.granted(.always), .denied, .unknown])
        #expect(report.rows.map(\.satisfaction.evidence) == ["it is on", "it is off", "nothing is known"])
        #expect(report.rows.map(\.plugin) == ["test", "test", "test"])
        #expect(report.failures.isEmpty)
        let flow = try app.flow(in: suite)
        #expect(flow.records.keys.map(\.rawValue) == ["com.example.a.yes"])
    }

    @Test func `a record keeps its evidence with the basis of the grant`() async throws {
        let household = try household([
            "com.example.a.one": .granted("asked the portal", basis: .explicit),
            "com.example.a.two": .granted("nothing guards it", basis: .ungated),
            "com.example.a.three": .granted("someone\nsaid so", basis: nil),
        ])
        try household.put("com.example.a", steps: ["one", "two", "three"], plugin: "test")
        let suite = try household.suite()
        let app = try household.registry.app("com.example.a")
        _ = await reconciler().reconcile([app], in: suite)
        let flow = try app.flow(in: suite)
        #expect(flow.records["com.example.a.one"]?.evidence == "asked the portal [explicit]")
        #expect(flow.records["com.example.a.two"]?.evidence == "nothing guards it [ungated]")
        #expect(flow.records["com.example.a.three"]?.evidence == "someone said so")
        #expect(flow.records.values.allSatisfy { $0.origin == .reconcile })
        let events = try suite.history()
        #expect(Set(events.map(\.evidence)) == Set(flow.records.values.map(\.evidence)))
    }

    @Test func `a timeout is "cannot tell": it records nothing, is reported, and costs the other steps nothing`()
        async throws
    {
        let latch = Latch()
        let plugin = CheckPlugin("test") { context in
            if context.step.id == "com.example.slow.stuck" { return latch.wait() ? .granted("late") : .denied("late") }
            return .granted("quick")
        }
        let household = try Household(.with([plugin]))
        let stuck = #"{ "id": "com.example.slow.stuck", "plugin": "test", "options": { "timeout": "50ms" } }"#
        let quick = #"{ "id": "com.example.slow.quick", "plugin": "test" }"#
        try household.put("com.example.slow", #""steps": [ \#(stuck), \#(quick) ]"#)
        let suite = try household.suite()
        let app = try household.registry.app("com.example.slow")
        let report = await reconciler().reconcile([app], in: suite)
        #expect(report.rows.map(\.after) == [nil, true])
        #expect(report.rows[0].satisfaction == .cannotTell("no answer within 50 ms"))
        // What it says later is dropped.
        latch.open()
        let again = await reconciler().check([(app, [])])
        #expect(again.map(\.count) == [0])
        #expect(try app.flow(in: suite).value(for: "com.example.slow.stuck") == nil)
    }

    @Test func `only absent steps are asked, and never the welcome or a kind without a check`() async throws {
        let asked = Mutex<[String]>([])
        let plugin = CheckPlugin("test") { context in
            asked.withLock { $0.append(context.step.id.rawValue) }
            return .granted("yes")
        }
        let household = try Household(.with([plugin]))
        let steps = ["granted", "declined", "absent"].map {
            #"{ "id": "com.example.a.\#($0)", "plugin": "test", "required": true }"#
        }
        try household.put(
            "com.example.a",
            #""welcome": { "id": "com.example.a.welcome" }, "steps": [ \#(steps.joined(separator: ", ")), "#
                + #"{ "id": "com.example.a.info", "plugin": "info" } ]"#)
        let suite = try household.suite()
        let app = try household.registry.app("com.example.a")
        let flow = try app.flow(in: suite)
        try flow.record(true, for: "com.example.a.granted")
        try flow.record(false, for: "com.example.a.declined")
        let report = await reconciler().reconcile([app], in: suite)
        #expect(asked.withLock { $0 } == ["com.example.a.absent"])
        #expect(report.rows.map(\.step) == ["com.example.a.absent"])
        let after = try app.flow(in: suite)
        #expect(after.value(for: "com.example.a.declined") == false)
        #expect(after.needsWelcome)
    }

    @Test func `the mode that includes declined steps asks required ones, and turns them only when granted`()
        async throws
    {
        let household = try household([
            "com.example.a.required": .granted("now on"), "com.example.a.optional": .granted("now on"),
            "com.example.a.still": .denied("still off"),
        ])
        let steps = [("required", true), ("optional", false), ("still", true)].map {
            #"{ "id": "com.example.a.\#($0.0)", "plugin": "test", "required": \#($0.1) }"#
        }
        try household.put("com.example.a", #""steps": [ \#(steps.joined(separator: ", ")) ]"#)
        let suite = try household.suite()
        let app = try household.registry.app("com.example.a")
        let flow = try app.flow(in: suite)
        for step in app.steps { try flow.record(false, for: step.step.config.id) }
        #expect(await reconciler().reconcile([app], in: suite).rows.isEmpty)
        let report = await reconciler().reconcile([app], in: suite, mode: .unansweredAndDeclined)
        #expect(report.rows.map(\.step) == ["com.example.a.required", "com.example.a.still"])
        #expect(report.rows.map(\.before) == [false, false])
        #expect(report.rows.map(\.after) == [true, false])
        #expect(try app.flow(in: suite).value(for: "com.example.a.optional") == false)
    }

    @Test func `a drift report asks answered steps too, and records nothing`() async throws {
        let household = try household([
            "com.example.a.revoked": .denied("revoked"), "com.example.a.later": .granted("now on"),
        ])
        try household.put("com.example.a", steps: ["revoked", "later"], plugin: "test")
        let suite = try household.suite()
        let app = try household.registry.app("com.example.a")
        let flow = try app.flow(in: suite)
        try flow.record(true, for: "com.example.a.revoked")
        try flow.record(false, for: "com.example.a.later")
        let answers = await reconciler().check([(app, app.steps.map(\.step.config.id))])[0]
        #expect(answers.map(\.outcome.satisfaction.isSatisfied) == [false, true])
        let after = try app.flow(in: suite)
        #expect(after.records == flow.records)
    }

    @Test func `a pass only asks: nothing is performed, and no page is made`() async throws {
        struct Prompting: StepPlugin {
            let kind = "test"
            let summary = "Must not prompt"
            let hasCheck = true
            func page(_ options: Void, in context: StepContext) async throws(PluginError) -> StepPage {
                Issue.record("a pass made a page")
                return context.page(title: "?")
            }
            func satisfaction(_ options: Void, in context: StepContext) async -> Satisfaction { .granted("yes") }
            func perform(_ action: String, _ options: Void, in context: StepContext) async throws(PluginError) {
                Issue.record("a pass performed \(action)")
            }
        }
        let household = try Household(PluginCatalogue([Prompting()]))
        try household.put("com.example.a", steps: ["one"], plugin: "test")
        let app = try household.registry.app("com.example.a")
        let report = await reconciler().reconcile([app], in: try household.suite())
        #expect(report.rows.map(\.after) == [true])
    }

    @Test func `checks of different apps run side by side in one pass`() async throws {
        let latch = Latch(count: 6)
        let plugin = CheckPlugin("test") { _ in latch.wait() ? .granted("together") : .denied("alone") }
        let household = try Household(.with([plugin]))
        for app in ["a", "b", "c"] {
            let steps = (0..<2).map {
                #"{ "id": "\#(app)\#($0)", "plugin": "test", "options": { "timeout": "55s" } }"#
            }
            try household.put("com.example.\(app)", #""steps": [ \#(steps.joined(separator: ", ")) ]"#)
        }
        let apps = household.registry.contents().apps
        let report = await reconciler(timeout: .seconds(55)).reconcile(apps, in: try household.suite())
        #expect(report.rows.map(\.step) == ["a0", "a1", "b0", "b1", "c0", "c1"])
        #expect(report.rows.map(\.app) == ["a", "a", "b", "b", "c", "c"].map { "com.example.\($0)" })
        #expect(report.rows.allSatisfy { $0.after == true })
    }

    @Test func `an app whose records can't be written is reported, and the others are recorded`() async throws {
        let household = try household(["com.example.bad.one": .granted("on"), "com.example.good.one": .granted("on")])
        try household.put("com.example.bad", steps: ["one"], plugin: "test")
        try household.put("com.example.good", steps: ["one"], plugin: "test")
        let suite = try household.suite()
        // The suite knows a flow under this prefix that was declared in code.
        try suite.register(
            FlowRegistration(
                app: "com.example.gone", prefix: "com.example.bad.sub.", steps: [OnboardingStepConfig(id: "one")]))
        let report = await reconciler().reconcile(household.registry.contents().apps, in: suite)
        #expect(report.failures.map(\.app) == ["com.example.bad"])
        #expect(report.failures[0].error.description.contains("com.example.gone"))
        #expect(report.rows.map(\.after) == [nil, true])
        #expect(
            try household.registry.app("com.example.good").flow(in: suite).value(for: "com.example.good.one") == true)
    }

    @Test func `a suite that can't be read fails every app, and asks nobody`() async throws {
        let plugin = CheckPlugin("test") { _ in
            Issue.record("a check was asked")
            return .granted("yes")
        }
        let household = try Household(.with([plugin]))
        try household.put("com.example.a", steps: ["one"], plugin: "test")
        try household.put(text: "", as: "suite.db", in: household.directory.path + "/suite")
        let report = await reconciler().reconcile(household.registry.contents().apps, in: try household.suite())
        #expect(report.failures.map(\.app) == ["com.example.a"])
        #expect(report.rows.isEmpty)
    }

    @Test func `an answer that another process gave meanwhile stands`() async throws {
        let household = try Household()
        let path = household.suitePath
        let plugin = CheckPlugin("test") { context in
            let other = try? OnboardingSuite.open(at: path).storage(prefix: "com.example.a.")
            _ = try? other?.commit(
                [OnboardingChange(step: context.step.id, action: .record(false, revision: 1), origin: .user)],
                eraseInputs: false)
            return .granted("on")
        }
        try household.put("com.example.a", steps: ["one"], plugin: "test")
        let registry = Registry(directories: [household.own], catalogue: .with([plugin]))
        let suite = try household.suite()
        let report = await reconciler().reconcile([try registry.app("com.example.a")], in: suite)
        #expect(report.rows.map(\.before) == [nil])
        #expect(report.rows.map(\.after) == [false])
        #expect(report.failures.isEmpty)
    }

    @Test func `a check sees the app, the environment given and the reader's languages, and no other environment`()
        async throws
    {
        let seen = Mutex<StepContext?>(nil)
        let plugin = CheckPlugin("test") { context in
            seen.withLock { $0 = context }
            return .denied("looked around")
        }
        let household = try Household(.with([plugin]))
        try household.put(
            "com.example.a",
            #""name": { "en": "Sky", "de": "Himmel" }, "steps": [ { "id": "s", "plugin": "test", "title": "T" } ]"#)
        let reconciler = Reconciler(environment: ["LANG": "de_DE.UTF-8", "X": "1"], timeout: .seconds(60))
        _ = await reconciler.reconcile(household.registry.contents().apps, in: try household.suite())
        let context = try #require(seen.withLock { $0 })
        #expect(context.app == "com.example.a" && context.appName == "Himmel" && context.step.id == "s")
        #expect(context.environment == ["LANG": "de_DE.UTF-8", "X": "1"])
        #expect(context.texts.title == "T")
        #expect(context.languages.tags == ["de-DE"])
    }
}
