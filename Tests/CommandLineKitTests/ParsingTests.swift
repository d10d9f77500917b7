import CommandLineKit
import Testing

@Suite("Parsing a command line")
struct ParsingTests {
    @Test("A required argument is read with its type")
    func required() throws {
        let invocation = try parse("record com.example.a step true").invocation()
        #expect(invocation.path == ["porch", "record"])
        #expect(invocation[Porch.app] == "com.example.a")
        #expect(invocation[Porch.step] == "step")
        #expect(invocation[Porch.value] == true)
    }

    @Test("What is left out has its default, nothing, or an empty list")
    func absent() throws {
        let invocation = try parse("reconcile").invocation()
        #expect(invocation[Porch.timeout] == .seconds(2))
        #expect(invocation[Porch.limit] == nil)
        #expect(invocation[Porch.pairs] == [])
        #expect(invocation[Porch.apps] == [])
        #expect(invocation[Porch.json] == false)
        #expect(!invocation.isGiven(Porch.timeout))
    }

    @Test(
        "An option's value follows it, or an equals sign, or its short name",
        arguments: [
            "needs a --suite x.db", "needs a --suite=x.db", "needs a -s x.db", "needs a -sx.db", "needs a -s=x.db",
            "needs a -vjs x.db", "needs a -vjsx.db", "--suite x.db needs a", "-sx.db needs --json a",
            "needs --suite first.db a --suite x.db",
        ])
    func optionForms(line: String) throws {
        let invocation = try parse(line).invocation()
        #expect(invocation[Porch.app] == "a")
        #expect(invocation[Porch.suite] == "x.db")
        #expect(invocation.isGiven(Porch.suite))
    }

    @Test("An equals sign in a value belongs to the value, and an empty value is one")
    func equalsSigns() throws {
        let invocation = try parse("reconcile --option=a=b -o c=d=e --option=").invocation()
        #expect(invocation[Porch.pairs] == ["a=b", "c=d=e", ""])
    }

    @Test("Short flags may be joined")
    func cluster() throws {
        let invocation = try parse("needs a -vj").invocation()
        #expect(invocation[Porch.verbose])
        #expect(invocation[Porch.json])
    }

    @Test("Arguments and options may be mixed, and the list takes what is left")
    func mixed() throws {
        let invocation = try parse("reconcile a --json b --timeout 500ms c").invocation()
        #expect(invocation[Porch.apps] == ["a", "b", "c"])
        #expect(invocation[Porch.timeout] == .milliseconds(500))
        #expect(invocation.isGiven(Porch.apps))
    }

    @Test("After two dashes everything is an argument")
    func terminator() throws {
        let invocation = try parse("validate -v -- --json -- -x status").invocation()
        #expect(invocation[Porch.files] == ["--json", "--", "-x", "status"])
        #expect(invocation[Porch.verbose])
    }

    @Test("A lone dash and a negative number are values")
    func dashes() throws {
        #expect(try parse("validate -").invocation()[Porch.files] == ["-"])
        #expect(try parse("reconcile --limit -3").invocation()[Porch.limit] == -3)
    }

    @Test("Subcommands are nested")
    func nested() throws {
        let invocation = try parse("plugin new greet --language python").invocation()
        #expect(invocation.path == ["porch", "plugin", "new"])
        #expect(invocation[Porch.language] == .python)
        #expect(invocation[Porch.directory] == nil)
    }

    @Test("A command that runs and has subcommands does either")
    func runsAlone() throws {
        #expect(try parse("policy --json").invocation()[Porch.json])
        #expect(try parse("policy lock a").invocation().path == ["porch", "policy", "lock"])
    }

    @Test("A hidden command, option or flag works")
    func hidden() throws {
        #expect(try parse("poke").invocation().path == ["porch", "poke"])
        #expect(try parse("reconcile --trace").invocation()[Porch.trace])
    }

