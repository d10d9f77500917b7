import Foundation
import Testing

@Suite("Running at a terminal")
struct KeyboardTests {
    private static let app = "com.example.aurora"
    private static let choice = "Your choice [1]: "

    private func records(_ user: TestUser) throws -> [String: String] {
        guard user.hasSuite else { return [:] }
        let rows = try user.rows("SELECT step, value FROM records")
        return Dictionary(uniqueKeysWithValues: rows.map { (String($0[0].dropFirst(Self.app.count + 1)), $0[1]) })
    }

    @Test("the whole flow by keyboard: validation, another try, Skip, and the terminal as it was")
    func wholeFlow() throws {
        let user = try TestUser(.aurora())
        let terminal = try TerminalRun(user, "run", Self.app)
        try terminal.type("\n", after: Self.choice)
        try terminal.type("Al\n", after: "Answer: ")
        try terminal.type("Ada Lovelace\n", after: "Answer: ")
        try terminal.type("1\n", after: Self.choice)
        try terminal.type("17\n", after: "Answer [50]: ")
        try terminal.type("61\n", after: "Answer [50]: ")
        try terminal.type("next\n", after: Self.choice)
        try terminal.type("skip\n", after: Self.choice)
        try terminal.type("\n", after: Self.choice)
        #expect(try terminal.finish() == 0)
        #expect(terminal.shown.contains("Your name: Ada Lovelace\r\nage: 61\r\n"))
        #expect(terminal.shown.contains("3"), "the message says how many characters are accepted")
        #expect(terminal.shown.contains("Everything is saved."))
        #expect(!terminal.shown.contains("\u{1B}"))
        #expect(try records(user) == ["welcome": "1", "profile.name": "1", "profile.age": "1", "tips": "0"])
        let inputs = try #require(try user.json("profile", Self.app)["inputs"] as? [String: Any])
        #expect(inputs["name"] as? String == "Ada Lovelace" && inputs["age"] as? Int == 61)
        #expect(try user.doorstep("needs", Self.app).status == 1)
    }

    @Test("Back shows an earlier page with its answer, which can be changed there")
    func back() throws {
        let user = try TestUser(.aurora())
        let terminal = try TerminalRun(user, "run", Self.app)
        try terminal.type("\n", after: Self.choice)
        try terminal.type("Ada\n", after: "Answer: ")
        try terminal.type("1\n", after: Self.choice)
        try terminal.type(":back\n", after: "Answer [50]: ")
        try terminal.type("Grace\n", after: "Answer [Ada]: ")
        try terminal.type("1\n", after: Self.choice)
        try terminal.type(":skip\n", after: "Answer [50]: ")
        try terminal.type("\n", after: Self.choice)
        try terminal.type("\n", after: Self.choice)
        #expect(try terminal.finish() == 0)
        #expect(try records(user) == ["welcome": "1", "profile.name": "1", "profile.age": "0", "tips": "1"])
        #expect(try user.rows("SELECT key, value FROM inputs") == [["name", "Grace"]])
    }

    @Test("a page that must be answered offers no Skip")
    func notSkippable() throws {
        let user = try TestUser(.aurora())
        let terminal = try TerminalRun(user, "run", Self.app)
        try terminal.type("\n", after: Self.choice)
        try terminal.type(":skip\n", after: "Answer: ")
        try terminal.type("\n", after: "Answer: ")
        try terminal.type(":quit\n", after: "Answer: ")
        #expect(try terminal.finish() == 1)
        #expect(terminal.shown.contains("That isn’t possible on this page."))
        #expect(try records(user) == ["welcome": "1"])
    }

    @Test(
        "leaving keeps what was answered and exits with 1, whichever way",
        arguments: ["\u{3}", "\u{4}", ":quit\n", "Gr\u{3}"])
    func leaving(keys: String) throws {
        let user = try TestUser(.aurora())
        let terminal = try TerminalRun(user, "run", Self.app)
        try terminal.type("\n", after: Self.choice)
        try terminal.type(keys, after: "Answer: ")
        #expect(try terminal.finish() == 1)
        #expect(terminal.shown.contains("The pages answered so far are kept,"))
        #expect(try records(user) == ["welcome": "1"])
        #expect(try user.rows("SELECT count(*) FROM inputs") == [["0"]])
        #expect(try user.doorstep("needs", Self.app).status == 0)
    }

    @Test("leaving a flow that is written at its finish leaves no trace", arguments: ["\u{3}", "\u{4}", ":quit\n"])
    func leavingOnFinish(keys: String) throws {
        let user = try TestUser(.aurora(commit: "onFinish"))
        let terminal = try TerminalRun(user, "run", Self.app)
        try terminal.type("\n", after: Self.choice)
        try terminal.type("Ada\n", after: "Answer: ")
        try terminal.type("1\n", after: Self.choice)
        try terminal.type(keys, after: "Answer [50]: ")
        #expect(try terminal.finish() == 1)
        #expect(terminal.shown.contains("Nothing was saved."))
        #expect(!user.hasSuite)
    }

