import Doorstep
import DoorstepSQLite
import Foundation
import Testing

@Suite struct `A mark of a suite` {
    private let directory: TemporaryDirectory
    private let suite: OnboardingSuite
    private let storage: any OnboardingStorage

    init() throws {
        directory = try TemporaryDirectory()
        suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
        storage = try suite.storage(for: aurora)
    }

    /// The mark of a suite that has been written.
    private func mark() throws -> OnboardingStorageMark {
        try #require(try storage.mark())
    }

    @Test func `is none without a file, and makes none`() throws {
        #expect(try storage.mark() == nil)
        #expect(try directory.names == [])
    }

    @Test func `stays while nobody writes, and while page events are written`() throws {
        _ = try storage.commit([answer()])
        let before = try mark()
        _ = try storage.records()
        try suite.append([
            OnboardingPageEvent(prefix: auroraPrefix, app: aurora.app, step: auroraStep, kind: .shown, showing: "one")
        ])
        #expect(try mark() == before)
    }

    @Test func `counts what its own suite commits, whoever asked for it`() throws {
        _ = try storage.commit([answer()])
        let before = try mark()
        _ = try storage.commit([answer(auroraStep, false)])
        #expect(try mark() == OnboardingStorageMark(state: before.state, commits: before.commits + 1))
        _ = try suite.storage(for: aurora).commit([answer()])
        _ = try suite.storage(prefix: "com.example.lantern.").commit([answer("com.example.lantern.terms")])
        #expect(try mark().commits == before.commits + 3)
    }

    @Test func `is another after a commit of anybody else, and after another file has taken its place`() throws {
        _ = try storage.commit([answer()])
        let before = try mark()
        let other = try OnboardingSuite.open(at: suite.path)
        _ = try other.storage(for: aurora).commit([answer(auroraStep, false)])
        let after = try mark()
        #expect(after.state != before.state)
        let copy = try OnboardingSuite.open(at: directory.path + "/other.db")
        _ = try copy.storage(for: aurora).commit([answer()])
        try copy.close()
        try other.close()
        #expect(rename(directory.path + "/other.db", suite.path) == 0)
        #expect(try mark().state != after.state)
    }

    @Test func `lets a flow pass over what it knows, and see what it doesn't`() throws {
        let flow = try OnboardingFlow(steps: aurora.steps, storage: storage)
        try flow.record(true, for: auroraStep)
        let other = try OnboardingFlow(
            steps: aurora.steps, storage: OnboardingSuite.open(at: suite.path).storage(for: aurora))
        for value in [true, false, true] {
            try flow.refresh()
            try other.record(value, for: "com.example.aurora.reqs.location")
            try flow.record(value, for: auroraStep)
            try flow.refresh()
            #expect(flow.value(for: "com.example.aurora.reqs.location") == value)
            try other.clear("com.example.aurora.reqs.location")
            try flow.refresh()
            #expect(flow.value(for: "com.example.aurora.reqs.location") == nil)
        }
    }
}
