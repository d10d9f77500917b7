import CommandLineKit
import Foundation
import Testing

@Suite("Help and version")
struct HelpTests {
    static let golden: [(line: String, width: Int)] = [
        ("--help", 80), ("--help", 40), ("run --help", 80), ("run --help", 40), ("run --help", 120),
        ("reconcile --help", 80), ("plugin --help", 80), ("plugin new --help", 60), ("policy --help", 80),
        ("help --help", 80),
    ]

    @Test("Help reads as it was last approved", arguments: golden)
    func layout(line: String, width: Int) throws {
        let text = try #require(parse(line, width: width).output)
        let name = line.replacing(" --help", with: "").replacing("--help", with: "root").replacing(" ", with: "-")
        try expectGolden(text, "\(name).\(width).txt")
    }

    @Test("No line of wrapped help is wider than the width, but for words and examples that are", arguments: 40...120)
    func width(columns: Int) throws {
        for line in ["--help", "reconcile --help", "plugin --help"] {
            for row in try #require(parse(line, width: columns).output).split(separator: "\n") {
                #expect(row.count <= columns || row.hasPrefix("  See "), "\(row)")
            }
        }
    }

    @Test(
        "Every way to ask for a command's help gives the same",
        arguments: [
            ("plugin new --help", "plugin new -h"), ("plugin new --help", "help plugin new"),
            ("plugin new --help", "--help plugin new"), ("plugin new --help", "plugin -h new"),
            ("plugin --help", "plugin"), ("plugin --help", "help plugin"), ("needs --help", "--suite x.db help needs"),
            ("--help", ""), ("--help", "help"),
            ("--help", "-v"), ("needs --help", "needs a -vh"),
            // Whatever else is wrong
            ("needs --help", "needs --bogus --help"), ("needs --help", "needs --help --bogus"),
            ("needs --help", "needs a b c -h"), ("needs --help", "needs --suite --help"),
            ("--help", "--version --help"),
        ])
    func ways(line: String, other: String) throws {
        #expect(try #require(parse(other).output) == #require(parse(line).output))
    }

    @Test("After two dashes a request for help is an argument")
    func terminated() throws {
        #expect(try parse("needs -- --help").invocation()[Porch.app] == "--help")
        #expect(parse("needs --bogus -- --help").usageError != nil)
    }

    @Test("The root prints its version")
    func version() {
        #expect(parse("--version").output == "1.2.3\n")
    }

    @Test("More than twelve options are left out of the usage, but for what is required")
    func manyOptions() throws {
        let flags = (1...13).map { Flag("flag\($0)", help: "A flag.") }
        let command = Command("x", abstract: "X.", parameters: [Porch.app, Porch.language] + flags) { _ in .success }
        let help = try #require(command.parse(["--help"]).output)
        #expect(help.contains("USAGE: x [<options>] <app> --language <language>\n"))
    }
}

/// Compares with the file of this name under `Golden`, or writes it if `DOORSTEP_RECORD` is 1.
func expectGolden(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(components: "Golden", name)
    if ProcessInfo.processInfo.environment["DOORSTEP_RECORD"] == "1" {
        try Data(text.utf8).write(to: file)
        return
    }
    let recorded = try #require(
        try? String(contentsOf: file, encoding: .utf8), "\(name) isn't recorded: run once with DOORSTEP_RECORD=1",
        sourceLocation: sourceLocation)
    #expect(
        text == recorded, "\(name) differs; if that is meant, run with DOORSTEP_RECORD=1",
        sourceLocation: sourceLocation)
}
