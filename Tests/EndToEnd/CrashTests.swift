import Foundation
import Testing

@Suite("Many processes and sudden ends")
struct CrashTests {
    private static let app = "com.example.aurora"

    @Test("twenty processes at once create one suite and lose nothing")
    func manyAtOnce() throws {
        let user = try TestUser()
        let apps = (1...20).map { "com.example.app\($0)" }
        for app in apps { try user.drop(TestManifest(app, steps: [TestManifest.info("tips")])) }
        let results = ResultList(count: apps.count)
        DispatchQueue.concurrentPerform(iterations: apps.count) { place in
            results.keep(Result { try user.doorstep("record", apps[place], "tips", "true") }, at: place)
        }
        for result in results.all {
            let result = try #require(result).get()
            #expect(result.status == 0, "\(result.testDescription)")
        }
        #expect(try user.rows("SELECT count(*), sum(value) FROM records") == [["20", "20"]])
        #expect(try user.rows("SELECT count(*), count(DISTINCT app) FROM history") == [["20", "20"]])
        #expect(try user.rows("PRAGMA integrity_check") == [["ok"]])
        #expect(try user.namesBesideSuite == ["registry", "suite.db"])
        for app in apps { #expect(try user.doorstep("needs", app).status == 1) }
    }

    @Test("an answer that was reported as recorded survives kill -9", arguments: [false, true])
    func killAfterReport(isFirstWrite: Bool) throws {
        let user = try TestUser(.aurora())
        for round in 0..<25 {
            if isFirstWrite { try? FileManager.default.removeItem(atPath: user.suite) }
            let answer = round.isMultiple(of: 2) ? "true" : "false"
            var command = try CommandRunner.Running(
                [CommandRunner.doorstep, "record", Self.app, "\(Self.app).tips", answer],
                environment: user.environment, directory: user.directory, output: nil)
            try command.waitForOutput("recorded")
            command.process.signal(SIGKILL)
            _ = try command.finish()
            #expect(try user.doorstep("value", Self.app, "\(Self.app).tips").output == answer + "\n")
        }
        #expect(try user.rows("PRAGMA integrity_check") == [["ok"]])
    }

    @Test("processes that are killed at any moment leave a sound suite and no half answer")
    func killAnywhere() throws {
        let user = try TestUser(.aurora())
        for round in 0..<40 {
            let command = try CommandRunner.Running(
                [CommandRunner.doorstep, "record", Self.app, "\(Self.app).tips", "true"],
                environment: user.environment, directory: user.directory, output: nil)
            // From a process that has hardly begun to one that is done.
            usleep(UInt32(round) * 700)
            command.process.signal(SIGKILL)
            _ = try command.finish()
            let value = try user.doorstep("value", Self.app, "\(Self.app).tips")
            #expect(value.status == 0 && ["true\n", "unrecorded\n"].contains(value.output), "\(value.testDescription)")
        }
        try user.succeed("record", Self.app, "\(Self.app).tips", "false")
        #expect(try user.rows("PRAGMA integrity_check") == [["ok"]])
        let counts = "SELECT (SELECT count(*) FROM records), (SELECT count(DISTINCT step) FROM history)"
        #expect(try user.rows(counts) == [["1", "1"]])
        // Whoever creates a suite to the end sweeps away what killed processes left.
        try FileManager.default.removeItem(atPath: user.suite)
        try user.succeed("record", Self.app, "\(Self.app).tips", "false")
        #expect(try user.namesBesideSuite.filter { $0.contains(".new-") } == [])
    }

    @Test("a power cut in the middle of a showing keeps exactly what was answered")
    func powerCut() throws {
        let user = try TestUser(.aurora())
        let terminal = try TerminalRun(user, "run", Self.app)
        try terminal.type("\n", after: "Your choice [1]: ")
        try terminal.type("Ada\n", after: "Answer: ")
        try terminal.type("1\n", after: "Your choice [1]: ")
        try terminal.type("61\n", after: "Answer [50]: ")
        // The age is typed, but its step isn't answered.
        try terminal.wait(for: "Your choice [1]: ")
        terminal.cutPower()
        #expect(
            try user.rows("SELECT step, value FROM records ORDER BY step") == [
                ["com.example.aurora.profile.name", "1"], ["com.example.aurora.welcome", "1"],
            ])
        #expect(try user.rows("SELECT key, value FROM inputs") == [["name", "Ada"]])
        #expect(try user.doorstep("needs", Self.app).status == 0)
        // The next showing starts at the first page still needed.
        let next = try TerminalRun(user, "run", Self.app)
        try next.type("\n", after: "Answer [50]: ")
        #expect(next.shown.contains("1 of 2"))
    }

    @Test("a power cut leaves no trace of a flow that is written when it is finished")
    func powerCutOnFinish() throws {
        let user = try TestUser(.aurora(commit: "onFinish"))
        let terminal = try TerminalRun(user, "run", Self.app)
        try terminal.type("\n", after: "Your choice [1]: ")
        try terminal.type("Ada\n", after: "Answer: ")
        try terminal.type("1\n", after: "Your choice [1]: ")
        try terminal.wait(for: "Answer [50]: ")
        terminal.cutPower()
        #expect(!user.hasSuite)
    }
}

/// Results that threads leave, each in its own place.
private final class ResultList: @unchecked Sendable {
    // Every access holds the lock.
    private let lock = NSLock()
    private var results: [Result<CommandResult, any Error>?]

    init(count: Int) {
        results = Array(repeating: nil, count: count)
    }

    var all: [Result<CommandResult, any Error>?] { lock.withLock { results } }

    func keep(_ result: Result<CommandResult, any Error>, at place: Int) {
        lock.withLock { results[place] = result }
    }
}
