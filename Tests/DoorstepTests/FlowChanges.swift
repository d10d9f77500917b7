import Doorstep
import Observation
import Testing

/// Counts how often observers of a flow's answers hear of a change.
///
/// Unchecked, because a flow belongs to one thread: the test's own, which also makes the changes and so runs the notices.
private final class Watcher: @unchecked Sendable {
    let flow: OnboardingFlow
    var count = 0

    init(_ flow: OnboardingFlow) {
        self.flow = flow
    }

    /// Tracking ends with the first notice, so each notice starts it again.
    func watch() {
        withObservationTracking {
            _ = flow.needsOnboarding
            _ = flow.records
        } onChange: {
            self.count += 1
            self.watch()
        }
    }
}

/// How often observers of the flow's answers hear of a change while the body runs.
func notifications(of flow: OnboardingFlow, while body: () throws -> Void) rethrows -> Int {
    let watcher = Watcher(flow)
    watcher.watch()
    try body()
    return watcher.count
}

@Suite("Changes")
struct FlowChanges {
    let storage = CountingStorage()

    @Test("record(_:for:) writes the answer, whatever stood there")
    func record() throws {
        let flow = try aurora(storage)
        try storage.answerElsewhere(news, false)
        try flow.record(true, for: news)
        #expect(try storage.records()[news]?.value == true)
        try flow.record(false, for: news)
        #expect(flow.value(for: news) == false)
        #expect(try storage.records()[news]?.value == false)
    }

    @Test("recordIfNeeded(leaving:) records false for a skippable step and true for one that is not")
    func leaving() throws {
        let flow = try aurora(storage)
        for id in [welcome, profile, news, alerts] { try flow.recordIfNeeded(leaving: id) }
        #expect(flow.value(for: welcome) == true)
        #expect(flow.value(for: profile) == true)
        #expect(flow.value(for: news) == false)
        #expect(flow.value(for: alerts) == false)
        #expect(flow.records.values.allSatisfy { $0.origin == .leaving })
    }

    @Test("recordIfNeeded(leaving:) never overwrites", arguments: [true, false])
    func leavingAnswered(_ answer: Bool) throws {
        let flow = try aurora(storage)
        for id in [profile, news] { try flow.record(answer, for: id) }
        for id in [profile, news] { try flow.recordIfNeeded(leaving: id) }
        #expect(storage.commits.count == 2)
        #expect(flow.value(for: profile) == answer && flow.value(for: news) == answer)
    }

    @Test("recordIfNeeded(leaving:) keeps what another process answered in between, and shows it", arguments: [1, 2])
    func leavingRace(revision: Int) throws {
        let flow = try aurora(storage)
        storage.beforeNextCommit { _ = try $0.commit([elsewhere(news, true, revision: revision)]) }
        try flow.recordIfNeeded(leaving: news)
        #expect(flow.value(for: news) == true)
        #expect(try storage.records()[news]?.origin == .admin)
    }

    @Test("recordIfNeeded(leaving:) answers a step again whose revision went up")
    func leavingRevision() throws {
        try storage.answerElsewhere(news, true)
        let flow = try OnboardingFlow(steps: [OnboardingStepConfig(id: news, revision: 2)], storage: storage)
        try flow.recordIfNeeded(leaving: news)
        #expect(flow.value(for: news) == false)
        #expect(flow.record(for: news)?.revision == 2)
    }

    @Test("recordIfNeeded(leaving:) leaves IDs alone that the flow doesn't have")
    func leavingUnknown() throws {
        let flow = try aurora(storage)
        try flow.recordIfNeeded(leaving: "com.example.aurora.gone")
        #expect(storage.commits.isEmpty)
    }

    @Test("reconcile records true for each absent satisfied step; answered steps and the welcome stay")
    func reconcile() throws {
        let flow = try aurora(storage)
        try flow.record(false, for: alerts)
        var asked: [OnboardingStepID] = []
        let recorded = try flow.reconcile { id in
            asked.append(id)
            return true
        }
        #expect(asked == [profile, news])
        #expect(recorded == [profile, news])
        #expect(flow.value(for: alerts) == false)
        #expect(flow.needsWelcome)
        #expect(storage.commits.count == 2)
        #expect(try flow.reconcile(satisfied: [welcome: "", alerts: ""]).isEmpty)
        #expect(storage.commits.count == 2)
    }

    @Test("reconcile leaves a step absent that isn't satisfied")
    func unsatisfied() throws {
        let flow = try aurora(storage)
        #expect(try flow.reconcile { _ in false }.isEmpty)
        #expect(flow.records.isEmpty && storage.commits.isEmpty)
    }

    @Test("reconcile tells which steps it recorded, not those that somebody answered in between")
    func reconcileRace() throws {
        let flow = try aurora(storage)
        storage.beforeNextCommit { _ = try $0.commit([elsewhere(news, false)]) }
        #expect(try flow.reconcile(satisfied: [news: "", alerts: ""]) == [alerts])
        #expect(flow.value(for: news) == false)
    }

