import Doorstep
import Observation
import Synchronization
import Testing

@Suite("The pager: actions and inputs")
struct PagerAnswers {
    let storage = CountingStorage()

    /// A showing of the usual flow, on the page of one step.
    func showing(
        _ id: OnboardingStepID, of flow: OnboardingFlow, _ mode: OnboardingCommitMode = .eachStep
    ) throws -> OnboardingPager {
        let pager = try OnboardingPager(flow: flow, commitMode: mode, content: content)
        try pager.start()
        while let page = pager.page, page.step.id != id {
            if page.step.id == profile { pager.setValue(.text("Ada"), for: "name") }
            try pager.forward()
        }
        return pager
    }

    func roles(_ pager: OnboardingPager) -> [StepAction.Role] { pager.actions.map(\.role) }
    func titles(_ pager: OnboardingPager) -> [String] { pager.actions.map(\.title) }

    @Test("4. The primary action records true and advances; Skip records false and advances")
    func completeAndSkip() throws {
        let flow = try aurora(storage)
        let pager = try showing(news, of: flow)
        #expect(try pager.perform(.complete) == .moved)
        #expect(flow.record(for: news)?.value == true && flow.record(for: news)?.origin == .user)
        #expect(try pager.perform(.skip) == .finished)
        #expect(flow.record(for: alerts)?.value == false && flow.record(for: alerts)?.origin == .user)
    }

    @Test("4. A page that is not skippable shows no Skip, and doesn't skip")
    func noSkip() throws {
        let flow = try aurora(storage)
        let pager = try showing(profile, of: flow)
        #expect(roles(pager) == [.complete, .back])
        #expect(try pager.skip() == .stayed([]))
        #expect(flow.value(for: profile) == nil && pager.page?.step.id == profile)
        try pager.jump(to: 0)
        #expect(try pager.skip() == .stayed([]))
        #expect(flow.value(for: profile) == nil)
    }

    @Test("4. The welcome has one action, which records true")
    func welcomeAction() throws {
        let flow = try aurora(storage)
        let pager = try showing(welcome, of: flow)
        #expect(roles(pager) == [.complete])
        try pager.perform(.complete)
        #expect(flow.record(for: welcome)?.value == true)
        #expect(flow.record(for: welcome)?.origin == .user)
    }

    @Test("8. Invalid inputs keep the page, with a message")
    func invalid() throws {
        let flow = try aurora(storage)
        let pager = try showing(profile, of: flow)
        let required = FieldFault(key: "name", phrase: .required)
        let short = FieldFault(key: "name", phrase: .tooShort(minimum: 3))
        #expect(try pager.complete() == .stayed([required]))
        #expect(try pager.forward() == .stayed([required]))
        #expect(pager.setValue(.text("Al"), for: "name") == short)
        #expect(pager.setValue(.integer(200), for: "age")?.phrase == .outOfRange(minimum: 0, maximum: 150))
        #expect(try pager.finish().faults.map(\.key) == ["name", "age"])
        #expect(pager.page?.step.id == profile)
        #expect(flow.value(for: profile) == nil)
        #expect(pager.value(for: "name") == .text("Al"))
        #expect(pager.setValue(nil, for: "age") == nil)
        #expect(pager.setValue(.text("Ada"), for: "name") == nil)
        #expect(try pager.complete() == .moved)
    }

    @Test("8. A jump stops on the first page whose inputs are invalid")
    func jumpStops() throws {
        let flow = try aurora(storage)
        let pager = try OnboardingPager(flow: flow, content: content)
        let events = Events(pager)
        try pager.start()
        #expect(try pager.jump(to: 3).faults.map(\.key) == ["name"])
        #expect(pager.page?.step.id == profile)
        #expect(events.shown == [welcome, profile])
        #expect(Set(flow.records.keys) == [welcome])
    }

    @Test("8. Inputs are held until their step is recorded, and written in the same transaction")
    func held() throws {
        let flow = try aurora(storage)
        let pager = try showing(profile, of: flow)
        let before = storage.commits.count
        pager.setValue(.text("  Ada "), for: "name")
        pager.setValue(.integer(36), for: "age")
        #expect(try storage.inputs().isEmpty && storage.commits.count == before)
        try pager.complete()
        #expect(storage.commits.count == before + 1)
        #expect(try storage.inputs() == [profile: ["name": .text("Ada"), "age": .integer(36)]])
    }

    @Test("8. An optional field left empty is not stored", arguments: [nil, "", "  "])
    func leftEmpty(_ typed: String?) throws {
        let note = StepField(
            key: "note", label: "Note", kind: .text(length: 2...9, pattern: nil, initial: nil), isOptional: true)
        let pager = try OnboardingPager(flow: plain(1, storage)) { _ in StepPage(title: "", fields: [note]) }
        try pager.start()
        #expect(pager.setValue(typed.map { .text($0) }, for: "note") == nil)
        #expect(try pager.complete() == .finished)
        #expect(try storage.inputs().isEmpty)
    }

