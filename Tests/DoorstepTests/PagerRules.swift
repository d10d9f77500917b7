import Doorstep
import Testing

@Suite("The pager: pages and moves")
struct PagerRules {
    let storage = CountingStorage()

    @Test("1. Reconcile runs first, then the welcome and each unrecorded step are captured in order")
    func capture() throws {
        let flow = try aurora(storage)
        let pager = try OnboardingPager(flow: flow, satisfied: [news: "seen"], content: content)
        #expect(pager.pages.map(\.step.id) == [welcome, profile, alerts])
        #expect(pager.pages.map(\.isWelcome) == [true, false, false])
        #expect(flow.value(for: news) == true)
        #expect(pager.phase == .ready && pager.page == nil && pager.actions.isEmpty)
    }

    @Test("1. A reconcile that can't be written fails, and changes nothing")
    func captureFails() throws {
        let flow = try aurora(storage)
        storage.failCommits(broken)
        #expect(throws: broken) {
            try OnboardingPager(flow: flow, satisfied: [news: "seen"], content: content)
        }
        #expect(flow.records.isEmpty)
    }

    @Test("1. A page that is answered elsewhere is passed over, not removed", arguments: OnboardingCommitMode.allCases)
    func passedOver(_ mode: OnboardingCommitMode) throws {
        let pager = try OnboardingPager(flow: plain(4, storage), commitMode: mode, content: bare)
        let events = Events(pager)
        try pager.start()
        try storage.answerElsewhere(number(1), false)
        try pager.forward()
        #expect(pager.position == 2)
        #expect(pager.pages.count == 4)
        #expect(pager.back() == .moved)
        #expect(pager.position == 0)
        try pager.finish()
        #expect(events.shown == [number(0), number(2), number(0)])
        #expect(try storage.records()[number(1)]?.origin == .admin)
        #expect(try storage.records().count == 4)
    }

    @Test("1. A showing ends early where every page ahead is answered elsewhere")
    func allAnsweredElsewhere() throws {
        let pager = try OnboardingPager(flow: plain(3, storage), content: bare)
        let events = Events(pager)
        try pager.start()
        for index in [1, 2] { try storage.answerElsewhere(number(index), true) }
        #expect(try pager.forward() == .finished)
        #expect(events.finished == 1)
    }

    @Test("1. A jump back onto a page answered elsewhere lands before it, and never shows it")
    func jumpBackOver() throws {
        let pager = try OnboardingPager(flow: plain(4, storage), content: bare)
        let events = Events(pager)
        try pager.start()
        try storage.answerElsewhere(number(1), true)
        try pager.jump(to: 3)
        #expect(try pager.jump(to: 1) == .moved)
        #expect(pager.position == 0)
        #expect(!events.shown.contains(number(1)))
    }

    @Test("1. A declined page that is reset elsewhere is still shown")
    func resetElsewhere() throws {
        for id in [profile, alerts] { try storage.answerElsewhere(id, false) }
        let pager = try OnboardingPager(flow: aurora(storage), selection: .unmetRequired, content: bare)
        try pager.start()
        _ = try storage.inner.commit([OnboardingChange(step: alerts, action: .clear, origin: .admin)])
        #expect(try pager.forward() == .moved)
        #expect(pager.page?.step.id == alerts)
    }

    @Test("2. Going forward past a page backfills it: false where skippable, true where not")
    func forward() throws {
        let flow = try aurora(storage)
        let pager = try OnboardingPager(flow: flow, content: bare)
        try pager.start()
        try pager.forward()
        #expect(flow.value(for: welcome) == true)
        try pager.forward()
        #expect(flow.value(for: profile) == true)
        try pager.forward()
        #expect(flow.value(for: news) == false)
        #expect(flow.value(for: alerts) == nil)
        #expect(storage.commits.count == 3)
        #expect(flow.records.values.allSatisfy { $0.origin == .leaving })
    }

    @Test("2. A jump backfills every page jumped over, and not the page it lands on")
    func jump() throws {
        let flow = try plain(5, storage)
        let pager = try OnboardingPager(flow: flow, content: bare)
        try pager.start()
        #expect(try pager.jump(to: 3) == .moved)
        #expect(Set(flow.records.keys) == [number(0), number(1), number(2)])
    }

    @Test("2. Back and forward again writes nothing", arguments: OnboardingCommitMode.allCases)
    func backAndForward(_ mode: OnboardingCommitMode) throws {
        let pager = try OnboardingPager(flow: plain(5, storage), commitMode: mode, content: bare)
        try pager.start()
        try pager.jump(to: 3)
        let commits = storage.commits.count
        for _ in 0..<3 {
            pager.back()
            pager.back()
            try pager.forward()
            try pager.jump(to: 0)
            try pager.jump(to: 3)
        }
        #expect(storage.commits.count == commits)
        #expect(commits == (mode == .eachStep ? 3 : 0))
    }

    @Test("2. Finishing backfills the last page too, so a finished flow never asks again")
    func finishing() throws {
        let flow = try aurora(storage)
        let pager = try OnboardingPager(flow: flow, content: bare)
        try pager.start()
        #expect(try pager.finish() == .finished)
        #expect(!flow.needsOnboarding)
        #expect(flow.value(for: welcome) == true)
        #expect(try !aurora(storage).needsOnboarding)
    }

    @Test("2. A backfill keeps what another process answers just before it is written")
    func backfillRace() throws {
        let flow = try plain(2, storage)
        let pager = try OnboardingPager(flow: flow, content: bare)
        try pager.start()
        storage.beforeNextCommit { _ = try $0.commit([elsewhere(number(0), true)]) }
        try pager.forward()
        #expect(flow.value(for: number(0)) == true)
        #expect(pager.answer(for: number(0)) == true)
    }

    @Test("3. Back goes to any earlier page, and an answer can be changed there")
    func changeAnswer() throws {
        let flow = try aurora(storage)
        let pager = try OnboardingPager(flow: flow, content: bare)
        try pager.start()
        try pager.complete()
        try pager.complete()
        try pager.skip()
        #expect(flow.value(for: news) == false)
        pager.back()
        try pager.complete()
        #expect(flow.value(for: news) == true)
        #expect(pager.page?.step.id == alerts)
        pager.back()
        try pager.skip()
        #expect(flow.value(for: news) == false)
        #expect(flow.record(for: news)?.origin == .user)
    }

    @Test("3. There is no way back from the first page, and a jump to nowhere stays")
    func nowhere() throws {
        let pager = try OnboardingPager(flow: plain(2, storage), content: bare)
        #expect(try pager.jump(to: 1) == .stayed([]))
        #expect(pager.back() == .stayed([]))
        #expect(try pager.forward() == .stayed([]))
        #expect(try pager.finish() == .stayed([]))
        #expect(try pager.complete() == .stayed([]))
        try pager.start()
        #expect(try pager.start() == .stayed([]))
        for index in [-1, 0, 2, .max, .min] { #expect(try pager.jump(to: index) == .stayed([])) }
        #expect(pager.back() == .stayed([]))
        #expect(storage.commits.isEmpty)
    }

    @Test("5. A page that became satisfied advances by itself", arguments: OnboardingCommitMode.allCases)
    func reconcileWhileOpen(_ mode: OnboardingCommitMode) throws {
        let flow = try plain(4, storage)
        let pager = try OnboardingPager(flow: flow, commitMode: mode, content: bare)
        let events = Events(pager)
        try pager.start()
        #expect(try pager.reconcile(satisfied: [:]) == .stayed([]))
        #expect(try pager.reconcile(satisfied: [number(2): "granted"]) == .stayed([]))
        #expect(try pager.reconcile(satisfied: [number(0): "granted"]) == .moved)
        #expect(pager.position == 1)
        #expect(pager.answer(for: number(2)) == true)
        try pager.forward()
        #expect(pager.position == 3)
        #expect(try pager.reconcile(satisfied: [number(3): "granted"]) == .finished)
        #expect(events.shown == [number(0), number(1), number(3)])
        #expect([0, 1, 2, 3].map { flow.value(for: number($0)) } == [true, false, true, true])
        #expect(flow.record(for: number(2))?.evidence == "granted")
    }

    @Test(
        "5. A reconcile never changes what the user answered in this showing", arguments: OnboardingCommitMode.allCases)
    func reconcileAnswered(_ mode: OnboardingCommitMode) throws {
        let steps = [alerts, news].map { OnboardingStepConfig(id: $0, isRequired: true) }
        let flow = try OnboardingFlow(steps: steps, storage: storage)
        let pager = try OnboardingPager(flow: flow, selection: .unmetRequired, commitMode: mode, content: bare)
        try pager.start()
        try pager.skip()
        #expect(try pager.reconcile(satisfied: [alerts: "granted"]) == .stayed([]))
        #expect(pager.answer(for: alerts) == false)
        try pager.finish()
        #expect(flow.value(for: alerts) == false)
    }

    @Test("6. onPageShown fires for each page shown, onFinished exactly once")
    func events() throws {
        let pager = try OnboardingPager(flow: plain(3, storage), content: bare)
        let events = Events(pager)
        try pager.start()
        try pager.forward()
        pager.back()
        try pager.finish()
        #expect(events.shown == [number(0), number(1), number(0)])
        #expect(try pager.start() == .stayed([]))
        #expect(try pager.finish() == .stayed([]))
        #expect(try pager.skip() == .stayed([]))
        #expect(try pager.reconcile(satisfied: [number(0): ""]) == .stayed([]))
        #expect(events.finished == 1)
        #expect(pager.phase == .finished && pager.page == nil)
    }

    @Test("6. A plan without pages finishes at once", arguments: OnboardingCommitMode.allCases)
    func noPages(_ mode: OnboardingCommitMode) throws {
        let flow = try plain(1, storage)
        let pager = try OnboardingPager(flow: flow, commitMode: mode, satisfied: [number(0): ""], content: bare)
        let events = Events(pager)
        #expect(pager.pages.isEmpty)
        #expect(pager.answer(for: number(0)) == true)
        #expect(try pager.start() == .finished)
        #expect(events.shown.isEmpty && events.finished == 1)
        #expect(flow.value(for: number(0)) == true)
    }

    @Test(
        "7. Leaving midway keeps what was answered and nothing else; the next showing starts at the first page needed")
    func leaving() throws {
        let pager = try OnboardingPager(flow: plain(3, storage), content: bare)
        let events = Events(pager)
        try pager.start()
        try pager.complete()
        pager.leave()
        #expect(pager.phase == .left && pager.page == nil && pager.actions.isEmpty)
        #expect(try pager.forward() == .stayed([]))
        #expect(try pager.reconcile(satisfied: [number(2): ""]) == .stayed([]))
        #expect(events.finished == 0)
        #expect(try Set(storage.records().keys) == [number(0)])
        let next = try OnboardingPager(flow: plain(3, storage), content: bare)
        try next.start()
        #expect(next.page?.step.id == number(1))
        #expect(next.pages.count == 2)
    }

    @Test("The unmet required steps can be shown, and a decline turned there")
    func unmetRequired() throws {
        let flow = try aurora(storage)
        try flow.record(true, for: profile)
        try flow.record(false, for: alerts)
        let pager = try OnboardingPager(flow: flow, selection: .unmetRequired, content: bare)
        try pager.start()
        #expect(pager.pages.map(\.step.id) == [alerts])
        try pager.complete()
        #expect(pager.phase == .finished)
        #expect(flow.allRequiredSatisfied)
        #expect(flow.needsWelcome)
    }

    @Test("Moving past a declined page that is shown again changes nothing")
    func declinedPast() throws {
        let flow = try aurora(storage)
        for id in [profile, alerts] { try flow.record(false, for: id) }
        let before = flow.records
        let pager = try OnboardingPager(flow: flow, selection: .unmetRequired, content: content)
        try pager.start()
        #expect(try pager.finish() == .finished)
        #expect(flow.records == before)
    }

    @Test("The unmet required steps are reconciled in the mode that turns declines")
    func unmetReconcile() throws {
        let flow = try aurora(storage)
        try flow.record(false, for: alerts)
        let pager = try OnboardingPager(flow: flow, selection: .unmetRequired, satisfied: [alerts: "on"], content: bare)
        #expect(pager.pages.map(\.step.id) == [profile])
        #expect(flow.value(for: alerts) == true)
    }

    @Test("10. Signing out resets and erases the inputs in one transaction; the next launch is a first launch")
    func signOut() throws {
        let flow = try aurora(storage)
        let pager = try OnboardingPager(flow: flow, content: content)
        try pager.start()
        try pager.complete()
        pager.setValue(.text("Ada"), for: "name")
        try pager.finish()
        try flow.record(true, for: "com.example.aurora.extra", inputs: ["token": .text("x")])
        let before = storage.commits.count
        try flow.signOut(including: ["com.example.aurora.extra"])
        #expect(storage.commits.count == before + 1)
        #expect(storage.erasures == 1)
        #expect(try storage.records().isEmpty && storage.inputs().isEmpty)
        #expect(try aurora(storage).neededSteps.map(\.id) == [welcome, profile, news, alerts])
    }
}
