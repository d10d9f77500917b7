import DoorstepJSON
import DoorstepTerminal
import Foundation
import Testing

@Suite("Narrow terminals, plain terminals and other languages")
struct NarrowTests {
    private static let app = "com.example.aurora"
    private static let languages = ["en_US.UTF-8", "de_DE.UTF-8", "ar_EG.UTF-8", "ja_JP.UTF-8"]

    private func variables(_ language: String) -> [String: String?] {
        [
            "LC_ALL": language, "LANG": language, "LANGUAGE": String(language.prefix(2)), "COLUMNS": "40",
            "NO_COLOR": "1", "TERM": "dumb",
        ]
    }

    /// The lines that are wider than the screen.
    private func wideLines(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { CellWidth.of(String($0)) > 40 }
    }

    /// The text as it reads wherever its lines end.
    private func unwrapped(_ text: String) -> String {
        String(text.filter { !$0.isWhitespace })
    }

    @Test("no command prints an escape sequence, or a line that is too wide", arguments: languages)
    func everyCommand(language: String) throws {
        let user = try TestUser(.aurora())
        try EveryCommand.prepare(user)
        let faulty = [
            ["needs", "com.example.auror"], ["validate", "faulty.json"], ["probe", "info"], ["run", "--bad"],
        ]
        let all =
            EveryCommand.reading + EveryCommand.suiteless + EveryCommand.reconciling + faulty + EveryCommand.writing
        for command in all where !["help", "--help", "completions"].contains(command[0]) {
            let result = try user.doorstep(command, environment: variables(language))
            let context = Comment(rawValue: "\(command): \(result.testDescription)")
            #expect(!(result.output + result.errors).contains("\u{1B}"), context)
            let isData = ["--json", "--names", "--csv"].contains(where: command.contains)
            if isData || ["export", "report", "manual"].contains(command[0]) { continue }
            #expect(wideLines(result.output) == [], context)
            // Pointers to help are commands, which are never broken.
            #expect(wideLines(result.errors).filter { !$0.contains("--help'") } == [], context)
        }
    }

    @Test("a table that is too wide goes on below itself or becomes a list, and loses no word; in a pipe it is whole")
    func tables() throws {
        let user = try TestUser(.aurora())
        try EveryCommand.prepare(user)
        try user.drop(
            TestManifest(
                "com.example.outer",
                steps: [
                    TestManifest.info("com.example.outer.\(String(repeating: "long.", count: 8))end", required: true),
                    ["id": "com.example.outer.reqs.accessibility", "plugin": "accessibility", "required": true],
                ]))
        try user.succeed("record", "com.example.outer", "com.example.outer.reqs.accessibility", "false")
        let commands = [
            ["show", "com.example.outer"], ["status"], ["plugins"], ["plugins", "file-access"],
            ["plan", "com.example.outer"], ["history"], ["apps"], ["doctor"], ["probe", "accessibility"], ["audit"],
        ]
        for command in commands {
            let whole = try user.doorstep(command)
            for columns in [60, 80, 132] {
                let shown = try user.doorstep(command, environment: ["COLUMNS": String(columns)])
                let context = Comment(rawValue: "\(command) \(columns): \(shown.testDescription)")
                #expect(shown.lines.allSatisfy { CellWidth.of($0) <= columns }, context)
                #expect(!shown.output.contains("…"), context)
                let found = shown.output.lowercased()
                // Headings aside: how long a check took is another time each time, and a word as long as a line is broken.
                for word in whole.lines.dropFirst().joined(separator: " ").lowercased().split(separator: " ")
                where Double(word) == nil && word.count < columns - 8 {
                    #expect(found.contains(word), "\(word): \(context.rawValue)")
                }
            }
        }
    }

