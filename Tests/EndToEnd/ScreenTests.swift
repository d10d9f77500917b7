import Foundation
import Testing

/// Pages that fill a real terminal.
@Suite("On a whole screen")
struct ScreenTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let run = "doorstep run com.example.trailmates"
    /// Ends as the command does, and says which process it is.
    private static let traceable = "(echo $BASHPID > pid; exec '\(CommandRunner.doorstep)' run com.example.trailmates)"

    static let cases = ["en", "de", "ar", "ja"].flatMap { language in
        [(80, 24), (40, 12), (200, 50)].map { (language, $0.0, $0.1) }
    }

    private func start(
        _ command: String = run, columns: Int = 80, rows: Int = 24, language: String = "en",
        environment changes: [String: String?] = [:], isInteractive: Bool = false
    ) throws -> (TestUser, TmuxRun) {
        let user = try TestUser()
        var environment: [String: String?] = [
            "DOORSTEP_REGISTRY_PATH": Self.root.appending(path: "registry").path, "LC_ALL": "\(language).UTF-8",
        ]
        environment.merge(changes) { _, new in new }
        let terminal = try TmuxRun(
            user, command, columns: columns, rows: rows, environment: environment, isInteractive: isInteractive)
        return (user, terminal)
    }

    /// The screens that were recorded from the same pages without a terminal.
    private func golden(_ language: String, _ columns: Int, _ rows: Int) throws -> [String] {
        let file = Self.root.appending(
            path: "Tests/DoorstepTerminalTests/Golden/Screens/\(language)-\(columns)x\(rows).txt")
        let rule = "\n" + String(repeating: "=", count: columns) + "\n"
        return try String(contentsOf: file, encoding: .utf8).components(separatedBy: rule).map(trimmed)
    }

    private func trimmed(_ text: String) -> String {
        var text = text
        while text.last == "\n" { text.removeLast() }
        return text
    }

    @Test("the sign-up flow by keyboard alone looks as it does without a terminal", arguments: cases)
    func signUp(language: String, columns: Int, rows: Int) throws {
        let (user, terminal) = try start(columns: columns, rows: rows, language: language)
        let screens = try golden(language, columns, rows)
        let keys: [(String, [String])] = [
            ("", ["Enter"]), ("Ad", ["Enter"]), ("a", ["Enter"]), ("", ["Right", "PageUp"]), ("", ["Enter"]),
            ("", ["Down", "Down"]), ("", ["Enter"]), ("", ["Enter"]),
        ]
        try #require(screens.count == keys.count)
        for (screen, step) in zip(screens, keys) {
            try terminal.wait(for: screen) { trimmed($0) == screen }
            if !step.0.isEmpty { try terminal.type(step.0) }
            for key in step.1 { try terminal.press(key) }
        }
        #expect(try terminal.finish() == 0)
        let age = language == "ar" ? "59" : "61"
        #expect(
            try user.rows("SELECT key, value FROM inputs ORDER BY key")
                == [["age", age], ["gender", "female"], ["name", "Ada"]])
        #expect(try user.rows("SELECT count(*) FROM records WHERE value = 1") == [["4"]])
        #expect(
            try user.rows("SELECT event, count(*) FROM page_events GROUP BY event ORDER BY event")
                == [["answered", "4"], ["finished", "1"], ["shown", "4"]])
    }

    @Test("signing out on the page after the last one leaves a first launch")
    func signOut() throws {
        let (user, terminal) = try start(environment: ["DOORSTEP_REDUCED_MOTION": "1"])
        try terminal.wait(for: "[ Sign Up ]")
        try terminal.press("Enter")
        try terminal.type("Ada", "Enter", "Enter", "Enter")
        try terminal.wait(for: "Please choose one.")
        try terminal.press("f", "Enter")
        try terminal.wait(for: "Gender: Female")
        try terminal.press("Tab", "Enter")
        try terminal.wait(for: "[ Cancel ]")
        try terminal.press("Tab", "Enter")
        #expect(try terminal.finish() == 1)
        #expect(try user.rows("SELECT count(*) FROM records") == [["0"]])
        #expect(try user.rows("SELECT count(*) FROM inputs") == [["0"]])
    }

    @Test("the window can change its size at any moment")
    func resize() throws {
        let (user, terminal) = try start(environment: ["DOORSTEP_REDUCED_MOTION": "1"])
        for (columns, rows) in [(80, 24), (40, 12), (200, 50), (80, 24)] {
            try terminal.resize(columns, rows)
            let screen = try golden("en", columns, rows)[0]
            try terminal.wait(for: screen) { trimmed($0) == screen }
        }
        try terminal.resize(19, 7)
        try terminal.wait(for: "Please make the")
        for (columns, rows) in [(20, 8), (400, 100), (1, 1), (20, 8)] {
            try terminal.resize(columns, rows)
            if columns > 1 { try terminal.wait(for: "[ Sign Up ]") }
        }
        try terminal.resize(80, 24)
        try terminal.press("Enter")
        let name = try golden("en", 80, 24)[1]
        try terminal.wait(for: name) { trimmed($0) == name }
        // Two hundred sizes in a row, and keys in between: none is lost.
        for turn in 0..<200 {
            try terminal.resize(18 + turn % 90, 7 + turn % 40)
            if turn % 10 == 0 { try terminal.type(String(turn / 10 % 10)) }
        }
        try terminal.resize(80, 24)
        // tmux takes its time to tell the terminal of the last one.
        try terminal.wait(for: "the page on 80 columns") { shown in
            shown.split(separator: "\n").contains { $0.hasSuffix("F1 help") && $0.count == 76 }
        }
        try terminal.press("Enter")
        try terminal.wait(for: "How old are you?")
        try terminal.press("Enter")
        try terminal.wait(for: "And your gender?")
        try terminal.press("f", "Enter")
        try terminal.wait(for: "[ Done ]")
        try terminal.press("Enter")
        #expect(try terminal.finish() == 0)
        #expect(try user.rows("SELECT value FROM inputs WHERE key = 'name'") == [["01234567890123456789"]])
    }

    @Test("Ctrl-Z gives the terminal to the shell, and fg brings the page back with what was typed")
    func suspend() throws {
        let (_, terminal) = try start("run com.example.trailmates", isInteractive: true)
        try terminal.wait(for: "[ Sign Up ]")
        try terminal.press("Enter")
        try terminal.wait(for: "What should we call you?")
        try terminal.type("Grac", "C-z")
        try terminal.wait(for: "Stopped")
        #expect(try terminal.value("alternate_on") == "0")
        try terminal.type("stty -a | grep -c ' icanon'; fg", "Enter")
        try terminal.wait(for: "Grac") { $0.contains("› Name") && $0.contains("  Grac\n") }
        try terminal.type("e", "Enter")
        try terminal.wait(for: "How old are you?")
        try terminal.press("C-c")
        try terminal.wait(for: "the shell") { $0.contains("\n1\n") && $0.contains("fg") && !$0.contains("How old") }
    }

    @Test(
        "the terminal is given back at every kind of end",
        arguments: [
            ("key", "C-c", 1), ("key", "C-d", 1), ("signal", "TERM", 143), ("signal", "HUP", 129), ("signal", "INT", 1),
            ("signal", "ABRT", 134), ("signal", "SEGV", 139), ("signal", "ILL", 132), ("signal", "QUIT", 131),
        ])
    func ends(how: String, name: String, status: Int) throws {
        let (user, terminal) = try start(Self.traceable)
        try terminal.wait(for: "[ Sign Up ]")
        #expect(try terminal.value("alternate_on") == "1")
        if how == "key" { try terminal.press(name) } else { try terminal.signal(name) }
        #expect(try terminal.finish() == status)
        #expect(!user.hasSuite, "a flow that is written at its finish leaves no trace")
    }

    @Test("what was answered before leaving is kept, and so is how far the showing came", arguments: ["C-c", "TERM"])
    func leaving(how: String) throws {
        let user = try TestUser(.aurora())
        let terminal = try TmuxRun(
            user, "(echo $BASHPID > pid; exec '\(CommandRunner.doorstep)' run com.example.aurora)")
        try terminal.wait(for: "[ ")
        try terminal.press("Enter")
        try terminal.wait(for: "›")
        if how == "TERM" { try terminal.signal(how) } else { try terminal.press(how) }
        #expect(try terminal.finish() == (how == "TERM" ? 143 : 1))
        #expect(try user.rows("SELECT step FROM records") == [["com.example.aurora.welcome"]])
        #expect(
            try user.rows("SELECT event, substr(step, 20) FROM page_events ORDER BY sequence")
                == [
                    ["shown", "welcome"], ["answered", "welcome"], ["shown", "profile.name"], ["left", "profile.name"],
                ])
    }

    @Test("a paste of 100 kB and wide text arrive whole")
    func paste() throws {
        let (user, terminal) = try start()
        try terminal.wait(for: "[ Sign Up ]")
        try terminal.press("Enter")
        try terminal.wait(for: "What should we call you?")
        try terminal.paste(String(repeating: "0123456789", count: 10_000))
        try terminal.wait(for: "100000/200")
        try terminal.press("C-u")
        try terminal.paste("日本語\n👨‍👩‍👧 Ada")
        try terminal.wait(for: "日本語")
        try terminal.press("Enter")
        try terminal.wait(for: "How old are you?")
        try terminal.press("Enter")
        try terminal.wait(for: "And your gender?")
        try terminal.press("Tab", "Tab", "Enter")
        try terminal.wait(for: "[ Done ]")
        try terminal.press("Enter")
        #expect(try terminal.finish() == 0)
        #expect(try user.rows("SELECT value FROM inputs WHERE key = 'name'") == [["日本語 👨‍👩‍👧 Ada"]])
    }

    @Test(
        "each TERM gets the pages that it can show",
        arguments: [
            ("linux", true), ("xterm-256color", true), ("tmux-256color", true), ("xterm-direct", true), ("dumb", false),
            ("", false), (nil, false), ("no-such-terminal", false),
        ] as [(String?, Bool)])
    func terms(term: String?, isScreen: Bool) throws {
        var environment: [String: String?] = ["LANG": "C"]
        environment.updateValue(nil, forKey: "LC_ALL")
        environment.updateValue(term, forKey: "TERM")
        let (_, terminal) = try start(environment: environment)
        try terminal.wait(for: isScreen ? "[ Sign Up ]" : "Your choice [1]:")
        #expect(try terminal.value("alternate_on") == (isScreen ? "1" : "0"))
        #expect(try terminal.screen().unicodeScalars.allSatisfy { $0.isASCII || $0 == "·" }, "LANG=C draws in ASCII")
        try terminal.press("C-c")
        #expect(try terminal.finish() == 1)
    }

    @Test("NO_COLOR shows the same page without colour; a screen reader gets lines; --ui decides")
    func wishes() throws {
        let (_, plain) = try start(environment: ["NO_COLOR": "1"])
        let screen = try golden("en", 80, 24)[0]
        try plain.wait(for: screen) { trimmed($0) == screen }
        #expect(
            try plain.screen(withColours: true).range(of: "\u{1B}\\[[0-9;]*[345]8;", options: .regularExpression) == nil
        )
        try plain.press("C-c")
        #expect(try plain.finish() == 1)
        for (command, changes) in [(Self.run, ["ACCESSIBLE": "1"]), (Self.run + " --ui plain", [:])] {
            let (_, reader) = try start(command, environment: changes.mapValues { $0 })
            try reader.wait(for: "Your choice [1]:")
            try reader.press("C-c")
            #expect(try reader.finish() == 1)
        }
        let (_, dumb) = try start(Self.run + " --ui terminal", environment: ["TERM": "dumb"])
        #expect(try dumb.finish() == 69)
    }

    @Test(
        "without a terminal on both ends nothing is asked, and nothing is written",
        arguments: ["</dev/null", "<&-", "< <(echo)", ">&-", "| cat; (exit ${PIPESTATUS[0]})", "> out", "<&- >&- 2>&-"])
    func redirected(redirection: String) throws {
        let (user, terminal) = try start("\(Self.run) \(redirection)")
        #expect(try terminal.finish() == 69)
        #expect(!user.hasSuite)
    }

    @Test("a /dev/tty that can't be opened is not needed")
    func noControllingTerminal() throws {
        let (_, terminal) = try start("setsid -w '\(CommandRunner.doorstep)' run com.example.trailmates")
        try terminal.wait(for: "[ Sign Up ]")
        try terminal.press("C-c")
        #expect(try terminal.finish() == 1)
    }
}