    @Test("a session that ends takes the showing with it and keeps what was answered", arguments: [SIGTERM, SIGHUP])
    func sessionEnds(number: Int32) throws {
        let user = try TestUser(.aurora())
        let terminal = try TerminalRun(user, "run", Self.app)
        try terminal.type("\n", after: Self.choice)
        try terminal.type("Gra", after: "Answer: ")
        terminal.signal(number)
        #expect(try terminal.finish() == 128 + number)
        #expect(try records(user) == ["welcome": "1"])
    }

    @Test("a flow that is written at its finish is written whole")
    func onFinish() throws {
        let user = try TestUser(.aurora(commit: "onFinish"))
        let terminal = try TerminalRun(user, "run", Self.app)
        try terminal.type("\n", after: Self.choice)
        try terminal.type("Ada\n", after: "Answer: ")
        try terminal.type("1\n", after: Self.choice)
        try terminal.type("\n", after: "Answer [50]: ")
        try terminal.type("\n", after: Self.choice)
        try terminal.wait(for: Self.choice)
        #expect(!user.hasSuite)
        try terminal.type("\n", after: Self.choice)
        try terminal.type("\n", after: Self.choice)
        #expect(try terminal.finish() == 0)
        #expect(try records(user) == ["welcome": "1", "profile.name": "1", "profile.age": "1", "tips": "1"])
    }

    @Test("signing out after the last page leaves a first launch; the exit says that there is onboarding to do")
    func signOut() throws {
        let user = try TestUser(.aurora())
        let terminal = try TerminalRun(user, "run", Self.app)
        try terminal.type("\n", after: Self.choice)
        try terminal.type("Ada\n", after: "Answer: ")
        try terminal.type("1\n", after: Self.choice)
        try terminal.type(":skip\n", after: "Answer [50]: ")
        try terminal.type("\n", after: Self.choice)
        try terminal.type("sign out\n", after: Self.choice)
        try terminal.type("2\n", after: Self.choice)
        #expect(try terminal.finish() == 1)
        #expect(terminal.shown.contains("Signed out. Nothing of it is kept."))
        #expect(try records(user) == [:])
        #expect(try user.rows("SELECT count(*) FROM inputs") == [["0"]])
    }

    @Test("a second showing passes over what another process answers meanwhile")
    func twoAtOnce() throws {
        let user = try TestUser(.aurora())
        let terminal = try TerminalRun(user, "run", Self.app)
        try terminal.wait(for: Self.choice)
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        try terminal.type("\n", after: Self.choice)
        try terminal.type("Ada\n", after: "Answer: ")
        try terminal.type("1\n", after: Self.choice)
        try terminal.type(":skip\n", after: "Answer [50]: ")
        try terminal.type("\n", after: Self.choice)
        #expect(try terminal.finish() == 0)
        #expect(!terminal.shown.contains("Tips"))
        // Moving past the last page must not turn the other process's answer into a skipped one.
        #expect(try user.rows("SELECT new FROM history WHERE step LIKE '%.tips'") == [["1"]])
    }

    @Test("a policy that comes while a page is shown counts from the next one on")
    func policyMeanwhile() throws {
        let user = try TestUser(.aurora())
        try user.write(#"{ "format": 1, "rules": [] }"#, to: "policy.d/10.json")
        let policy = ["DOORSTEP_POLICY_PATH": user.directory + "/policy.d"]
        let terminal = try TerminalRun(user, "run", Self.app, environment: policy.mapValues { $0 })
        try terminal.type("\n", after: Self.choice)
        try terminal.type("Ada\n", after: "Answer: ")
        try terminal.wait(for: Self.choice)
        try user.write(
            #"{ "format": 1, "rules": [ { "app": "\#(Self.app)", "step": "*.age", "lock": false } ] }"#,
            to: "policy.d/10.json")
        try terminal.type("1\n", after: Self.choice)
        try terminal.type("\n", after: Self.choice)
        try terminal.type("\n", after: Self.choice)
        #expect(try terminal.finish() == 0)
        #expect(!terminal.shown.contains("How old are you?") && terminal.shown.contains("Tips"))
        #expect(try records(user) == ["welcome": "1", "profile.name": "1", "tips": "1"])
    }

    @Test("a suite that gets locked while a page is shown ends the showing with 75, not with a lost answer")
    func lockedMidway() throws {
        let user = try TestUser(.aurora())
        let terminal = try TerminalRun(user, "run", Self.app)
        try terminal.type("\n", after: Self.choice)
        try terminal.wait(for: "Answer: ")
        let other = try TestDatabase(user.suite)
        try other.run("BEGIN IMMEDIATE")
        try terminal.type("Ada\n", after: "Answer: ")
        try terminal.type("1\n", after: Self.choice)
        #expect(try terminal.finish() == 75)
        #expect(terminal.shown.contains("error: suite"))
        try other.run("ROLLBACK")
        #expect(try records(user) == ["welcome": "1"])
    }
}