    @Test("A filled-in page that is swiped past counts as answered, with its inputs")
    func swipedEdited() throws {
        let flow = try aurora(storage)
        let pager = try showing(news, of: flow)
        pager.setValue(.toggle(true), for: "weekly")
        try pager.forward()
        #expect(flow.record(for: news)?.value == true && flow.record(for: news)?.origin == .user)
        #expect(try storage.inputs()[news] == ["weekly": .toggle(true)])
    }

    @Test("A skippable page that is swiped past untouched, or put back as it was, is declined without inputs")
    func swipedUntouched() throws {
        let flow = try aurora(storage)
        let pager = try showing(news, of: flow)
        pager.setValue(.toggle(true), for: "weekly")
        pager.setValue(.toggle(false), for: "weekly")
        try pager.forward()
        #expect(flow.record(for: news)?.value == false && flow.record(for: news)?.origin == .leaving)
        #expect(try storage.inputs()[news] == nil)
    }

    @Test("A page that is not skippable is swiped past with its initial values as inputs")
    func swipedInitial() throws {
        let step = OnboardingStepConfig(id: profile, isSkippable: false)
        let flow = try OnboardingFlow(steps: [step], storage: storage)
        let pager = try OnboardingPager(flow: flow) { _ in StepPage(title: "", fields: [weeklyField]) }
        try pager.start()
        #expect(try pager.forward() == .finished)
        #expect(flow.value(for: profile) == true)
        #expect(try storage.inputs() == [profile: ["weekly": .toggle(false)]])
    }

    @Test("Skip drops what was typed, and erases the inputs written earlier in this showing")
    func skipDrops() throws {
        let flow = try aurora(storage)
        let pager = try showing(news, of: flow)
        pager.setValue(.toggle(true), for: "weekly")
        try pager.forward()
        pager.back()
        #expect(pager.value(for: "weekly") == .toggle(true))
        try pager.skip()
        #expect(flow.value(for: news) == false)
        #expect(try storage.inputs()[news] == nil)
        pager.back()
        #expect(pager.value(for: "weekly") == .toggle(false))
        let commits = storage.commits.count
        pager.setValue(.toggle(false), for: "weekly")
        try pager.forward()
        #expect(storage.commits.count == commits)
    }

    @Test("A failed write keeps the page, what was typed and what is stored", arguments: Leave.allCases)
    func failedWrite(_ leave: Leave) throws {
        let flow = try aurora(storage)
        let pager = try showing(news, of: flow)
        pager.setValue(.toggle(true), for: "weekly")
        let records = flow.records
        let heard = Mutex(false)
        withObservationTracking {
            _ = (pager.page, pager.phase, pager.actions, pager.value(for: "weekly"))
        } onChange: {
            heard.withLock { $0 = true }
        }
        storage.failCommits(broken)
        #expect(throws: broken) { try leave.run(pager) }
        #expect(heard.withLock { !$0 }, "a presenter is told nothing of a failed write")
        #expect(pager.page?.step.id == news)
        #expect(pager.value(for: "weekly") == .toggle(true))
        #expect(flow.records == records)
        #expect(pager.answer(for: news) == nil)
        storage.failCommits(nil)
        try leave.run(pager)
        #expect(heard.withLock { $0 })
        #expect(flow.value(for: news) == (leave != .skip))
    }

    enum Leave: CaseIterable {
        case complete, skip, forward, jump, finish

        func run(_ pager: OnboardingPager) throws(OnboardingStorageError) {
            switch self {
            case .complete: try pager.complete()
            case .skip: try pager.skip()
            case .forward: try pager.forward()
            case .jump: try pager.jump(to: 3)
            case .finish: try pager.finish()
            }
        }
    }

    @Test("A failed read keeps the page, before anything is written", arguments: Leave.allCases)
    func failedRead(_ leave: Leave) throws {
        let pager = try showing(news, of: aurora(storage))
        let commits = storage.commits.count
        storage.inner.failure = broken
        #expect(throws: broken) { try leave.run(pager) }
        #expect(storage.commits.count == commits && pager.page?.step.id == news)
    }

    @Test("An edit on an answered page is recorded when the page is left again, once")
    func editAgain() throws {
        let flow = try aurora(storage)
        let pager = try showing(news, of: flow)
        pager.back()
        pager.setValue(.text("Grace"), for: "name")
        let commits = storage.commits.count
        try pager.forward()
        #expect(try storage.inputs()[profile]?["name"] == .text("Grace"))
        pager.back()
        pager.setValue(.text("Grace "), for: "name")
        try pager.forward()
        #expect(storage.commits.count == commits + 1)
    }

