import Foundation
import Testing

/// The command on a terminal of its own, with somebody at the keyboard.
final class TerminalRun {
    private let process: ChildProcess
    private let screen: Int32
    private let user: Int32
    private let lifeline: Int32
    private var contents: [[UInt8]] = [[], []]
    /// How much of the screen was there when something was typed last.
    private var typedAt = 0
    private let before: String

    /// What the screen has shown so far.
    var shown: String { String(decoding: contents[0], as: UTF8.self) }

    /// Starts `doorstep` with these arguments.
    convenience init(
        _ owner: TestUser, _ arguments: String..., columns: UInt16 = 80, environment changes: [String: String?] = [:]
    ) throws {
        try self.init(owner, arguments, columns: columns, environment: changes)
    }

    init(
        _ owner: TestUser, _ arguments: [String], columns: UInt16 = 80, environment changes: [String: String?] = [:]
    ) throws {
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        var ends: (screen: Int32, user: Int32) = (-1, -1)
        var written: Int32 = -1
        var reading: Int32 = -1
        var settings = ""
        var variables = owner.variables(changes)
        variables["TERM"] = variables["TERM"] ?? "xterm-256color"
        // These tests read and answer line by line; the pages that fill the screen have their own.
        variables["DOORSTEP_UI"] = variables["DOORSTEP_UI"] ?? "plain"
        process = try ChildProcess(
            [CommandRunner.doorstep] + arguments, environment: variables, directory: owner.directory, ownsTerminal: true
        ) {
            var name = [CChar](repeating: 0, count: 128)
            try #require(openpty(&ends.screen, &ends.user, &name, nil, &size) == 0)
            ChildProcess.keep(ends.screen)
            ChildProcess.keep(ends.user)
            // Nothing is written to it: its end tells of the process's end, while the terminal itself stays.
            (reading, written) = try ChildProcess.pipe()
            let terminal = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            settings = try Self.settings(of: ends.user)
            return [
                .file(terminal, flags: O_RDWR), .file(terminal, flags: O_RDWR), .file(terminal, flags: O_RDWR),
                .descriptor(written),
            ]
        }
        close(written)
        (screen, user, lifeline, before) = (ends.screen, ends.user, reading, settings)
    }

    /// Types something once the screen ends with a prompt that is newer than what was typed before.
    func type(_ text: String, after prompt: String, location: SourceLocation = #_sourceLocation) throws {
        try wait(for: prompt, location: location)
        typedAt = contents[0].count
        try #require(write(screen, text, text.utf8.count) == text.utf8.count, sourceLocation: location)
    }

    /// Waits until the screen ends with a prompt.
    func wait(for prompt: String, location: SourceLocation = #_sourceLocation) throws {
        let (start, ending) = (typedAt, Array(prompt.utf8))
        _ = ChildProcess.read([screen, lifeline], into: &contents, endsWithAny: true) { contents in
            contents[0].count > start && contents[0].suffix(ending.count).elementsEqual(ending)
        }
        let isThere = contents[0].count > start && contents[0].suffix(ending.count).elementsEqual(ending)
        try #require(isThere, "no \"\(prompt)\" came; the screen shows\n\(shown)", sourceLocation: location)
    }

    /// Waits until the screen has shown a text.
    func waitToShow(_ text: String, location: SourceLocation = #_sourceLocation) throws {
        let wanted = Array(text.utf8)
        _ = ChildProcess.read([screen, lifeline], into: &contents, endsWithAny: true) { $0[0].contains(wanted) }
        try #require(
            contents[0].contains(wanted), "\"\(text)\" was never shown; the screen shows\n\(shown)",
            sourceLocation: location)
    }

    /// Sends the process a signal.
    func signal(_ number: Int32) {
        process.signal(number)
    }

    /// Ends the process at once, as a power cut would.
    func cutPower() {
        process.signal(SIGKILL)
        _ = process.wait()
    }

    /// Waits for the end, after which the terminal must be as it was.
    ///
    /// - Returns: The exit status.
    func finish(location: SourceLocation = #_sourceLocation) throws -> Int32 {
        var ends: [[UInt8]] = [[]]
        let isEnded = ChildProcess.read([lifeline], into: &ends)
        if !isEnded { process.signal(SIGKILL) }
        let status = process.wait()
        drain()
        try #require(isEnded, "the command did not end; the screen shows\n\(shown)", sourceLocation: location)
        #expect(try Self.settings(of: user) == before, sourceLocation: location)
        return status
    }

    /// Takes what the process left on the screen.
    private func drain() {
        var polled = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
        while poll(&polled, 1, 0) > 0, polled.revents & Int16(POLLIN) != 0 {
            var bytes = [UInt8](repeating: 0, count: 65536)
            let count = read(screen, &bytes, bytes.count)
            if count <= 0 { return }
            contents[0] += bytes[..<count]
        }
    }

    /// Everything that `stty -a` prints of a terminal.
    private static func settings(of terminal: Int32) throws -> String {
        var modes = termios()
        try #require(tcgetattr(terminal, &modes) == 0)
        let characters = withUnsafeBytes(of: modes.c_cc) { Array($0) }
        return "\(modes.c_iflag) \(modes.c_oflag) \(modes.c_cflag) \(modes.c_lflag) \(modes.c_line) \(characters)"
    }

    deinit {
        cutPower()
        for descriptor in [screen, user, lifeline] { close(descriptor) }
    }
}
