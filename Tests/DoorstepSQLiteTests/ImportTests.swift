import Doorstep
import DoorstepSQLite
import Foundation
import Testing

@Suite struct `An import beside a history` {
    private let directory: TemporaryDirectory
    private let suite: OnboardingSuite

    init() throws {
        directory = try TemporaryDirectory()
        suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
    }

    /// Answers the aurora step with one value after the other; nil clears it.
    private func answer(_ values: [Bool?], in suite: OnboardingSuite) throws {
        for value in values {
            let action: OnboardingChange.Action = value.map { .record($0, revision: 1) } ?? .clear
            _ = try suite.storage(for: aurora).commit([
                OnboardingChange(step: auroraStep, action: action, condition: .always, origin: .user)
            ])
        }
    }

    private func record(in suite: OnboardingSuite) throws -> OnboardingRecord? {
        try suite.storage(for: aurora).records()[auroraStep]
    }

    /// What an export of a suite brings to another one, or to itself later.
    private func restoration(
        of history: [OnboardingEvent], _ record: OnboardingRecord?, beside suite: OnboardingSuite
    ) throws -> SuiteRestoration {
        let restoration = try SuiteRestoration(beside: suite)
        try restoration.add(PrefixOwner(app: aurora.app, prefix: auroraPrefix))
        if let record {
            try restoration.add(StoredRecord(prefix: auroraPrefix, step: auroraStep, record: record), line: 1)
        }
        for (place, event) in history.enumerated() { try restoration.add(event, line: place + 2) }
        _ = try restoration.finish(limit: 1)
        return restoration
    }

    private static let courses: [[Bool?]] = [
        [], [true], [false], [true, nil], [false, true], [true, false, true], [true, nil, true],
    ]

    @Test(arguments: courses, courses)
    func `Leaves what the newest event of a step says equal to its record`(exported: [Bool?], own: [Bool?]) throws {
        for keep in SuiteRestoration.Keep.allCases {
            for isSame in [false, true] {
                let directory = try TemporaryDirectory()
                let source = try OnboardingSuite.open(at: directory.path + "/source.db")
                let target = isSame ? source : try OnboardingSuite.open(at: directory.path + "/target.db")
                try answer(exported, in: source)
                let (history, record) = (try source.history(), try record(in: source))
                try answer(own, in: target)
                for _ in 1...2 {
                    _ = try target.restore(
                        restoration(of: history, record, beside: target), keep: keep, lists: false)
                    let newest = try target.history(limit: 1).first
                    #expect(try newest?.new == self.record(in: target)?.value, "\(keep) \(isSame)")
                }
                // The second import has changed nothing.
                let events = try target.history().count
                _ = try target.restore(restoration(of: history, record, beside: target), keep: keep, lists: false)
                #expect(try target.history().count == events, "\(keep) \(isSame)")
            }
        }
    }

    @Test func `Writes a row for a record whose last event the suite has already`() throws {
        try answer([true], in: suite)
        let (history, record) = (try suite.history(), try record(in: suite))
        try answer([nil], in: suite)
        let difference = try suite.restore(
            restoration(of: history, record, beside: suite), keep: .newest, lists: false)
        #expect(difference.changed == 1 && difference.events == 0)
        let newest = try #require(try suite.history().first)
        #expect(newest.old == nil && newest.new == true && newest.origin == .import)
        #expect(try suite.history().map(\.new) == [true, nil, true])
    }

    @Test func `Writes no row for a record whose newest event comes with it, in whatever order`() throws {
        let other = try OnboardingSuite.open(at: directory.path + "/other.db")
        try answer([true, false, true], in: other)
        let (history, record) = (try other.history(), try record(in: other))
        for (name, lines) in [("new.db", history), ("old.db", history.reversed())] {
            let empty = try OnboardingSuite.open(at: directory.path + "/" + name)
            _ = try empty.restore(restoration(of: lines, record, beside: empty), keep: .newest, lists: false)
            #expect(try empty.history() == history)
        }
    }

    @Test func `Gives events whose places are taken the next ones, in their order`() throws {
        let other = try OnboardingSuite.open(at: directory.path + "/other.db")
        try answer([true, false, true], in: other)
        try answer([false], in: suite)
        _ = try suite.restore(
            restoration(of: try other.history(), try record(in: other), beside: suite), keep: .imported, lists: false)
        #expect(try suite.history().map(\.new) == [true, false, true, false])
        #expect(try suite.history().map(\.sequence) == [4, 3, 2, 1])
    }

