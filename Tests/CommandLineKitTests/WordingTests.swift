import CommandLineKit
import Testing

@Suite("What a wrong command line is told")
struct WordingTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let line: String
        let error: String
        let help: String?
        let command: String

        init(_ line: String, _ error: String, help: String? = nil, command: String) {
            (self.line, self.error, self.help, self.command) = (line, error, help, command)
        }

        var testDescription: String { "porch " + line }
    }

    static let suiteHelp = "--suite <file>  The suite to use instead of $PORCH_SUITE."
    static let jsonHelp = "--json  Print JSON with a \"version\" of 1."
    static let timeoutHelp = "--timeout <timeout>  How long one check may take. (default: 2s)"
    static let languageHelp =
        "--language <language>  The language to write the plugin in. (values: sh, python, swift)"
    static let uiHelp = "--ui <ui>  Where the pages are shown. (values: auto, terminal, plain, gtk; default: auto)"

    static let cases: [Case] = [
        // Options
        Case("needs a --jsom", "Unknown option '--jsom'. Did you mean '--json'?", command: "porch needs"),
        Case("needs a --sutie=x", "Unknown option '--sutie'. Did you mean '--suite'?", command: "porch needs"),
        Case("needs a --completely-else", "Unknown option '--completely-else'", command: "porch needs"),
        Case("reconcile --tracee", "Unknown option '--tracee'", command: "porch reconcile"),
        Case("needs a -x", "Unknown option '-x'", command: "porch needs"),
        Case("needs a -vx", "Unknown option '-x'", command: "porch needs"),
        Case("needs a -json", "Unknown option '-json'. Did you mean '--json'?", command: "porch needs"),
        Case("needs a -suite x", "Unknown option '-suite'. Did you mean '--suite'?", command: "porch needs"),
        Case("--json", "Unknown option '--json'", command: "porch"),
        Case("policy --json lock a", "Unknown option '--json'", command: "porch policy lock"),
        Case("needs a --version", "Unknown option '--version'", command: "porch needs"),
        Case("needs a --suite", "Missing value for '--suite <file>'", help: suiteHelp, command: "porch needs"),
        Case("needs a -s", "Missing value for '--suite <file>'", help: suiteHelp, command: "porch needs"),
        Case("needs --suite --json a", "Missing value for '--suite <file>'", help: suiteHelp, command: "porch needs"),
        Case("needs a --suite -- b", "Missing value for '--suite <file>'", help: suiteHelp, command: "porch needs"),
        Case(
            "needs a --json=yes", "The option '--json' does not take any value, but 'yes' was specified.",
            help: jsonHelp, command: "porch needs"),
        Case(
            "plugin new a", "Missing expected argument '--language <language>'", help: languageHelp,
            command: "porch plugin new"),

        // Values
        Case(
            "reconcile --timeout 2",
            "The value '2' is invalid for '--timeout <timeout>'."
                + " Please provide a duration such as 500ms, 2s or 1m.", help: timeoutHelp, command: "porch reconcile"),
        Case(
            "reconcile -n few", "The value 'few' is invalid for '--limit <count>'. Please provide a whole number.",
            help: "--limit <count>  How many checks run side by side.", command: "porch reconcile"),
        Case(
            "run a --ui qt",
            "The value 'qt' is invalid for '--ui <ui>'."
                + " Please provide one of 'auto', 'terminal', 'plain' or 'gtk'.", help: uiHelp, command: "porch run"),
        Case(
            "run a --ui terminl",
            "The value 'terminl' is invalid for '--ui <ui>'. Did you mean 'terminal'?"
                + " Please provide one of 'auto', 'terminal', 'plain' or 'gtk'.", help: uiHelp, command: "porch run"),
        Case(
            "run a --ui=",
            "The value '' is invalid for '--ui <ui>'."
                + " Please provide one of 'auto', 'terminal', 'plain' or 'gtk'.", help: uiHelp, command: "porch run"),
        Case(
            "record a b yes", "The value 'yes' is invalid for '<value>'. Please provide one of 'true' or 'false'.",
            help: "<value>  What to record. (values: true, false)", command: "porch record"),
        Case(
            "run a --ui \u{1B}[2J",
            #"The value '\u{1B}[2J' is invalid for '--ui <ui>'."#
                + " Please provide one of 'auto', 'terminal', 'plain' or 'gtk'.", help: uiHelp, command: "porch run"),

        // Arguments
        Case("needs", "Missing expected argument '<app>'", help: "<app>  The app's ID.", command: "porch needs"),
        Case("record a", "Missing expected argument '<step>'", help: "<step>  The step's ID.", command: "porch record"),
        Case(
            "validate", "Missing expected argument '<file> ...'", help: "<file>  The manifests to check.",
            command: "porch validate"),
        Case("needs a b", "Unexpected argument 'b'", command: "porch needs"),
        Case("needs a b c", "2 unexpected arguments: 'b', 'c'", command: "porch needs"),
        Case("-- needs", "Unexpected argument 'needs'", command: "porch"),
        Case("policy -- lock", "Unexpected argument 'lock'", command: "porch policy"),
        Case(
            "reconcile --all a", "Name apps or give '--all', not both.", help: "--all  Check every registered app.",
            command: "porch reconcile"),

        // Subcommands
        Case("neds a", "Unknown subcommand 'neds'. Did you mean 'needs'?", command: "porch"),
        Case("recncil", "Unknown subcommand 'recncil'. Did you mean 'reconcile'?", command: "porch"),
        Case("val", "Unknown subcommand 'val'. Did you mean 'validate'?", command: "porch"),
        Case("pok", "Unknown subcommand 'pok'", command: "porch"),
        Case("dance --help", "Unknown subcommand 'dance'", command: "porch"),
        Case("plugin chekc", "Unknown subcommand 'chekc'. Did you mean 'check'?", command: "porch plugin"),
        Case("plugin needs", "Unknown subcommand 'needs'", command: "porch plugin"),
        Case("help neds", "Unknown subcommand 'neds'. Did you mean 'needs'?", command: "porch help"),
        Case("help needs more", "Unknown subcommand 'more'", command: "porch help"),
    ]

    @Test("Error, help of the argument at fault, usage, and the way to more help", arguments: cases)
    func wording(of item: Case) throws {
        let text = try #require(parse(item.line, width: 1000).usageError)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var expected = ["error: \(item.error)"]
        if let help = item.help { expected.append("Help:  \(help)") }
        #expect(Array(lines.prefix(expected.count)) == expected)
        try #require(lines.count == expected.count + 3, "\(text)")
        #expect(lines[expected.count].hasPrefix("Usage: \(item.command) "))
        #expect(Array(lines.suffix(2)) == ["  See '\(item.command) --help' for more information.", ""])
    }

    @Test("The usage wraps to the width under its first word, and nothing that belongs together is torn apart")
    func wrapping() {
        #expect(
            parse("reconcile --bogus", width: 48).usageError == """
                error: Unknown option '--bogus'
                Usage: porch reconcile [<app> ...] [--all]
                       [--timeout <timeout>] [--limit <count>]
                       [--option <key=value> ...] [--json]
                       [--suite <file>] [--verbose]
                  See 'porch reconcile --help' for more information.

                """)
    }
}