    @Test("reconcile's second mode also turns a required decline into a grant, and no optional one")
    func secondMode() throws {
        let flow = try aurora(storage)
        try flow.record(false, for: news)
        try flow.record(false, for: alerts)
        #expect(flow.stepsToReconcile(.unansweredAndDeclined).map(\.id) == [profile, alerts])
        #expect(try flow.reconcile(.unansweredAndDeclined) { _ in true } == [profile, alerts])
        #expect(flow.value(for: alerts) == true)
        #expect(flow.value(for: news) == false)
        #expect(flow.allRequiredSatisfied)
    }

    @Test("reconcile's second mode keeps an optional decline that another process gives in between")
    func secondModeRace() throws {
        let flow = try aurora(storage)
        storage.beforeNextCommit { _ = try $0.commit([elsewhere(news, false), elsewhere(alerts, false)]) }
        #expect(try flow.reconcile(.unansweredAndDeclined, satisfied: [news: "", alerts: ""]) == [alerts])
        #expect(flow.value(for: news) == false)
        #expect(flow.value(for: alerts) == true)
    }

    @Test("clear(_:) puts one record back to absent")
    func clear() throws {
        let flow = try aurora(storage)
        try flow.record(true, for: profile, inputs: ["name": .text("Ada")])
        try flow.record(true, for: news)
        try flow.clear(profile)
        #expect(flow.value(for: profile) == nil)
        #expect(flow.value(for: news) == true)
        #expect(try storage.inputs()[profile] != nil)
        try flow.clear(profile)
        #expect(flow.value(for: profile) == nil)
    }

    @Test("reset(including:) puts every step, the welcome and the extra IDs back in one transaction")
    func reset() throws {
        let flow = try aurora(storage)
        for id in [welcome, profile, news, alerts, "extra", "other"] { try flow.record(true, for: id) }
        let before = storage.commits.count
        try flow.reset(including: ["extra", news])
        #expect(storage.commits.count == before + 1)
        #expect(Set(try storage.records().keys) == ["other"])
        #expect(flow.records.keys.map(\.rawValue) == ["other"])
        #expect(storage.erasures == 0)
    }

    @Test("A required step that was swiped past is declined: not asked again, and the flow stays unsatisfied")
    func swipedPast() throws {
        let flow = try aurora(storage)
        for id in [welcome, profile, news, alerts] { try flow.recordIfNeeded(leaving: id) }
        #expect(!flow.needsOnboarding)
        #expect(!flow.allRequiredSatisfied)
        #expect(flow.unmetRequiredSteps.map(\.id) == [alerts])
        #expect(try flow.reconcile { _ in true }.isEmpty)
    }

    @Test("Observers hear of a change once, and only if something changed")
    func observed() throws {
        let flow = try aurora(storage)
        #expect(try notifications(of: flow) { try flow.reconcile(satisfied: [news: "a", alerts: "b"]) } == 1)
        #expect(try notifications(of: flow) { try flow.reconcile(satisfied: [news: "a", alerts: "b"]) } == 0)
        #expect(try notifications(of: flow) { try flow.recordIfNeeded(leaving: news) } == 0)
        #expect(try notifications(of: flow) { try flow.refresh() } == 0)
        #expect(try notifications(of: flow) { try flow.clear(profile) } == 0)
        #expect(try notifications(of: flow) { try flow.reset() } == 1)
        #expect(try notifications(of: flow) { try flow.reset() } == 0)
        try storage.answerElsewhere(news, true)
        #expect(try notifications(of: flow) { try flow.refresh() } == 1)
        let twice = try notifications(of: flow) {
            try flow.clear(news)
            try flow.record(true, for: news)
        }
        #expect(twice == 2)
    }

    @Test("A failed write changes neither the file nor the answers, and notifies nobody", arguments: Write.allCases)
    func failedWrite(_ write: Write) throws {
        let flow = try aurora(storage)
        try flow.record(false, for: alerts, inputs: ["tone": .toggle(true)])
        let (records, stored) = (flow.records, try storage.inner.records())
        storage.failCommits(broken)
        let heard = notifications(of: flow) {
            #expect(throws: broken) { try write.run(on: flow) }
        }
        #expect(heard == 0)
        #expect(flow.records == records)
        #expect(try storage.inner.records() == stored)
        #expect(try storage.inputs() == [alerts: ["tone": .toggle(true)]])
        storage.failCommits(nil)
        try write.run(on: flow)
        #expect(flow.records != records)
    }

    enum Write: CaseIterable {
        case record, leaving, reconcile, clear, reset, signOut

        func run(on flow: OnboardingFlow) throws(OnboardingStorageError) {
            switch self {
            case .record: try flow.record(true, for: alerts)
            case .leaving: try flow.recordIfNeeded(leaving: news)
            case .reconcile: try flow.reconcile(satisfied: [profile: "seen"])
            case .clear: try flow.clear(alerts)
            case .reset: try flow.reset()
            case .signOut: try flow.signOut()
            }
        }
    }
}
