import Foundation
import Testing

@Suite("What is said at the end of a run")
struct LastWordTests {
    private static let app = "com.example.aurora"
    private static let run = "doorstep run com.example.aurora"

    @Test("a whole screen that is left says on the ordinary one what became of the answers")
    func left() throws {
        for (commit, sentence) in [
            ("onFinish", "Left before the end. Nothing was saved."),
            ("eachStep", "Left before the end. The pages answered so far are kept, what was typed on this"),
        ] {
            let terminal = try TmuxRun(try TestUser(.aurora(commit: commit)), Self.run)
            try terminal.wait(for: "[ ")
            try terminal.press("Enter")
            try terminal.wait(for: "›")
            try terminal.press("C-c")
            #expect(try terminal.finish() == 1)
            try terminal.wait(for: sentence)
            #expect(try terminal.value("alternate_on") == "0")
        }
    }

    @Test("a whole screen that came to its last page says so too")
    func finished() throws {
        let user = try TestUser(TestManifest(Self.app, steps: [TestManifest.info("\(Self.app).tips")]))
        let terminal = try TmuxRun(user, Self.run)
        try terminal.wait(for: "[ ")
        try terminal.press("Enter")
        #expect(try terminal.finish() == 0)
        try terminal.wait(for: "That was the last page. Everything is saved.")
    }

    @Test("what an earlier run stored is shown after the last page as well", arguments: ["plain", "terminal"])
    func resumed(interface: String) throws {
        let user = try TestUser(.aurora())
        try user.write("{ \"\(Self.app).profile.name\": { \"name\": \"Ada\" } }", to: "answers.json")
        try user.succeed("run", Self.app, "--answers", "answers.json")
        try user.succeed("clear", Self.app, "\(Self.app).tips")
        if interface == "plain" {
            let terminal = try TerminalRun(user, "run", Self.app, "--ui", "plain")
            try terminal.type("\n", after: "[1]: ")
            try terminal.type("2\n", after: "[1]: ")
            try terminal.type("q\n", after: "[1]: ")
            #expect(try terminal.finish() == 0)
            #expect(terminal.shown.contains("Your name: Ada"), "\(terminal.shown)")
        } else {
            let terminal = try TmuxRun(user, Self.run)
            try terminal.wait(for: "[ Finish ]")
            try terminal.press("Enter")
            try terminal.wait(for: "Your name: Ada")
            try terminal.press("Enter")
            #expect(try terminal.finish() == 0)
        }
    }

    @Test("an app whose required step was declined says at a terminal how to be asked again, and nothing elsewhere")
    func declined() throws {
        let step = "\(Self.app).terms"
        let user = try TestUser(TestManifest(Self.app, steps: [TestManifest.info(step, required: true)]))
        try user.succeed("record", Self.app, step, "false")
        let terminal = try TerminalRun(user, "run", Self.app, columns: 200)
        #expect(try terminal.finish() == 0)
        #expect(
            terminal.shown.contains(
                "\(Self.app) has no page to show, but a required step is unmet; doorstep run \(Self.app) --unmet asks it again"
            ),
            "\(terminal.shown)")
        let piped = try user.doorstep("run", Self.app)
        #expect(piped.status == 0 && piped.output.isEmpty && piped.errors.isEmpty)
        try user.succeed("record", Self.app, step, "true")
        let satisfied = try TerminalRun(user, "run", Self.app)
        #expect(try satisfied.finish() == 0)
        #expect(!satisfied.shown.contains("unmet"))
    }
}
