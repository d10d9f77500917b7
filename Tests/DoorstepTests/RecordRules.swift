import Doorstep
import Synchronization
import Testing

@Suite("Records")
struct RecordRules {
    let storage = CountingStorage()

    @Test("1. A returning user is shown only the step that was added since")
    func addedStep() throws {
        let old = try OnboardingFlow(welcome: welcome, steps: Array(steps.dropLast()), storage: storage)
        for id in [welcome, profile, news] { try old.record(true, for: id) }
        #expect(!old.needsOnboarding)
        let new = try aurora(storage)
        #expect(new.neededSteps.map(\.id) == [alerts])
    }

    @Test("2. Making a step required later keeps its answer")
    func requiredLater() throws {
        try OnboardingFlow(steps: [OnboardingStepConfig(id: news)], storage: storage).record(false, for: news)
        let flow = try OnboardingFlow(steps: [OnboardingStepConfig(id: news, isRequired: true)], storage: storage)
        #expect(flow.value(for: news) == false)
        #expect(!flow.needsOnboarding)
        #expect(!flow.allRequiredSatisfied)
    }

    @Test("3. A removed step leaves its record, and nothing deletes it unasked")
    func orphan() throws {
        try aurora(storage).record(true, for: news)
        let flow = try OnboardingFlow(steps: [steps[0]], storage: storage)
        try flow.record(true, for: profile)
        try flow.reset()
        #expect(flow.value(for: news) == true)
        #expect(try storage.records()[news] != nil)
        try flow.clear(news)
        #expect(flow.value(for: news) == nil)
        #expect(try storage.records().isEmpty)
    }

    @Test("3. An orphan counts as answered at whatever revision it was answered")
    func orphanRevision() throws {
        try storage.answerElsewhere("com.example.aurora.old", true, revision: 7)
        let flow = try aurora(storage)
        #expect(flow.value(for: "com.example.aurora.old") == true)
        #expect(flow.record(for: "com.example.aurora.old")?.revision == 7)
    }

    @Test("4. Flows over different storages neither see nor change each other's records")
    func apart() throws {
        let other = CountingStorage()
        let (mine, theirs) = (try aurora(storage), try aurora(other))
        try mine.record(true, for: profile)
        try theirs.refresh()
        #expect(theirs.value(for: profile) == nil)
        try theirs.signOut()
        try mine.refresh()
        #expect(mine.value(for: profile) == true)
    }

    @Test("5. A record keeps who made it, when and at which revision", arguments: OnboardingOrigin.allCases)
    func origin(_ origin: OnboardingOrigin) throws {
        let flow = try OnboardingFlow(steps: [OnboardingStepConfig(id: news, revision: 3)], storage: storage)
        try flow.record(false, for: news, origin: origin)
        let expected = OnboardingRecord(
            value: false, revision: 3, origin: origin, at: OnboardingInstant(milliseconds: 1_000))
        #expect(flow.record(for: news) == expected)
        #expect(try storage.records() == [news: expected])
    }

    @Test("5. A reconcile keeps its evidence, and an empty line is none")
    func evidence() throws {
        let flow = try aurora(storage)
        try flow.reconcile(satisfied: [news: "portal: yes", alerts: ""])
        #expect(flow.record(for: news)?.evidence == "portal: yes")
        #expect(flow.record(for: news)?.origin == .reconcile)
        #expect(flow.record(for: alerts)?.value == true)
        #expect(flow.record(for: alerts)?.evidence == nil)
    }

    @Test("5. Inputs are written with their record or not at all")
    func inputsTogether() throws {
        let flow = try aurora(storage)
        storage.failCommits(broken)
        #expect(throws: broken) { try flow.record(true, for: profile, inputs: ["name": .text("Ada")]) }
        #expect(try storage.inputs().isEmpty)
        storage.failCommits(nil)
        try flow.record(true, for: profile, inputs: ["name": .text("Ada"), "age": .integer(36)])
        #expect(storage.commits.count == 1)
        #expect(try storage.inputs() == [profile: ["name": .text("Ada"), "age": .integer(36)]])
        try flow.record(true, for: profile)
        #expect(try storage.inputs()[profile]?.count == 2)
        try flow.record(true, for: profile, inputs: ["name": .text("Bea")])
        #expect(try storage.inputs() == [profile: ["name": .text("Bea")]])
    }