    @Test("a list begins each row with what names it, whichever columns it has")
    func listHeadings() throws {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "false")
        let shown = try user.doorstep(["audit", "--totals"], environment: ["COLUMNS": "60"])
        #expect(shown.lines.first == "\(Self.app)." && shown.lines.dropFirst().first == "  records: 1")
    }

    @Test("a sentence stands in its column, line under line, beside names that stay whole")
    func besideEachOther() throws {
        let user = try TestUser(
            TestManifest("com.example.aurora", steps: [TestManifest.info("com.example.aurora.terms", required: true)]))
        try user.succeed("record", Self.app, "\(Self.app).terms", "false")
        let shown = try user.doorstep(["status"], environment: ["COLUMNS": "66"])
        #expect(
            shown.output == """
                APP                 ONBOARDING  REQUIRED  NEXT STEP
                com.example.aurora  done        unmet     doorstep run
                                                          com.example.aurora
                                                          --unmet

                """)
    }

    @Test("what is wrapped loses nothing")
    func nothingLost() throws {
        let user = try TestUser(.aurora())
        for command in [["show", "com.example.auror"], ["run", Self.app], ["status", "--suite", user.home]] {
            let wide = try user.doorstep(command)
            let narrow = try user.doorstep(command, environment: variables("en"))
            #expect(unwrapped(wide.errors) == unwrapped(narrow.errors))
            #expect(narrow.errorLines.count > 1)
        }
        let show = try user.doorstep(["show", Self.app], environment: variables("ja"))
        for id in TestManifest.aurora().steps.compactMap({ $0["id"]?.string }) {
            #expect(unwrapped(show.output).contains(id))
        }
    }

    @Test("help fits too, but for examples that can't be broken", arguments: [[]] + EveryCommand.names.map { [$0] })
    func help(command: [String]) throws {
        let user = try TestUser()
        let narrow = try user.doorstep(command + ["--help"], environment: variables("en"))
        #expect(!narrow.output.contains("\u{1B}"))
        let wide = wideLines(narrow.output).filter { line in
            // An example begins with one space; the last line of a help with subcommands names a command.
            !(line.hasPrefix(" ") && !line.hasPrefix("  ")) && !line.hasPrefix("  See '")
        }
        #expect(wide == [])
        let usual = try user.doorstep(command + ["--help"])
        #expect(unwrapped(narrow.output) == unwrapped(usual.output))
    }

    @Test("a showing at 40 columns speaks the user's language and loses nothing", arguments: languages)
    func showing(language: String) throws {
        let user = try TestUser(.aurora())
        var changes = variables(language)
        // The terminal itself says how wide it is.
        changes["COLUMNS"] = .some(nil)
        let terminal = try TerminalRun(user, "run", Self.app, columns: 40, environment: changes)
        let text = [
            "en": (TestManifest.longEnglish, "Find your night sky", "Sign Up"),
            "de": (TestManifest.longGerman, "Finde deinen Nachthimmel", "Registrieren"),
            "ar": (TestManifest.longArabic, "Find your night sky", "التسجيل"),
            "ja": (TestManifest.longJapanese, "夜空を見つけよう", "登録"),
        ][String(language.prefix(2))]
        let (body, title, action) = try #require(text)
        try terminal.type("\n", after: "[1]: ")
        try terminal.type("Ada\n", after: ": ")
        try terminal.type("1\n", after: "[1]: ")
        try terminal.type("\u{4}", after: "[50]: ")
        #expect(try terminal.finish() == 1)
        let shown = terminal.shown.replacing("\r\n", with: "\n")
        #expect(unwrapped(shown).contains(unwrapped(body)), "\(shown)")
        #expect(shown.contains(title) && shown.contains(action), "\(shown)")
        #expect(wideLines(shown) == [])
        #expect(!shown.contains("\u{1B}"))
        #expect(try user.rows("SELECT value FROM inputs") == [["Ada"]])
    }

    @Test("colour is never sent to a plain terminal", arguments: [["NO_COLOR": "1"], ["TERM": "dumb"], ["TERM": ""]])
    func plainTerminal(changes: [String: String]) throws {
        let user = try TestUser(.aurora())
        for command in [["status"], ["show", Self.app], ["--help"], ["needs", "com.example.auror"]] {
            let terminal = try TerminalRun(user, command, environment: changes.mapValues { $0 })
            _ = try terminal.finish()
            #expect(!terminal.shown.isEmpty && !terminal.shown.contains("\u{1B}"), "\(command): \(terminal.shown)")
        }
    }
}
