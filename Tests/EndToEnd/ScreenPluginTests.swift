import DoorstepJSON
import Foundation
import Testing

/// A plugin in another language, through the presenters at a real terminal.
@Suite("A plugin's page at a terminal")
struct ScreenPluginTests {
    private static let app = "com.example.outer"
    private static let step = "com.example.outer.gate"

    /// A flow of the gate's page and one to read.
    private func user(skippable: Bool = true, gateIsLast: Bool = false) throws -> (TestUser, GatePlugin) {
        let user = try TestUser()
        let gate = try GatePlugin(for: user)
        var steps = [
            gate.step(Self.step, skippable: skippable), TestManifest.info("\(Self.app).tips", title: ["en": "Tips"]),
        ]
        if gateIsLast { steps.reverse() }
        try user.drop(TestManifest(Self.app, steps: steps))
        return (user, gate)
    }

    private func records(_ user: TestUser) throws -> [[String]] {
        try user.rows("SELECT substr(step, 19), value, origin FROM records ORDER BY step")
    }

    @Test("its action is done from a whole screen, and the page goes on")
    func onScreen() throws {
        let (user, _) = try user()
        let terminal = try TmuxRun(user, "doorstep run \(Self.app)")
        try terminal.wait(for: "[ Open It ]")
        #expect(try terminal.screen().contains("Status: closed"))
        try terminal.press("Enter")
        try terminal.wait(for: "[ Finish ]")
        #expect(try records(user) == [["gate", "1", "reconcile"]])
        try terminal.press("Enter")
        #expect(try terminal.finish() == 0)
        #expect(try records(user) == [["gate", "1", "reconcile"], ["tips", "1", "user"]])
    }

    @Test("its action is done line by line, and the page goes on")
    func lineByLine() throws {
        let (user, _) = try user()
        let terminal = try TerminalRun(user, "run", Self.app)
        try terminal.wait(for: "Your choice [1]: ")
        #expect(terminal.shown.contains("1) Open It") && terminal.shown.contains("Status: closed"))
        try terminal.type("open it\n", after: "Your choice [1]: ")
        try terminal.type("\n", after: "Your choice [1]: ")
        #expect(try terminal.finish() == 0)
        #expect(terminal.shown.contains("Tips"))
        #expect(try records(user) == [["gate", "1", "reconcile"], ["tips", "1", "user"]])
    }

    @Test("what it refuses is told, and its crash costs only its own page", arguments: ["refuse", "crash"])
    func trouble(trouble: String) throws {
        let (user, gate) = try user()
        let terminal = try TmuxRun(user, "doorstep run \(Self.app)")
        try terminal.wait(for: "[ Open It ]")
        try gate.expect(trouble)
        try terminal.press("Enter")
        try terminal.wait(for: trouble == "refuse" ? "! The gate is stuck." : "! the plugin \"gate\" can't tell:")
        try terminal.wait(for: "[ Open It ]")
        #expect(try !user.hasSuite || records(user).isEmpty)
        try terminal.press("Enter")
        try terminal.wait(for: "[ Finish ]")
        try terminal.press("Enter")
        #expect(try terminal.finish() == 0)
    }

    @Test("a crash before the user leaves gives the terminal back all the same", arguments: ["C-c", "TERM"])
    func leavingAfterCrash(how: String) throws {
        let (user, gate) = try user()
        let terminal = try TmuxRun(
            user, "(echo $BASHPID > pid; exec '\(CommandRunner.doorstep)' run \(Self.app))")
        try terminal.wait(for: "[ Open It ]")
        try gate.expect("crash")
        try terminal.press("Enter")
        try terminal.wait(for: "! the plugin \"gate\" can't tell:")
        if how == "TERM" { try terminal.signal(how) } else { try terminal.press(how) }
        #expect(try terminal.finish() == (how == "TERM" ? 143 : 1))
    }

    @Test("fg after Ctrl-Z looks again, and a step that became satisfied goes on; the terminal is as it was")
    func resuming() throws {
        let (user, gate) = try user()
        let terminal = try TmuxRun(user, "run \(Self.app)", isInteractive: true)
        try terminal.wait(for: "[ Open It ]")
        try terminal.press("C-z")
        try terminal.wait(for: "Stopped")
        #expect(try terminal.settings() == terminal.settingsBefore)
        try gate.open()
        try terminal.type("fg", "Enter")
        try terminal.wait(for: "[ Finish ]")
        #expect(try records(user) == [["gate", "1", "reconcile"]])
        try terminal.press("Enter")
        #expect(try terminal.settings() == terminal.settingsBefore)
        #expect(try terminal.value("alternate_on") == "0")
    }

    @Test("going on without it from the last page is told apart from an answer, and finishes")
    func lastPage() throws {
        let (user, _) = try user(skippable: false, gateIsLast: true)
        let terminal = try TmuxRun(user, "doorstep run \(Self.app)")
        try terminal.wait(for: "Tips")
        try terminal.press("Enter")
        try terminal.wait(for: "[ Open It ]")
        #expect(!(try terminal.screen()).contains("Skip"))
        try terminal.press("Tab", "Enter")
        #expect(try terminal.finish() == 0)
        #expect(try records(user) == [["gate", "1", "leaving"], ["tips", "1", "user"]])
        #expect(try user.doorstep("needs", Self.app).status == 1)
    }
}
