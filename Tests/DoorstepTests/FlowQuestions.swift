import Doorstep
import Testing

@Suite("Questions a flow answers")
struct FlowQuestions {
    let storage = CountingStorage()

    @Test("needsWelcome: only while there is a welcome and it is unrecorded")
    func needsWelcome() throws {
        #expect(try !aurora(storage, welcome: nil).needsWelcome)
        let flow = try aurora(storage)
        #expect(flow.needsWelcome)
        try flow.record(false, for: welcome)
        #expect(!flow.needsWelcome)
    }

    @Test("needsOnboarding: while the welcome or any step, required or not, is unrecorded")
    func needsOnboarding() throws {
        let flow = try aurora(storage)
        for id in [profile, news, alerts] {
            #expect(flow.needsOnboarding)
            try flow.record(id != news, for: id)
        }
        #expect(flow.needsOnboarding)
        #expect(flow.nextStepNeeded == nil)
        try flow.record(true, for: welcome)
        #expect(!flow.needsOnboarding)
        try flow.clear(news)
        #expect(flow.needsOnboarding)
    }

    @Test("nextStepNeeded: the first unrecorded step in declaration order, never the welcome")
    func nextStepNeeded() throws {
        let flow = try aurora(storage)
        #expect(flow.nextStepNeeded == profile)
        try flow.record(true, for: news)
        #expect(flow.nextStepNeeded == profile)
        try flow.record(true, for: profile)
        #expect(flow.nextStepNeeded == alerts)
        try flow.record(false, for: alerts)
        #expect(flow.nextStepNeeded == nil)
        #expect(flow.needsWelcome)
    }

    @Test("allRequiredSatisfied: every required step is recorded true, and false doesn't satisfy")
    func allRequired() throws {
        let flow = try aurora(storage)
        try flow.record(true, for: profile)
        #expect(!flow.allRequiredSatisfied)
        try flow.record(false, for: alerts)
        #expect(!flow.allRequiredSatisfied)
        try flow.record(true, for: alerts)
        #expect(flow.allRequiredSatisfied)
        try flow.record(false, for: news)
        #expect(flow.allRequiredSatisfied)
    }

    @Test("value(for:): the record or nil", arguments: [true, false, nil])
    func value(_ answer: Bool?) throws {
        let flow = try aurora(storage)
        if let answer { try flow.record(answer, for: news) }
        #expect(flow.value(for: news) == answer)
        #expect(flow.record(for: news)?.value == answer)
    }

    @Test("A flow with no steps and no welcome needs nothing and is satisfied")
    func empty() throws {
        let flow = try OnboardingFlow(steps: [], storage: storage)
        #expect(!flow.needsOnboarding)
        #expect(!flow.needsWelcome)
        #expect(flow.nextStepNeeded == nil)
        #expect(flow.allRequiredSatisfied)
        #expect(flow.neededSteps.isEmpty && flow.unmetRequiredSteps.isEmpty)
    }

    @Test("A step at a higher revision than its record counts as unanswered")
    func revision() throws {
        try storage.answerElsewhere(alerts, true, revision: 1)
        let step = OnboardingStepConfig(id: alerts, isRequired: true, revision: 2)
        let flow = try OnboardingFlow(steps: [step], storage: storage)
        #expect(flow.value(for: alerts) == nil)
        #expect(flow.needsOnboarding)
        #expect(flow.nextStepNeeded == alerts)
        #expect(!flow.allRequiredSatisfied)
        #expect(flow.records[alerts]?.value == true)
        #expect(flow.stepsToReconcile(.unanswered).map(\.id) == [alerts])
    }

    @Test("A record at a higher revision than the step's is an answer")
    func newerRecord() throws {
        try storage.answerElsewhere(news, false, revision: 5)
        #expect(try aurora(storage).value(for: news) == false)
    }

    @Test("The unmet required steps are the unanswered and the declined ones, in order")
    func unmet() throws {
        let flow = try aurora(storage)
        #expect(flow.unmetRequiredSteps.map(\.id) == [profile, alerts])
        try flow.record(false, for: alerts)
        try flow.record(false, for: news)
        try flow.record(true, for: profile)
        #expect(flow.unmetRequiredSteps.map(\.id) == [alerts])
        #expect(flow.neededSteps.map(\.id) == [welcome])
    }

    @Test("A store that can't be read is never an empty one", arguments: OnboardingStorageError.Code.allCases)
    func unreadable(_ code: OnboardingStorageError.Code) throws {
        let error = OnboardingStorageError(code, "it can't be read")
        let flow = try aurora(storage)
        try flow.record(true, for: news)
        storage.inner.failure = error
        #expect(throws: OnboardingFlowError.storage(error)) { try aurora(storage) }
        #expect(throws: error) { try flow.refresh() }
        #expect(flow.value(for: news) == true)
    }

    @Test("The questions see another process's answers after a refresh")
    func refresh() throws {
        let flow = try aurora(storage)
        try storage.answerElsewhere(news, false)
        #expect(flow.value(for: news) == nil)
        try flow.refresh()
        #expect(flow.value(for: news) == false)
    }
}
