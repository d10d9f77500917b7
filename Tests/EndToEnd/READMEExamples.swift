import Foundation
import Testing

/// The examples of the documentation: what they show is what happens.
///
/// Each block marked `console` is a transcript of its own, in a home of its own; blocks within a list are its steps and continue
/// each other. A block marked `json` that is a manifest stands in the working directory under its app's name. A line that begins with `$ ` is a command for bash, lines that begin
/// with `> ` right below it continue it; what follows is everything that the command prints, standard output and error.
/// A line `…` stands for any lines, an `…` within a line for any text; spaces at a line's end don't count.
@Suite("The documentation's examples")
struct READMEExamples {
    /// The repository that these tests were built from.
    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static let documents = ["README.md", "registry/README.md", "Plugins/README.md", "Documentation/admin.md"]
        .filter {
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

    @Test("the steps of a list are one transcript, with the manifests that the document shows")
    func steps() throws {
        let text = """
            1. Write it.

               ```json
               { "format": 1, "app": "com.example.notes", "steps": [] }
               ```

            2. Check it.

               ```console
               $ doorstep validate com.example.notes.json
               com.example.notes.json: ok
               ```

            3. Register it.

               ```console
               $ doorstep register com.example.notes.json
               registered com.example.notes: …
               $ doorstep needs com.example.notes --verbose
               not needed
               ```
            """
        let transcripts = Transcript.all(in: text, document: "a test")
        #expect(transcripts.count == 1)
        let transcript = try #require(transcripts.first)
        let printed = try run(transcript)
        #expect(zip(transcript.commands, printed).map { $0.isMatched(by: $1) } == [true, true, true])
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
        for (name, text) in transcript.manifests { try user.write(text, to: "work/\(name)") }
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
    /// The manifests that the document shows, by the names of their files.
    var manifests: [String: String] = [:]
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
        var manifests: [String: String] = [:]
        var lastIndent = 0
        for block in MarkdownBlock.all(in: text) {
            switch block.kind {
            case "json":
                let content = block.lines.joined(separator: "\n")
                let object = try? JSONSerialization.jsonObject(with: Data(content.utf8)) as? [String: Any]
                if let object, let app = object["app"] as? String, object["format"] != nil {
                    manifests[app + ".json"] = content
                }
            case "console":
                let commands = Self.commands(in: block.lines)
                if block.indent > 0, lastIndent == block.indent {
                    transcripts[transcripts.count - 1].commands += commands
                } else {
                    transcripts.append(Transcript(document: document, line: block.line, commands: commands))
                }
                lastIndent = block.indent
            default: break
            }
        }
        for place in transcripts.indices { transcripts[place].manifests = manifests }
        return transcripts
    }

    private static func commands(in lines: [String]) -> [Command] {
        var commands: [Command] = []
        for line in lines {
            if line.hasPrefix("$ ") {
                commands.append(Command(script: String(line.dropFirst(2))))
                continue
            }
            guard let last = commands.indices.last else { continue }
            if commands[last].expected.isEmpty, line.hasPrefix("> ") || line == ">" {
                commands[last].script += "\n" + line.dropFirst(2)
            } else {
                commands[last].expected.append(line)
            }
        }
        return commands
    }
}

/// A fenced block of a Markdown text.
private struct MarkdownBlock {
    /// What stands behind the opening fence.
    var kind: String
    /// The line of the opening fence.
    var line: Int
    /// How far it stands in, as within a list.
    var indent: Int
    var lines: [String] = []

    static func all(in text: String) -> [MarkdownBlock] {
        var blocks: [MarkdownBlock] = []
        var isOpen = false
        for (number, full) in text.components(separatedBy: "\n").enumerated() {
            let indent = full.prefix { $0 == " " }.count
            let isFence = full.dropFirst(indent).hasPrefix("```")
            if isFence, !isOpen {
                blocks.append(
                    MarkdownBlock(kind: String(full.dropFirst(indent + 3)), line: number + 1, indent: indent))
            } else if isOpen, !isFence {
                let place = blocks.count - 1
                blocks[place].lines.append(String(full.dropFirst(min(indent, blocks[place].indent))))
            }
            if isFence { isOpen.toggle() }
        }
        return blocks
    }
}
