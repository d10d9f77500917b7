import Doorstep
import Testing

@Suite struct `What a move costs` {
    private func showing(
        _ count: Int, _ mode: OnboardingCommitMode = .eachStep
    ) throws -> (OnboardingPager, CountingStorage) {
        let storage = CountingStorage(hasMarks: true)
        let steps = (0..<count).map { OnboardingStepConfig(id: OnboardingStepID("a.\($0)")) }
        let flow = try OnboardingFlow(steps: steps, storage: storage)
        return (try OnboardingPager(flow: flow, commitMode: mode) { _ in StepPage(title: "") }, storage)
    }

    @Test(arguments: [OnboardingCommitMode.eachStep, .onFinish])
    func `a thousand pages are gone through with one look at the records more than making the flow`(
        mode: OnboardingCommitMode
    ) throws {
        let (pager, storage) = try showing(1000, mode)
        try pager.start()
        for page in 0..<1000 {
            switch page % 3 {
            case 0: try pager.complete()
            case 1: try pager.skip()
            default: try pager.forward()
            }
        }
        #expect(pager.phase == .finished)
        #expect(storage.reads == 2)
        #expect(storage.commits.count == (mode == .eachStep ? 1000 : 1))
        #expect(try storage.inner.records() == pager.flow.records)
    }

    @Test func `what another process answers is seen by the next move, for one look more`() throws {
        let (pager, storage) = try showing(10)
        try pager.start()
        try pager.complete()
        let reads = storage.reads
        try storage.answerElsewhere("a.2", true)
        try pager.complete()
        #expect(pager.position == 3)
        #expect(storage.reads == reads + 1)
    }

    @Test func `what comes between a look and the commit is seen by the move after it`() throws {
        let (pager, storage) = try showing(10)
        try pager.start()
        storage.beforeNextCommit { _ = try $0.commit([elsewhere("a.2", true)]) }
        try pager.complete()
        #expect(pager.position == 1)
        try pager.complete()
        #expect(pager.position == 3)
    }

    @Test func `a failed commit changes nothing, and the next look is a whole one`() throws {
        let (pager, storage) = try showing(10)
        try pager.start()
        storage.failCommits(broken)
        #expect(throws: OnboardingStorageError.self) { try pager.complete() }
        storage.failCommits(nil)
        try storage.answerElsewhere("a.0", false)
        try pager.forward()
        #expect(pager.position == 1 && pager.flow.value(for: "a.0") == false)
    }
}
