import Foundation
import Testing

@Suite("Progress")
struct ProgressTests {
    private static let app = "com.example.aurora"

    /// A user whose suite somebody else holds, so that every command that reads it waits.
    private func waitingUser() throws -> (user: TestUser, holder: TestDatabase) {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        try user.write(try user.succeed("export").output, to: "export.jsonl")
        let holder = try TestDatabase(user.suite)
        try holder.run("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM inputs")
        return (user, holder)
    }

    /// Each command that can take long, with the name that its line begins with.
    private static let slow: [(name: String, arguments: [String])] = [
        ("export", []), ("report", ["-o", "report.html"]), ("backup", ["copy.db"]), ("erase", [app]),
        ("history prune", ["--before", "1d"]), ("history", []), ("import", ["export.jsonl"]), ("reconcile", ["--all"]),
        ("plan", [app]), ("status", []), ("sign-out", [app]), ("policy", []),
    ]

    @Test("a command that waits says so on a terminal, and takes the line away again", arguments: slow.indices)
    func waits(place: Int) throws {
        let (name, arguments) = Self.slow[place]
        var (user, holder): (TestUser, TestDatabase?) = try waitingUser()
        let run = try TerminalRun(user, name.split(separator: " ").map(String.init) + arguments)
        try run.waitToShow("\rdoorstep \(name): ")
        try holder?.run("ROLLBACK")
        holder = nil
        #expect(try run.finish() == 0, "\(run.shown)")
        try expectTakenAway(name, run.shown)
    }

    /// What was shown last of the line is that it went, and before a result was printed.
    private func expectTakenAway(_ name: String, _ shown: String) throws {
        let last = try #require(shown.range(of: "\rdoorstep \(name): ", options: .backwards))
        let rest = shown[last.upperBound...]
        let end = try #require(rest.range(of: "\u{1B}[K"))
        #expect(rest[end.upperBound...].hasPrefix("\r\u{1B}[K"), "\(shown)")
    }

    @Test("doctor and audit say so too, and how many suites are done")
    func counted() throws {
        let (user, holder) = try waitingUser()
        let doctor = try TerminalRun(user, "doctor")
        try doctor.waitToShow("\rdoorstep doctor: ")
        #expect(try doctor.finish() == 1)
        try expectTakenAway("doctor", doctor.shown)
        let audit = try TerminalRun(user, ["audit"] + (0..<3).flatMap { _ in ["--suite", user.suite] })
        try audit.waitToShow("of 3 suites, ")
        #expect(try audit.finish() == 1)
        try expectTakenAway("audit", audit.shown)
        #expect(audit.shown.contains("0 apps, 0 steps"))
        try holder.run("ROLLBACK")
    }

    @Test("an import that waits for its file says so")
    func standardInput() throws {
        let user = try TestUser(.aurora())
        let pipe = user.directory + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let run = try TerminalRun(user, "import", pipe)
        try run.waitToShow("\rdoorstep import: ")
        try "{\"doorstep\":\"export\",\"format\":1}\n".write(toFile: pipe, atomically: false, encoding: .utf8)
        #expect(try run.finish() == 0, "\(run.shown)")
        try expectTakenAway("import", run.shown)
    }

    @Test("where standard error is no terminal nothing is said, however long it takes")
    func noTerminal() throws {
        let (user, holder) = try waitingUser()
        for command in [["export"], ["record", Self.app, "\(Self.app).tips", "false"]] {
            let result = try user.doorstep(command)
            #expect(result.status == 75 && result.errors.contains("held it for 5."), "\(result.testDescription)")
            #expect(result.errorLines.count == 1 && !result.errors.contains("\r") && result.output.isEmpty)
        }
        try holder.run("ROLLBACK")
    }

    @Test("neither a terminal that can't erase a line nor the gate shows one")
    func quiet() throws {
        let (user, holder) = try waitingUser()
        let dumb = try TerminalRun(user, "status", environment: ["TERM": "dumb"])
        #expect(try dumb.finish() == 75 && !dumb.shown.contains("doorstep status"), "\(dumb.shown)")
        let gate = try TerminalRun(user, "needs", Self.app)
        #expect(try gate.finish() == 75 && !gate.shown.contains("doorstep needs"), "\(gate.shown)")
        try holder.run("ROLLBACK")
    }
}
