import Doorstep
import DoorstepRegistry
import DoorstepSQLite
import Foundation
import Testing

@Suite struct `A plan` {
    static let prefix = "com.example.aurora."
    static let allowed = PluginCatalogue.with([CheckPlugin("notifications") { _ in .granted("allowed") }])

    func plan(
        _ household: Household, _ selection: OnboardingPager.Selection = .needed
    ) async throws -> (pages: [String], recorded: [OnboardingStepID]) {
        let plan = try await OnboardingPlan(
            for: household.registry.app("com.example.aurora"), in: household.suite(), selection: selection,
            reconciler: Reconciler(environment: [:], timeout: .seconds(60)))
        #expect(plan.app == "com.example.aurora")
        return (plan.pages.map { String($0.step.id.rawValue.dropFirst(Self.prefix.count)) }, plan.recorded)
    }

    @Test func `lists the pages still needed in order, without the steps that are satisfied`() async throws {
        let household = try Household(Self.allowed)
        try household.putFamily()
        let plan = try await plan(household)
        #expect(
            plan.pages == ["welcome", "profile.name", "profile.age", "profile.gender", "reqs.location", "info.tips"])
        #expect(plan.recorded == ["com.example.aurora.reqs.notifications"])
    }

    @Test func `says of each page what it is`() async throws {
        let household = try Household(Self.allowed)
        try household.putFamily()
        let pages = try await OnboardingPlan(
            for: household.registry.app("com.example.aurora"), in: household.suite(),
            reconciler: Reconciler(environment: [:], timeout: .seconds(60))
        ).pages
        #expect(pages.map(\.plugin) == ["welcome", "profile", "profile", "profile", "location", "info"])
        #expect(pages.map(\.isWelcome) == [true, false, false, false, false, false])
        #expect(pages[1].step.isRequired && !pages[1].step.isSkippable)
    }

    @Test func `writes nothing, neither a suite that isn't there nor into one that is`() async throws {
        let household = try Household(Self.allowed)
        try household.putFamily()
        let empty = try household.contents()
        _ = try await plan(household)
        #expect(try household.contents() == empty)

        let suite = try household.suite()
        try household.registry.flow(for: "com.example.aurora", in: suite)
            .record(true, for: "com.example.aurora.profile.name")
        try suite.close()
        let before = try household.contents()
        #expect(try await plan(household).pages.first == "welcome")
        #expect(try household.contents() == before)
    }

    @Test func `a step that is added a year later is all that a returning user is shown`() async throws {
        let household = try Household()
        try household.put("com.example.aurora", steps: ["one", "two"])
        let flow = try household.registry.flow(for: "com.example.aurora", in: try household.suite())
        try flow.record(true, for: "com.example.aurora.one")
        try flow.record(false, for: "com.example.aurora.two")
        #expect(try await plan(household).pages.isEmpty)
        try household.put("com.example.aurora", steps: ["one", "new", "two"])
        #expect(try await plan(household).pages == ["new"])
    }

    @Test func `of the unmet required steps holds the declined ones, until their check says granted`() async throws {
        let household = try Household()
        try household.putFamily()
        let flow = try household.registry.flow(for: "com.example.aurora", in: try household.suite())
        for step in (flow.welcome.map { [$0] } ?? []) + flow.steps { try flow.record(false, for: step.id) }
        #expect(try await plan(household).pages.isEmpty)
        #expect(try await plan(household, .unmetRequired).pages == ["profile.name", "reqs.notifications"])

        let allowed = try Household(Self.allowed)
        try allowed.putFamily()
        let same = try allowed.registry.flow(for: "com.example.aurora", in: try allowed.suite())
        try same.record(false, for: "com.example.aurora.reqs.notifications")
        let plan = try await plan(allowed, .unmetRequired)
        #expect(plan.pages == ["profile.name"])
        #expect(plan.recorded == ["com.example.aurora.reqs.notifications"])
    }
}