    @Test("Running hands back the command's status")
    func running() async throws {
        let command = Command("say", abstract: "Say.", parameters: [Porch.json]) { invocation in
            ExitStatus(invocation[Porch.json] ? 1 : 0)
        }
        #expect(try await command.parse(["--json"]).invocation().run() == ExitStatus(1))
        #expect(try await command.parse([]).invocation().run() == .success)
    }

    @Test("A usage error that is found while running reads like the others")
    func lateError() throws {
        let invocation = try parse("needs a").invocation()
        #expect(
            invocation.text(for: UsageError("No such app.", at: Porch.app)) == """
                error: No such app.
                Help:  <app>  The app's ID.
                Usage: porch needs <app> [--json] [--suite <file>] [--verbose]
                  See 'porch needs --help' for more information.

                """)
    }

    @Test(
        "A duration is a number with a unit",
        arguments: [
            ("2s", Duration.seconds(2), "2s"), ("500ms", .milliseconds(500), "500ms"), ("1m", .seconds(60), "1m"),
            ("1.5s", .milliseconds(1500), "1500ms"), ("90s", .seconds(90), "90s"), ("2h", .seconds(7200), "2h"),
            ("0s", .zero, "0s"), ("0.25ms", .microseconds(250), "0.00025 seconds"),
        ])
    func durations(text: String, duration: Duration, shown: String) {
        #expect(Duration(argument: text) == duration)
        #expect(duration.argumentText == shown)
    }

    @Test(
        "Anything else is no duration",
        arguments: [
            "", "2", "s", "-2s", "+2s", "2 s", ".5s", "2.s", "1.2.3s", "2S", "99999999999999999999s", "२s", "2sec",
        ])
    func badDurations(text: String) { #expect(Duration(argument: text) == nil) }

    @Test("The sample's declarations are sound")
    func sound() { #expect(Porch.root.declarationFaults == []) }

    @Test("Declarations that clash or are out of reach are listed")
    func faults() {
        let optional = Argument<String?>("a", help: "A.")
        let root = Command(
            "x", abstract: "", parameters: [Porch.app], shared: [Porch.json, Porch.json],
            subcommands: [
                Command("y", abstract: "Y.", parameters: [Porch.files, Porch.app]) { _ in .success },
                Command("y", abstract: "Y.", parameters: [optional, Porch.app, Flag("help", help: "")]) { _ in .success
                },
                Command("z", abstract: "Z."),
            ]
        ) { _ in .success }
        #expect(
            root.declarationFaults == [
                "'x' has no abstract",
                "'x' has subcommands, so its arguments are out of reach",
                "'x' declares -j more than once",
                "'x' declares --json more than once",
                "'x' declares the subcommand y more than once",
                "'x y' declares -j more than once",
                "'x y' declares --json more than once",
                "'x y' has <app> after <file>, which takes all",
                "'x y' declares -j more than once",
                "'x y' declares --json more than once",
                "'x y' declares --help more than once",
                "'x y' requires <app> after <a>, which may be left out",
                "'x y' has no help for --help",
                "'x z' neither runs nor has subcommands",
                "'x z' declares -j more than once",
                "'x z' declares --json more than once",
            ])
    }

    @Test("Reading what a command doesn't declare stops the program")
    func undeclared() async {
        await #expect(processExitsWith: .failure) {
            let invocation = try parse("status").invocation()
            _ = invocation[Porch.timeout]
        }
    }

    @Test(
        "The width is that of COLUMNS, else of the terminal, else 80, and never under 40",
        arguments: [
            ("100", 120, 100), (nil, 120, 120), (nil, nil, 80), ("", 90, 90), ("0", nil, 80), ("-5", 70, 70),
            ("wide", nil, 80), ("10", nil, 40), (nil, 20, 40),
        ] as [(String?, Int?, Int)])
    func widths(environment: String?, terminal: Int?, columns: Int) {
        #expect(HelpWidth.columns(environment: environment, terminal: terminal) == columns)
    }
}
