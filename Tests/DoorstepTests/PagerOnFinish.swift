import Doorstep
import Testing

@Suite("The pager: everything at the finish")
struct PagerOnFinish {
    let storage = CountingStorage()

    /// A showing on its last page, with a name, a newsletter and a reconciled step held.
    func lastPage(of flow: OnboardingFlow) throws -> OnboardingPager {
        let pager = try OnboardingPager(flow: flow, commitMode: .onFinish, content: content)
        try pager.start()
        try pager.complete()
        pager.setValue(.text("Ada"), for: "name")
        try pager.complete()
        try pager.skip()
        return pager
    }

    @Test("8. Leaving before the end leaves no trace")
    func noTrace() throws {
        let flow = try aurora(storage)
        let pager = try lastPage(of: flow)
        #expect(pager.answer(for: profile) == true)
        #expect(pager.answer(for: news) == false)
        pager.leave()
        #expect(storage.commits.isEmpty && flow.records.isEmpty)
        #expect(pager.answer(for: profile) == nil && pager.answer(for: news) == nil)
        #expect(try storage.records().isEmpty && storage.inputs().isEmpty)
    }

    @Test("8. The finish writes everything in one transaction")
    func oneTransaction() throws {
        let flow = try aurora(storage)
        let pager = try lastPage(of: flow)
        let heard = try notifications(of: flow) { _ = try pager.complete() }
        #expect(pager.phase == .finished)
        #expect(heard == 1)
        #expect(storage.commits.count == 1)
        #expect(storage.commits.first?.map(\.step) == [welcome, profile, news, alerts])
        #expect([welcome, profile, news, alerts].map { flow.value(for: $0) } == [true, true, false, true])
        #expect(try storage.inputs() == [profile: ["name": .text("Ada")]])
    }

    @Test("8. An answer that is changed before the finish is written once, as it stands then")
    func changedAnswer() throws {
        let flow = try aurora(storage)
        let pager = try lastPage(of: flow)
        pager.back()
        pager.setValue(.toggle(true), for: "weekly")
        try pager.complete()
        pager.back()
        try pager.skip()
        try pager.jump(to: 1)
        pager.setValue(.text("Grace"), for: "name")
        try pager.finish()
        #expect(storage.commits.count == 1)
        #expect(storage.commits.first?.count == 4)
        #expect(flow.value(for: news) == false)
        #expect(try storage.inputs() == [profile: ["name": .text("Grace")]])
    }

    @Test("A finish that fails stays on the last page, can be tried again, and finishes once")
    func failingFinish() throws {
        let flow = try aurora(storage)
        let pager = try lastPage(of: flow)
        let events = Events(pager)
        storage.failCommits(broken)
        let heard = notifications(of: flow) {
            for _ in 0..<2 { #expect(throws: broken) { try pager.complete() } }
            #expect(throws: broken) { try pager.forward() }
        }
        #expect(heard == 0)
        #expect(pager.phase == .showing && pager.page?.step.id == alerts)
        #expect(events.finished == 0 && flow.records.isEmpty)
        storage.failCommits(nil)
        #expect(try pager.complete() == .finished)
        #expect(try pager.complete() == .stayed([]))
        #expect(events.finished == 1)
        #expect(storage.commits.count == 1)
    }

    @Test("A finish that fails can still be left without a trace, or answered otherwise")
    func failingThenChanged() throws {
        let flow = try aurora(storage)
        let pager = try lastPage(of: flow)
        storage.failCommits(broken)
        #expect(throws: broken) { try pager.complete() }
        storage.failCommits(nil)
        #expect(try pager.skip() == .finished)
        #expect(flow.value(for: alerts) == false)
    }

    @Test("A plan without pages whose finish fails can be started again")
    func failingStart() throws {
        let flow = try plain(1, storage)
        let pager = try OnboardingPager(flow: flow, commitMode: .onFinish, satisfied: [number(0): ""], content: bare)
        let events = Events(pager)
        storage.failCommits(broken)
        #expect(throws: broken) { try pager.start() }
        #expect(events.finished == 0 && pager.phase == .ready)
        storage.failCommits(nil)
        #expect(try pager.start() == .finished)
        #expect(events.finished == 1)
    }

    @Test("A reconcile's results are held like answers")
    func reconcileHeld() throws {
        let flow = try aurora(storage)
        let pager = try OnboardingPager(flow: flow, commitMode: .onFinish, satisfied: [news: "seen"], content: bare)
        #expect(pager.pages.map(\.step.id) == [welcome, profile, alerts])
        #expect(pager.answer(for: news) == true)
        #expect(flow.value(for: news) == nil)
        try pager.start()
        try pager.reconcile(satisfied: [alerts: "granted"])
        pager.leave()
        #expect(storage.commits.isEmpty)
    }

    @Test("What was only moved past yields to another process's answer at the finish; what the user answered doesn't")
    func answeredMeanwhile() throws {
        let flow = try plain(3, storage)
        let pager = try OnboardingPager(flow: flow, commitMode: .onFinish, content: bare)
        try pager.start()
        try pager.forward()
        try pager.skip()
        for index in 0..<2 { try storage.answerElsewhere(number(index), true) }
        #expect(try pager.complete() == .finished)
        #expect([0, 1, 2].map { flow.value(for: number($0)) } == [true, false, true])
        #expect(pager.answer(for: number(0)) == true)
        #expect(storage.commits.count == 1)
    }

    @Test("A held reconcile yields to another process's answer at the finish")
    func reconcileMeanwhile() throws {
        let flow = try plain(2, storage)
        let pager = try OnboardingPager(flow: flow, commitMode: .onFinish, satisfied: [number(0): ""], content: bare)
        try pager.start()
        storage.beforeNextCommit { _ = try $0.commit([elsewhere(number(0), false)]) }
        try pager.complete()
        #expect(flow.value(for: number(0)) == false)
        #expect(pager.answer(for: number(0)) == false)
    }
}
