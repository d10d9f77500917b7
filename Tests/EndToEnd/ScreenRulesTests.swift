import DoorstepJSON
import Foundation
import Testing

/// The pager's rules through the presenter at a real terminal, told by what the suite holds afterwards.
@Suite("The rules of a showing on a whole screen")
struct ScreenRulesTests {
    private static let app = "com.example.aurora"
    private static let traceable = "(echo $BASHPID > pid; exec '\(CommandRunner.doorstep)' run \(app))"

    private func history(_ user: TestUser) throws -> [[String]] {
        try user.rows("SELECT substr(step, 20), new, origin FROM history ORDER BY sequence")
    }

    /// From the welcome to the page behind the name.
    private func answerName(_ terminal: TmuxRun) throws {
        try terminal.wait(for: "[ Sign Up ]")
        try terminal.press("Enter")
        try terminal.wait(for: "› Your name")
        try terminal.type("Ada", "Enter")
        try terminal.wait(for: "How old are you?")
    }

    @Test("going back and forth writes nothing new")
    func backAndForth() throws {
        let user = try TestUser(.aurora())
        let terminal = try TmuxRun(user, "doorstep run \(Self.app)")
        try answerName(terminal)
        for _ in 0..<3 {
            try terminal.press("Escape")
            try terminal.wait(for: "› Your name")
            try terminal.press("Enter")
            try terminal.wait(for: "How old are you?")
        }
        try terminal.press("C-c")
        #expect(try terminal.finish() == 1)
        #expect(try history(user) == [["welcome", "1", "user"], ["profile.name", "1", "user"]])
    }

    @Test("a jump by a click on a dot backfills what it passes, and not the page that it comes to")
    func jump() throws {
        let steps = (1...4).map { number in
            TestManifest.info(
                "\(Self.app).page\(number)", skippable: number != 2, title: ["en": .string("Page \(number)")])
        }
        let user = try TestUser(TestManifest(Self.app, steps: steps))
        let terminal = try TmuxRun(user, "doorstep run \(Self.app)", environment: ["DOORSTEP_REDUCED_MOTION": "1"])
        try terminal.wait(for: "Page 1")
        try terminal.click("● ○ ○ ○", cell: 6)
        try terminal.wait(for: "Page 4")
        // Back by the first dot, and forward by the third: all of it is passed already.
        try terminal.click("○ ○ ○ ●", cell: 0)
        try terminal.wait(for: "Page 1")
        try terminal.click("● ○ ○ ○", cell: 4)
        try terminal.wait(for: "Page 3")
        try terminal.press("C-c")
        #expect(try terminal.finish() == 1)
        #expect(
            try history(user) == [
                ["page1", "0", "leaving"], ["page2", "1", "leaving"], ["page3", "0", "leaving"],
            ])
    }

    @Test(
        "leaving midway keeps exactly what was answered, and nothing that was only typed", arguments: ["C-c", "TERM"])
    func leavingMidway(how: String) throws {
        let user = try TestUser(.aurora())
        let terminal = try TmuxRun(user, Self.traceable)
        try answerName(terminal)
        try terminal.press("Right", "Right")
        try terminal.wait(for: " 52")
        if how == "TERM" { try terminal.signal(how) } else { try terminal.press(how) }
        #expect(try terminal.finish() == (how == "TERM" ? 143 : 1))
        #expect(try history(user) == [["welcome", "1", "user"], ["profile.name", "1", "user"]])
        #expect(try user.rows("SELECT key, value FROM inputs") == [["name", "Ada"]])
    }

    @Test(
        "a flow that is written at its finish leaves nothing when it is left on its last page",
        arguments: ["C-c", "TERM"])
    func onFinish(how: String) throws {
        let user = try TestUser(.aurora(commit: "onFinish"))
        let terminal = try TmuxRun(user, Self.traceable)
        try answerName(terminal)
        try terminal.press("Enter")
        try terminal.wait(for: "[ Finish ]")
        if how == "TERM" { try terminal.signal(how) } else { try terminal.press(how) }
        #expect(try terminal.finish() == (how == "TERM" ? 143 : 1))
        #expect(!user.hasSuite)
    }

    /// A showing in a terminal in a terminal: the inner one's client takes the mouse as any terminal's user would give it.
    private func inner(_ user: TestUser, columns: Int, rows: Int) throws -> TmuxRun {
        try user.write(
            """
            set -g mouse on
            set -g status off
            set -g destroy-unattached on
            set -s escape-time 200
            set -g default-terminal tmux-256color

            """, to: "inner.conf")
        let inner = "/usr/bin/tmux -u -S '\(user.directory)/inner' -f '\(user.directory)/inner.conf'"
        return try TmuxRun(
            user, "\(inner) new-session '\(CommandRunner.doorstep)' run \(Self.app)", columns: columns, rows: rows,
            environment: ["DOORSTEP_REDUCED_MOTION": "1"])
    }

    @Test("the wheel scrolls, as tmux hands it on")
    func wheel() throws {
        let user = try TestUser(.aurora())
        let terminal = try inner(user, columns: 24, rows: 8)
        try terminal.wait(for: "[ Sign Up ]")
        #expect(!(try terminal.screen()).contains("sleep."))
        try terminal.wheel(.down, until: "sleep.")
        try terminal.wheel(.up, until: "Find your night sky")
        try terminal.press("C-c")
        #expect(try terminal.finish() == 0, "the status is tmux's")
    }

    @Test("clicks do all that keys do: buttons, fields and dots, as tmux hands them on")
    func clicks() throws {
        let user = try TestUser(.aurora())
        let terminal = try inner(user, columns: 80, rows: 24)
        try terminal.click("[ Sign Up ]", cell: 3)
        try terminal.wait(for: "› Your name")
        try terminal.type("Ada")
        try terminal.wait(for: "  Ada\n")
        try terminal.click("Next", cell: 1)
        try terminal.wait(for: "How old are you?")
        // The far end of the slider.
        try terminal.click("─ ▸", cell: 0)
        try terminal.wait(for: " 100")
        try terminal.click("Back", cell: 1)
        try terminal.wait(for: "› Your name")
        try terminal.click("○ ● ○ ○", cell: 4)
        try terminal.wait(for: "How old are you?")
        try terminal.click("Next", cell: 1)
        try terminal.wait(for: "[ Finish ]")
        try terminal.click("Skip", cell: 1)
        try terminal.wait(for: "Your name: Ada")
        try terminal.click("[ Done ]", cell: 3)
        #expect(try terminal.finish() == 0)
        #expect(try user.rows("SELECT key, value FROM inputs ORDER BY key") == [["age", "100"], ["name", "Ada"]])
        #expect(try user.rows("SELECT value FROM records WHERE step LIKE '%.tips'") == [["0"]])
    }
}