    @Test func `Keeps the order of events of which only some find their places taken`() throws {
        let other = try OnboardingSuite.open(at: directory.path + "/other.db")
        try answer([true, false], in: other)
        var history = try other.history()
        let record = try record(in: other)
        // Newest first: the suite has the places 2 and 5, and the import wants 2 and 3.
        (history[0].sequence, history[1].sequence) = (5, 2)
        for place in history.indices { history[place].step = "com.example.aurora.other" }
        _ = try suite.restore(restoration(of: history, nil, beside: suite), keep: .imported, lists: false)
        // A step without a record is told as one, behind them.
        #expect(try suite.history().map(\.sequence) == [6, 5, 2])
        history = try other.history()
        (history[0].sequence, history[1].sequence) = (3, 2)
        let difference = try suite.restore(
            restoration(of: history, record, beside: suite), keep: .imported, lists: false)
        #expect(difference.changed == 1 && difference.events == 2)
        let ours = try suite.history().filter { $0.step == auroraStep }
        #expect(ours.map(\.new) == [false, true] && ours.map(\.sequence) == [8, 7])
    }

    @Test(arguments: [Int64.max, Int64.max - 1])
    func `Is refused where the history has no places left, and so is a record`(last: Int64) throws {
        try answer([true], in: suite)
        let (history, record) = (try suite.history(), try record(in: suite))
        try suite.close()
        let copy = """
            INSERT INTO history SELECT \(last), at, prefix, app, step, old, 0, revision, origin, evidence, uid, program
            FROM history
            """
        #expect(try RawDatabase(suite.path).run(copy) == 0)
        var event = history[0]
        event.at = OnboardingInstant(milliseconds: 1)
        var others = [event, event]
        others[1].at = OnboardingInstant(milliseconds: 2)
        others[1].sequence = 2
        let before = try suite.history()
        if last == .max {
            let error = failure {
                _ = try suite.restore(restoration(of: others, record, beside: suite), keep: .newest, lists: false)
            }
            #expect(error?.code == .damaged)
            #expect(error?.message.contains("doctor --repair") == true, "\(error?.message ?? "")")
            #expect(try suite.history() == before)
        } else {
            try answer([false], in: suite)
        }
        let error = failure { try answer([true], in: suite) }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("numbered up to the greatest of all numbers") == true)
        try suite.close()
        let check = try #require(SuiteDoctor(suite.path).examine().first { $0.name == "numbering" })
        #expect(check.fault == "history is numbered up to \(Int64.max), beyond \(OnboardingEvent.largestSequence)")
        // What is recovered goes on from the last event that can be.
        let path = directory.path + "/recovered.db"
        _ = try SuiteDoctor(suite.path).repair(into: path)
        let recovered = try OnboardingSuite.open(at: path)
        try answer([false], in: recovered)
        #expect(try recovered.history().map(\.sequence) == [2, 1])
        #expect(SuiteDoctor(path).examine().first { $0.name == "numbering" }?.fault == nil)
    }

    @Test func `Of inputs without their record gives way to what the suite has of the step`() throws {
        func restore(_ keep: SuiteRestoration.Keep, beside suite: OnboardingSuite) throws -> Int {
            let restoration = try SuiteRestoration(beside: suite)
            _ = try restoration.add(
                StoredInput(prefix: auroraPrefix, step: auroraStep, key: "name", value: .text("Ada")))
            _ = try restoration.finish(limit: 1)
            return try suite.restore(restoration, keep: keep, lists: false).inputs
        }
        let storage = try suite.storage(for: aurora)
        _ = try storage.commit([DoorstepSQLiteTests.answer(inputs: ["name": .text("Grace")])])
        for keep in [SuiteRestoration.Keep.newest, .existing] {
            #expect(try restore(keep, beside: suite) == 0)
            #expect(try storage.inputs()[auroraStep] == ["name": .text("Grace")])
        }
        #expect(try restore(.imported, beside: suite) == 1)
        #expect(try storage.inputs()[auroraStep] == ["name": .text("Ada")])
        // The record says that there were none.
        _ = try storage.commit([DoorstepSQLiteTests.answer(inputs: [:])])
        #expect(try restore(.newest, beside: suite) == 0)
        let empty = try OnboardingSuite.open(at: directory.path + "/empty.db")
        #expect(try restore(.newest, beside: empty) == 1)
    }
}
