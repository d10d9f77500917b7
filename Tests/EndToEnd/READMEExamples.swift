import Foundation
import Testing

/// The examples of the documentation: what they show is what happens.
///
/// Each block marked `console` is a transcript of its own. A line that begins with `$ ` is a command for bash, lines that begin
/// with `> ` right below it continue it; what follows is everything that the command prints, standard output and error.
/// A line `…` stands for any lines, an `…` within a line for any text; spaces at a line's end don't count.
@Suite("The documentation's examples")
struct READMEExamples {
    /// The repository that these tests were built from.
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let documents = ["README.md", "registry/README.md", "Plugins/README.md"].filter {
        FileManager.default.fileExists(atPath: repository.appending(path: $0).path)
    }

    private static let transcripts: [Transcript] = documents.flatMap { document in
        let text = try? String(contentsOf: repository.appending(path: document), encoding: .utf8)
        return Transcript.all(in: text ?? "", document: document)
    }

    @Test(
        "the README shows the command at work", .enabled(if: documents.contains("README.md"), "there is no README yet"))
    func readmeHasTranscripts() {
        #expect(Self.transcripts.contains { $0.document == "README.md" && !$0.commands.isEmpty })
    }

    @Test("a transcript is what really happens", arguments: transcripts)
    func happens(transcript: Transcript) throws {
        let printed = try run(transcript)
        for (command, output) in zip(transcript.commands, printed) {
            #expect(
                command.isMatched(by: output),
                """
                \(transcript): $ \(command.script)
                --- expected
                \(command.expected.joined(separator: "\n"))
                --- printed
                \(output.joined(separator: "\n"))
                """)
        }
        #expect(printed.count == transcript.commands.count, "\(transcript): the shell ended early")
    }

    @Test("a transcript that is wrong is found out")
    func wrongTranscripts() throws {
        let text = """
            ```console
            $ doorstep needs com.example.absent
            error: no app "com.example.absent" is registered; …
            $ echo $?
            66
            $ printf 'one\\n\\ntwo  \\nthree\\n'
            one
            …
            three
            $ cat <<'END'
            > four
            > END
            four
            $ doorstep --version
            0.0.0
            $ true
            nothing
            ```
            """
        let transcript = try #require(Transcript.all(in: text, document: "a test").first)
        let printed = try run(transcript)
        let verdicts = zip(transcript.commands, printed).map { $0.isMatched(by: $1) }
        #expect(verdicts == [true, true, true, true, false, false])
    }

    /// What each command of a transcript prints.
    private func run(_ transcript: Transcript) throws -> [[String]] {
        let user = try TestUser()
        let files = FileManager.default
        for directory in ["work", "bin"] {
            try files.createDirectory(atPath: "\(user.directory)/\(directory)", withIntermediateDirectories: true)
        }
        for name in ["registry", "Plugins"] where files.fileExists(atPath: Self.repository.appending(path: name).path) {
            try files.copyItem(
                at: Self.repository.appending(path: name), to: URL(filePath: "\(user.directory)/work/\(name)"))
        }
        try files.createSymbolicLink(
            atPath: user.directory + "/bin/doorstep", withDestinationPath: CommandRunner.doorstep)
        // Every command's output ends with a mark, and the next command sees its exit status.
        let mark = "\u{1E}"
        let script = transcript.commands.map { "\($0.script)\n{ status=$?; printf '\(mark)'; (exit $status); }\n" }
        let path = try user.write("exec 2>&1\n" + script.joined(), to: "transcript.bash")
        let searched = "\(user.directory)/bin:/usr/local/bin:/usr/bin:/bin"
        let result = try CommandRunner.run(
            ["/usr/bin/bash", path], environment: user.variables(["PATH": searched]),
            directory: user.directory + "/work")
        return result.output.components(separatedBy: mark).dropLast().map { text in
            Transcript.trimmed(text.components(separatedBy: "\n"))
        }
    }
}

/// Commands with what they print, as a document shows them.
struct Transcript: Sendable, CustomStringConvertible {
    /// One command with what it prints.
    struct Command: Sendable {
        var script: String
        var expected: [String] = []

        /// Whether a command's output is what the document shows.
        func isMatched(by output: [String]) -> Bool {
            let isLoose = expected.contains { $0.contains("…") }
            // Columns move with the width of what an ellipsis stands for.
            func line(_ text: String) -> String { isLoose ? text.split(separator: " ").joined(separator: " ") : text }
            return Self.matches(Transcript.trimmed(expected).map(line)[...], output.map(line)[...])
        }

        private static func matches(_ expected: ArraySlice<String>, _ output: ArraySlice<String>) -> Bool {
            guard let first = expected.first else { return output.isEmpty }
            let rest = expected.dropFirst()
            if first == "…" {
                return (output.startIndex...output.endIndex).contains { matches(rest, output[$0...]) }
            }
            guard let line = output.first, isLine(line, like: first) else { return false }
            return matches(rest, output.dropFirst())
        }

        private static func isLine(_ line: String, like pattern: String) -> Bool {
            let parts = pattern.components(separatedBy: "…")
            if parts.count == 1 { return line == pattern }
            var remaining = Substring(line)
            for (place, part) in parts.enumerated() where !part.isEmpty {
                if place == parts.count - 1 { return remaining.hasSuffix(part) }
                guard let found = remaining.range(of: part) else { return false }
                if place == 0 && found.lowerBound != remaining.startIndex { return false }
                remaining = remaining[found.upperBound...]
            }
            return true
        }
    }

    var document: String
    var line: Int
    var commands: [Command] = []

    var description: String { "\(document):\(line)" }

    /// The lines without spaces at their ends, and without empty lines at the end.
    static func trimmed(_ lines: [String]) -> [String] {
        var lines = lines.map { line in
            var line = Substring(line)
            while line.last == " " { line.removeLast() }
            return String(line)
        }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    /// Every transcript in a Markdown text.
    static func all(in text: String, document: String) -> [Transcript] {
        var transcripts: [Transcript] = []
        var current: Transcript?
        for (number, line) in text.components(separatedBy: "\n").enumerated() {
            guard var transcript = current else {
                if line == "```console" { current = Transcript(document: document, line: number + 1) }
                continue
            }
            let last = transcript.commands.indices.last
            if line == "```" {
                transcripts.append(transcript)
                current = nil
                continue
            } else if line.hasPrefix("$ ") {
                transcript.commands.append(Command(script: String(line.dropFirst(2))))
            } else if let last, transcript.commands[last].expected.isEmpty, line.hasPrefix("> ") || line == ">" {
                transcript.commands[last].script += "\n" + line.dropFirst(2)
            } else if let last {
                transcript.commands[last].expected.append(line)
            }
            current = transcript
        }
        return transcripts
    }
}