    @Test("What the user typed on the shown page survives an answer that is given elsewhere meanwhile")
    func typedMeanwhile() throws {
        let flow = try aurora(storage)
        let pager = try showing(profile, of: flow)
        pager.setValue(.text("Ada"), for: "name")
        try storage.answerElsewhere(profile, false)
        try pager.forward()
        #expect(flow.value(for: profile) == true)
        #expect(try storage.inputs()[profile] == ["name": .text("Ada")])
    }

    @Test("A page that the user filled in is shown again, though its step is answered elsewhere meanwhile")
    func filledInMeanwhile() throws {
        let pager = try showing(profile, of: aurora(storage))
        pager.setValue(.text("Ada"), for: "name")
        pager.back()
        try storage.answerElsewhere(profile, false)
        try pager.forward()
        #expect(pager.page?.step.id == profile)
        #expect(pager.value(for: "name") == .text("Ada"))
        #expect(try pager.reconcile(satisfied: [profile: "seen"]) == .stayed([]))
        #expect(try pager.complete() == .moved)
        #expect(try storage.inputs()[profile] == ["name": .text("Ada")])
    }

    @Test("A field that the page doesn't have is neither set nor read")
    func unknownField() throws {
        let pager = try showing(profile, of: aurora(storage))
        #expect(pager.setValue(.text("x"), for: "nothing") == nil)
        #expect(pager.value(for: "nothing") == nil)
    }

    @Test("9. Titles follow the place: Sign Up, then Next, last Finish")
    func titlesByPlace() throws {
        let pager = try OnboardingPager(flow: aurora(storage), content: bare)
        try pager.start()
        var seen = [titles(pager)]
        while try pager.forward() == .moved { seen.append(titles(pager)) }
        #expect(seen == [["Sign Up"], ["Next", "Back"], ["Next", "Skip", "Back"], ["Finish", "Skip", "Back"]])
    }

    @Test("9. A welcome that is also the last page says Get Started")
    func getStarted() throws {
        let pager = try OnboardingPager(
            flow: OnboardingFlow(welcome: welcome, steps: [], storage: storage), content: bare)
        try pager.start()
        #expect(titles(pager) == ["Get Started"])
    }

    @Test("9. A page becomes the last one when the pages after it are answered elsewhere")
    func becomesLast() throws {
        let pager = try OnboardingPager(flow: plain(3, storage), content: bare)
        try pager.start()
        #expect(titles(pager).first == "Next")
        try pager.reconcile(satisfied: [number(1): "", number(2): ""])
        #expect(titles(pager).first == "Finish")
    }

    @Test("9. A page's own title wins over its place")
    func ownTitle() throws {
        let page = StepPage(title: "", primary: .complete(title: "Create Account"))
        let pager = try OnboardingPager(flow: aurora(storage)) { _ in page }
        try pager.start()
        #expect(titles(pager).first == "Create Account")
    }

    @Test("9. A permission page's title follows its state, and always offers a way on")
    func permission() throws {
        let pager = try showing(alerts, of: aurora(storage))
        #expect(titles(pager) == ["Allow", "Skip", "Back"])
        #expect(roles(pager).first == .perform("ask"))
        #expect(try pager.perform(.perform("ask")) == .stayed([]))
        pager.update(StepPage(title: "", primary: .perform(action: "open", title: .openSettings)), for: alerts)
        #expect(titles(pager).first == "Open Settings")
        pager.update(StepPage(title: ""), for: alerts)
        #expect(titles(pager).first == "Finish")
        pager.update(StepPage(title: "ignored"), for: "com.example.aurora.gone")
        #expect(pager.pages.count == 4)
    }

    @Test("9. A permission page that is not skippable offers to go on without")
    func permissionWithout() throws {
        let flow = try OnboardingFlow(steps: [OnboardingStepConfig(id: alerts, isSkippable: false)], storage: storage)
        let pager = try OnboardingPager(flow: flow, content: content)
        try pager.start()
        #expect(roles(pager) == [.perform("ask"), .forward])
        #expect(titles(pager) == ["Allow", "Continue Without"])
        #expect(try pager.perform(.forward) == .finished)
    }

    @Test("9. Titles are in the reader's language")
    func germanTitles() throws {
        let pager = try OnboardingPager(
            flow: plain(2, storage), languages: LanguagePreferences(["de_AT.UTF-8"]), content: bare)
        try pager.start()
        #expect(titles(pager) == ["Weiter", "Überspringen"])
        try pager.perform(.forward)
        #expect(titles(pager) == ["Fertig", "Überspringen", "Zurück"])
        #expect(try pager.perform(.back) == .moved)
    }
}

extension OnboardingPager.Move {
    /// The faults that kept the page.
    var faults: [FieldFault] {
        if case .stayed(let faults) = self { faults } else { [] }
    }
}
