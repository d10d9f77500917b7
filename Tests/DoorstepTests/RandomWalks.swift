import DoorstepTestSupport
import Doorstep
import Testing

/// One random showing of one random flow, with the expectations that hold on any.
struct Walk {
    var random: SeededGenerator
    let storage: CountingStorage
    let flow: OnboardingFlow
    let pager: OnboardingPager
    let before: [OnboardingStepID: OnboardingRecord]
    let events: Events
    /// The steps whose page the user acted on.
    var touched: Set<OnboardingStepID> = []
    /// The steps that another process answered while the showing was open.
    var foreign: Set<OnboardingStepID> = []
    var actions = 0

    init(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        storage = CountingStorage(hasMarks: seed.isMultiple(of: 2))
        let steps = (0..<Int.random(in: 0...6, using: &random)).map {
            OnboardingStepConfig(
                id: number($0), isRequired: .random(using: &random), isSkippable: .random(using: &random),
                revision: .random(in: 1...2, using: &random))
        }
        for step in steps where Int.random(in: 0..<4, using: &random) == 0 {
            try storage.answerElsewhere(step.id, .random(using: &random), revision: .random(in: 1...2, using: &random))
        }
        flow = try OnboardingFlow(
            welcome: .random(using: &random) ? welcome : nil, steps: steps, storage: storage)
        before = flow.records
        let withFields = Set(steps.map(\.id).filter { _ in .random(using: &random) })
        pager = try OnboardingPager(
            flow: flow, selection: Int.random(in: 0..<4, using: &random) == 0 ? .unmetRequired : .needed,
            commitMode: .random(using: &random) ? .eachStep : .onFinish
        ) { StepPage(title: "", fields: withFields.contains($0.id) ? [nameField] : []) }
        events = Events(pager)
        self.random = random
    }

    mutating func run() throws {
        try pager.start()
        for _ in 0..<30 where pager.phase == .showing {
            try act()
            actions += 1
            expectBounds()
        }
        if pager.phase == .showing, .random(using: &random) { pager.leave() }
        while pager.phase == .showing {
            // Whatever page keeps the showing has a name to be filled in.
            if try pager.finish() != .finished {
                mark()
                pager.setValue(.text("Ada"), for: "name")
            }
        }
        expectBounds()
        try flow.refresh()
        expectEnd()
    }

    private mutating func mark() {
        if let page = pager.page { touched.insert(page.step.id) }
    }

    private mutating func act() throws {
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: try pager.forward()
        case 2: pager.back()
        case 3: try pager.jump(to: .random(in: -1...pager.pages.count, using: &random))
        case 4:
            mark()
            try pager.skip()
        case 5:
            mark()
            try pager.complete()
        case 6:
            mark()
            let texts: [OnboardingInputValue?] = [nil, .text(""), .text("A"), .text("Ada"), .text(" Grace ")]
            pager.setValue(texts.randomElement(using: &random) ?? nil, for: "name")
        case 7:
            guard let id = flow.steps.randomElement(using: &random)?.id else { return }
            foreign.insert(id)
            try storage.answerElsewhere(id, .random(using: &random), revision: 2)
        default: try failing()
        }
    }

    /// A move while nothing can be written changes nothing.
    private mutating func failing() throws {
        try flow.refresh()
        let (records, position) = (flow.records, pager.position)
        storage.failCommits(broken)
        do throws(OnboardingStorageError) {
            _ = try pager.forward()
        } catch {
            #expect(error == broken)
            #expect(pager.position == position && pager.phase == .showing)
        }
        storage.failCommits(nil)
        #expect(flow.records == records)
    }

    private func expectBounds() {
        if pager.commitMode == .onFinish {
            #expect(storage.commits.isEmpty || (storage.commits.count == 1 && pager.phase == .finished))
        }
        // An action writes each page at most once, a backfill happens once a page.
        #expect(storage.commits.count <= pager.pages.count + actions * 2 + pager.pages.count)
        #expect(storage.commits.allSatisfy { !$0.isEmpty })
        if pager.phase == .showing { #expect(pager.pages.indices.contains(pager.position)) }
    }

    private func expectEnd() {
        let shown = Set(pager.pages.map(\.step.id))
        for (id, record) in flow.records {
            if record == before[id] { continue }
            if foreign.contains(id), !touched.contains(id) {
                #expect(record.origin == .admin, "another process's answer is kept")
                continue
            }
            if foreign.contains(id) { continue }
            let old = before[id].flatMap { $0.revision >= (flow.config(for: id)?.revision ?? 1) ? $0 : nil }
            #expect(shown.contains(id), "only captured pages are recorded")
            #expect(old == nil || touched.contains(id), "only the user changes an answer")
            if record.origin == .leaving, let step = flow.config(for: id) { #expect(record.value == !step.isSkippable) }
        }
        #expect(Set(before.keys).isSubset(of: flow.records.keys))
        #expect(events.finished == (pager.phase == .finished ? 1 : 0))
        if pager.phase == .finished {
            for page in pager.pages { #expect(flow.value(for: page.step.id) != nil, "\(page.step.id) is answered") }
        }
        #expect((try? storage.inner.records()) == flow.records)
    }
}

@Suite("Random walks")
struct RandomWalks {
    @Test("Whatever a user does, answers change on their own page alone, and a finished flow never asks again")
    func walks() throws {
        for seed in 1...2_000 as ClosedRange<UInt64> {
            var walk = try Walk(seed: seed)
            try walk.run()
        }
    }

    @Test("Going back and forth over answered pages writes nothing, however often", arguments: 1...20)
    func backAndForth(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let storage = CountingStorage()
        let pager = try OnboardingPager(flow: plain(8, storage), content: bare)
        try pager.start()
        try pager.jump(to: 7)
        for _ in 0..<100 { try pager.jump(to: .random(in: 0..<8, using: &random)) }
        #expect(storage.commits.count == 7)
    }
}