    @Test("6. Asking every question costs one read")
    func oneRead() throws {
        let flow = try aurora(storage)
        for _ in 0..<10 {
            _ = (flow.needsWelcome, flow.needsOnboarding, flow.nextStepNeeded, flow.allRequiredSatisfied)
            _ = (flow.neededSteps, flow.unmetRequiredSteps, flow.value(for: news), flow.record(for: alerts))
        }
        #expect(storage.reads == 1)
        #expect(storage.commits.isEmpty)
    }

    @Test("A condition is looked at against the record that stands there", arguments: conditionCases)
    func conditions(_ row: ConditionCase) {
        let change = OnboardingChange(
            step: news, action: .record(true, revision: 2), condition: row.condition, origin: .leaving)
        let record = row.record.map {
            OnboardingRecord(value: $0.0, revision: $0.1, origin: .user, at: OnboardingInstant(milliseconds: 0))
        }
        #expect(change.applies(to: record) == row.applies)
    }

    @Test("A clear applies wherever there is a record, and nowhere else")
    func clearApplies() {
        let change = OnboardingChange(step: news, action: .clear, origin: .admin)
        let record = OnboardingRecord(value: false, origin: .user, at: OnboardingInstant(milliseconds: 0))
        #expect(change.applies(to: record))
        #expect(!change.applies(to: nil))
    }
}

struct ConditionCase: Sendable {
    var condition: OnboardingChange.Condition
    var record: (Bool, Int)?
    var applies: Bool
}

let conditionCases: [ConditionCase] = [
    ConditionCase(condition: .always, record: nil, applies: true),
    ConditionCase(condition: .always, record: (false, 2), applies: true),
    ConditionCase(condition: .unanswered, record: nil, applies: true),
    ConditionCase(condition: .unanswered, record: (true, 1), applies: true),
    ConditionCase(condition: .unanswered, record: (false, 2), applies: false),
    ConditionCase(condition: .unanswered, record: (false, 3), applies: false),
    ConditionCase(condition: .unansweredOrDeclined, record: nil, applies: true),
    ConditionCase(condition: .unansweredOrDeclined, record: (false, 2), applies: true),
    ConditionCase(condition: .unansweredOrDeclined, record: (true, 2), applies: false),
    ConditionCase(condition: .unansweredOrDeclined, record: (true, 1), applies: true),
]

@Suite("The storage in memory")
struct MemoryStorage {
    let storage = InMemoryOnboardingStorage(now: { OnboardingInstant(milliseconds: 7) })

    @Test("Every call throws while a failure is set, and nothing is lost by it")
    func failure() throws {
        _ = try storage.commit([elsewhere(news, true)])
        storage.failure = broken
        #expect(storage.failure == broken)
        #expect(throws: broken) { try storage.records() }
        #expect(throws: broken) { try storage.inputs() }
        #expect(throws: broken) { try storage.commit([elsewhere(news, false)], eraseInputs: true) }
        storage.failure = nil
        #expect(try storage.records()[news]?.value == true)
    }

    @Test("Changes apply in order, and what is returned is how their steps stand afterwards")
    func order() throws {
        _ = try storage.commit([elsewhere(profile, true)])
        let result = try storage.commit([
            OnboardingChange(step: news, action: .record(true, revision: 1), origin: .user),
            OnboardingChange(step: news, action: .record(false, revision: 1), condition: .unanswered, origin: .leaving),
            OnboardingChange(step: alerts, action: .record(true, revision: 1), origin: .user),
            OnboardingChange(step: alerts, action: .clear, origin: .admin),
        ])
        let expected = OnboardingRecord(value: true, origin: .user, at: OnboardingInstant(milliseconds: 7))
        #expect(result == [news: expected])
    }

    @Test("The records of one transaction have one moment, whatever the clock does meanwhile")
    func oneMoment() throws {
        let ticks = Mutex(Int64(0))
        let ticking = InMemoryOnboardingStorage {
            OnboardingInstant(
                milliseconds: ticks.withLock { ticks in
                    ticks += 1
                    return ticks
                })
        }
        let result = try ticking.commit([elsewhere(news, true), elsewhere(alerts, true)])
        #expect(result[news]?.at == result[alerts]?.at)
    }

    @Test("Inputs of a change that doesn't apply are not written")
    func conditionalInputs() throws {
        _ = try storage.commit([elsewhere(news, false)])
        _ = try storage.commit([
            OnboardingChange(
                step: news, action: .record(true, revision: 1), condition: .unanswered, origin: .leaving,
                inputs: ["name": .text("Ada")])
        ])
        #expect(try storage.inputs().isEmpty)
    }

