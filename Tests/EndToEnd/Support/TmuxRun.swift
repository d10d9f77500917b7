import DoorstepTerminal
import Foundation
import Testing

/// The command in a window of tmux, a real terminal with a size, whose cells can be read.
final class TmuxRun {
    private let user: TestUser
    private let socket: String
    private let folder: String
    /// The server's process; it is killed by this, since its socket may be gone before it.
    private var server: pid_t = 0

    /// Starts a command line of the shell, in which `doorstep` is the command.
    ///
    /// - Parameters:
    ///   - command: What is run; its status and the terminal's settings before and after it are kept.
    ///   - isInteractive: Whether it is typed into an interactive shell, which has job control.
    init(
        _ user: TestUser, _ command: String, columns: Int = 80, rows: Int = 24,
        environment changes: [String: String?] = [:], isInteractive: Bool = false
    ) throws {
        try #require(
            FileManager.default.isExecutableFile(atPath: "/usr/bin/tmux"), "tmux is missing; install the package tmux")
        self.user = user
        folder = user.directory + "/tmux-\(UUID().uuidString.prefix(8))"
        socket = folder + "/socket"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try """
        set -g status off
        set -g default-terminal tmux-256color
        set -s escape-time 0
        set -g remain-on-exit on
        """.write(toFile: folder + "/conf", atomically: true, encoding: .utf8)
        var variables = user.variables(changes)
        if changes["TERM"] == nil { variables["TERM"] = "tmux-256color" }
        let assignments = variables.map { "'\($0.key)=\($0.value)'" }.sorted().joined(separator: " ")
        let script = """
            cd '\(folder)'
            doorstep() { '\(CommandRunner.doorstep)' "$@"; }
            stty -a > before
            \(isInteractive ? "" : command)
            echo $? > status.new; stty -a > after; mv status.new status
            """
        try script.write(toFile: folder + "/script", atomically: true, encoding: .utf8)
        let shell = isInteractive ? "bash --norc --noprofile -i" : "bash --norc --noprofile script"
        try tmux(
            "-f", folder + "/conf", "new-session", "-d", "-x", String(columns), "-y", String(rows), "-c", folder,
            "env -i \(assignments) \(shell)")
        server = try #require(
            pid_t(try tmux("display-message", "-p", "#{pid}").trimmingCharacters(in: .whitespacesAndNewlines)))
        if isInteractive {
            try type("PS1='$ '; stty -a > before; '\(CommandRunner.doorstep)' \(command)", "Enter")
        }
    }

    deinit {
        if server > 0 { kill(server, SIGKILL) }
    }

    /// What the window shows.
    func screen(withColours: Bool = false) throws -> String {
        let text = try tmux(withColours ? ["capture-pane", "-p", "-e"] : ["capture-pane", "-p"])
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var line = line
            while line.last == " " { line.removeLast() }
            return String(line)
        }.joined(separator: "\n")
    }

    /// Looks at the window until it shows what is wanted, for as long as any process may take.
    @discardableResult
    func wait(
        for what: String, location: SourceLocation = #_sourceLocation, until isThere: (String) throws -> Bool
    ) throws -> String {
        let deadline = ContinuousClock.now + ChildProcess.patience
        var shown = ""
        while ContinuousClock.now < deadline {
            shown = try screen()
            if try isThere(shown) { return shown }
        }
        try #require(Bool(false), "\(what) never came; the window shows\n\(shown)", sourceLocation: location)
        return shown
    }

    func wait(for text: String, location: SourceLocation = #_sourceLocation) throws {
        try wait(for: "\"\(text)\"", location: location) { $0.contains(text) }
    }

    /// Presses keys, by tmux's names.
    func press(_ keys: String...) throws {
        try tmux(["send-keys"] + keys)
    }

    /// Types a text, then presses keys.
    func type(_ text: String, _ keys: String...) throws {
        try tmux("send-keys", "-l", text)
        if !keys.isEmpty { try tmux(["send-keys"] + keys) }
    }

    /// Which way the wheel turns.
    enum Turn: Int {
        case up = 64, down = 65
    }

    /// Clicks on a cell of a text, counted from its first, once the window shows the text.
    func click(_ text: String, cell: Int, location: SourceLocation = #_sourceLocation) throws {
        let shown = try wait(for: "\"\(text)\"", location: location) { $0.contains(text) }
        for (row, line) in shown.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard let range = line.range(of: text) else { continue }
            let column = CellWidth.of(String(line[..<range.lowerBound])) + cell
            try type("\u{1B}[<0;\(column + 1);\(row + 1)M\u{1B}[<0;\(column + 1);\(row + 1)m")
            return
        }
    }

    /// Turns the wheel until the window shows a text.
    func wheel(_ turn: Turn, until text: String, location: SourceLocation = #_sourceLocation) throws {
        try wait(for: "\"\(text)\"", location: location) { shown in
            if shown.contains(text) { return true }
            try type("\u{1B}[<\(turn.rawValue);5;5M")
            return false
        }
    }

    /// The terminal's settings as the interactive shell sees them now.
    func settings(location: SourceLocation = #_sourceLocation) throws -> String {
        let path = folder + "/settings"
        try? FileManager.default.removeItem(atPath: path)
        // Typed before the prompt, it would be for the program that is just ending.
        try wait(for: "the shell's prompt", location: location) { shown in
            shown.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }?.hasPrefix("$") == true
        }
        try type("stty -a > settings.new; mv settings.new settings", "Enter")
        try wait(for: "the settings", location: location) { _ in FileManager.default.fileExists(atPath: path) }
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// The terminal's settings before the command.
    var settingsBefore: String {
        get throws { try String(contentsOfFile: folder + "/before", encoding: .utf8) }
    }

    /// Pastes a text, in brackets where the terminal was asked for them.
    func paste(_ text: String) throws {
        try text.write(toFile: folder + "/paste", atomically: true, encoding: .utf8)
        try tmux("load-buffer", folder + "/paste")
        try tmux("paste-buffer", "-p", "-d")
    }

    func resize(_ columns: Int, _ rows: Int) throws {
        try tmux("resize-window", "-x", String(columns), "-y", String(rows))
    }

    /// Sends a signal to the command, which must have written its process ID.
    func signal(_ name: String) throws {
        let id = try #require(try? String(contentsOfFile: folder + "/pid", encoding: .utf8))
        _ = try CommandRunner.run(
            ["/bin/kill", "-\(name)", id.trimmingCharacters(in: .whitespacesAndNewlines)], environment: [:],
            directory: folder)
    }

    /// A value of tmux's, such as `alternate_on`.
    func value(_ name: String) throws -> String {
        try tmux("display-message", "-p", "#{\(name)}").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Waits for the command's end, after which the terminal must be as it was.
    ///
    /// - Returns: The exit status.
    func finish(location: SourceLocation = #_sourceLocation) throws -> Int {
        let deadline = ContinuousClock.now + ChildProcess.patience
        while !FileManager.default.fileExists(atPath: folder + "/status"), ContinuousClock.now < deadline {
            _ = try screen()
        }
        let status = try? String(contentsOfFile: folder + "/status", encoding: .utf8)
        let shown = try screen()
        try #require(status != nil, "the command did not end; the window shows\n\(shown)", sourceLocation: location)
        let before = try String(contentsOfFile: folder + "/before", encoding: .utf8)
        let after = try String(contentsOfFile: folder + "/after", encoding: .utf8)
        #expect(before == after, sourceLocation: location)
        #expect(try value("alternate_on") == "0", "the alternate screen was left", sourceLocation: location)
        #expect(try value("cursor_flag") == "1", "the cursor is there again", sourceLocation: location)
        #expect(try value("mouse_any_flag") == "0", "the mouse is given back", sourceLocation: location)
        return Int(status?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "") ?? -1
    }

    @discardableResult
    private func tmux(_ arguments: String...) throws -> String { try tmux(arguments) }

    @discardableResult
    private func tmux(_ arguments: [String]) throws -> String {
        let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": folder, "TERM": "xterm-256color"]
        let result = try CommandRunner.run(
            ["/usr/bin/tmux", "-u", "-S", socket] + arguments, environment: environment, directory: folder)
        try #require(result.status == 0, "tmux \(arguments): \(result.testDescription)")
        return result.output
    }
}