    @Test("Moments are ordered from past to future, and now is after 2020")
    func instants() {
        #expect(OnboardingInstant(milliseconds: -1) < OnboardingInstant(milliseconds: 0))
        #expect(OnboardingInstant.now > OnboardingInstant(milliseconds: 1_577_836_800_000))
    }

    @Test("What a user typed is in no description, of itself or of a change that holds it")
    func withheld() {
        let values: [OnboardingInputValue] = [.text("Ada"), .integer(36), .toggle(true)]
        for (value, secret) in zip(values, ["Ada", "36", "true"]) {
            let change = OnboardingChange(step: news, action: .clear, origin: .user, inputs: ["key": value])
            var dumped = ""
            dump(change, to: &dumped)
            for text in ["\(value)", String(reflecting: value), "\(change)", String(reflecting: change), dumped] {
                #expect(!text.contains(secret))
            }
        }
    }

    @Test("An error is described by its message alone")
    func errors() {
        #expect("\(broken)" == "the disk is full; free some space")
        #expect("\(OnboardingFlowError.storage(broken))" == broken.message)
        let faults: [OnboardingFlowError] = [.duplicateStep(news), .welcomeIsAStep(news), .invalidRevision(news, 0)]
        for fault in faults { #expect("\(fault)".contains(news.rawValue)) }
        #expect("\(OnboardingFlowError.invalidID("a step ID is empty"))" == "a step ID is empty")
    }
}

@Suite("Step IDs")
struct StepIDs {
    @Test("An ID of 1 to 255 bytes without control characters is accepted", arguments: ["a", "com.example.a", "名前"])
    func accepted(_ text: String) {
        #expect(OnboardingStepID(text).fault == nil)
        #expect(OnboardingStepID(String(repeating: "é", count: 127)).fault == nil)
    }

    @Test("An empty, overlong or control ID says what is accepted")
    func refused() {
        #expect(OnboardingStepID("").fault?.contains("1 to 255 bytes") == true)
        #expect(OnboardingStepID(String(repeating: "é", count: 128)).fault?.contains("256 bytes") == true)
        #expect(OnboardingStepID("a\u{7}b").fault?.contains("U+0007") == true)
        #expect(OnboardingStepID("a\u{85}b").fault?.contains("U+0085") == true)
    }

    @Test("IDs that only look alike are different IDs")
    func bytes() {
        let (composed, decomposed): (OnboardingStepID, OnboardingStepID) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed.rawValue == decomposed.rawValue)
        #expect(composed != decomposed)
        #expect(!(composed == decomposed))
        #expect(Set([composed, decomposed]).count == 2)
        #expect([composed: 1][composed] == 1)
    }

    @Test("A flow refuses two equal steps, a welcome that is a step, a bad ID and a revision below 1")
    func flowFaults() {
        let storage = InMemoryOnboardingStorage()
        #expect(throws: OnboardingFlowError.duplicateStep(news)) {
            try OnboardingFlow(steps: [steps[1], steps[1]], storage: storage)
        }
        #expect(throws: OnboardingFlowError.welcomeIsAStep(news)) {
            try OnboardingFlow(welcome: news, steps: steps, storage: storage)
        }
        #expect(throws: OnboardingFlowError.invalidRevision(news, 0)) {
            try OnboardingFlow(steps: [OnboardingStepConfig(id: news, revision: 0)], storage: storage)
        }
        for bad: OnboardingStepID in ["", "a\u{0}"] {
            let fault = bad.fault ?? ""
            #expect(throws: OnboardingFlowError.invalidID(fault)) {
                try OnboardingFlow(steps: [OnboardingStepConfig(id: bad)], storage: storage)
            }
            #expect(throws: OnboardingFlowError.invalidID(fault)) {
                try OnboardingFlow(welcome: bad, steps: [], storage: storage)
            }
        }
    }

    @Test("An ID that no store can hold is refused before anything is written")
    func invalidCommit() throws {
        let flow = try aurora(InMemoryOnboardingStorage())
        try flow.record(true, for: news)
        let error = #expect(throws: OnboardingStorageError.self) { try flow.reset(including: [""]) }
        #expect(error?.code == .invalid)
        #expect(flow.value(for: news) == true)
    }
}
