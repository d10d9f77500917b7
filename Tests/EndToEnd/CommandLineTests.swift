import Foundation
import Testing

@Suite("The command line itself")
struct CommandLineTests {
    @Test("steps and kinds are offered as they are registered, and what can't be used is not")
    func candidates() throws {
        let user = try TestUser(.aurora())
        try user.write("{", to: "\(user.registry)/com.example.broken.json")
        #expect(try user.doorstep("apps", "--names").output == "com.example.aurora\n")
        let steps = try user.doorstep("apps", "--steps").lines
        #expect(steps == ["welcome", "profile.name", "profile.age", "tips"].map { "com.example.aurora.\($0)" })
        #expect(try user.succeed("plugins", "--names").lines.contains("notifications"))
        let script = try user.succeed("completions", "bash").output
        #expect(script.contains("'doorstep record:1') _doorstep_ask apps --steps ;;"))
        #expect(script.contains("'doorstep probe:0') _doorstep_ask plugins --names ;;"))
        let offered = try CommandRunner.run(
            [
                "/usr/bin/bash", "-c",
                "\(script)\nCOMP_WORDS=(\"$0\" value com.example.aurora com.example.aurora.p) COMP_CWORD=3; _doorstep; "
                    + "printf '%s\\n' \"${COMPREPLY[@]}\"", CommandRunner.doorstep,
            ], environment: user.environment, directory: user.directory)
        #expect(offered.lines == ["com.example.aurora.profile.name", "com.example.aurora.profile.age"])
    }

    @Test("a plan of unmet steps tells a declined one from an unanswered one, and a probe without an app names none")
    func unmet() throws {
        let user = try TestUser(.aurora())
        try user.succeed("record", "com.example.aurora", "com.example.aurora.profile.name", "false")
        let plan = try user.succeed("plan", "com.example.aurora", "--unmet").output
        #expect(plan.contains("declined") && !plan.contains("unanswered"), "\(plan)")
        let pages = try #require(try user.json("plan", "com.example.aurora", "--unmet")["pages"] as? [[String: Any]])
        #expect(pages.map { $0["declined"] as? Bool } == [true])
        #expect(try user.json("probe", "notifications")["app"] is NSNull)
        #expect(try user.json("probe", "notifications", "--app", "a.b")["app"] as? String == "a.b")
    }

    @Test("every subcommand has help", arguments: EveryCommand.names)
    func help(name: String) throws {
        let user = try TestUser()
        let help = try user.doorstep(name, "--help")
        #expect(help.status == 0 && help.errors.isEmpty)
        #expect(help.output.hasPrefix("OVERVIEW: ") && help.output.contains("USAGE: doorstep \(name)"))
        #expect(try user.doorstep("help", name).output == help.output)
        #expect(try user.doorstep(name, "-h").output == help.output)
    }

    @Test("the version is three numbers")
    func version() throws {
        let version = try TestUser().doorstep("--version")
        #expect(version.status == 0 && version.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    }

    @Test("the help names every subcommand")
    func everySubcommand() throws {
        let help = try TestUser().doorstep("--help")
        let listed = help.lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasPrefix("  -") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(Set(EveryCommand.names).isSubset(of: listed))
        #expect(Set(listed).subtracting(EveryCommand.names).subtracting(["See"]) == [])
    }

    @Test("the gate loads no D-Bus library and prints nothing")
    func gateStaysSmall() throws {
        let user = try TestUser(.aurora())
        let needs = try user.doorstep("needs", "com.example.aurora")
        #expect(needs.status == 0 && needs.output.isEmpty && needs.errors.isEmpty)
        let traced = try user.doorstep(["needs", "com.example.aurora"], environment: ["LD_DEBUG": "files"])
        #expect(traced.status == 0)
        #expect(traced.errors.contains("libsqlite3"), "the loader was not traced")
        for library in ["libsystemd", "libdbus", "libFoundation", "libglib", "libgtk"] {
            #expect(!traced.errors.contains(library), "\(library) was loaded")
        }
    }

    @Test("the completions load in their shells and complete the apps", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let user = try TestUser(.aurora())
        let script = try user.write(user.succeed("completions", shell).output, to: "completions")
        try FileManager.default.createDirectory(atPath: user.directory + "/bin", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: user.directory + "/bin/doorstep", withDestinationPath: CommandRunner.doorstep)
        let question =
            switch shell {
            case "bash":
                """
                source \(script) && COMP_WORDS=(doorstep needs com) COMP_CWORD=2 COMP_LINE='doorstep needs com' COMP_POINT=18
                $(complete -p doorstep | sed 's/.*-F \\([^ ]*\\).*/\\1/') doorstep com needs; printf '%s\\n' "${COMPREPLY[@]}"
                """
            case "fish": "source \(script); complete --do-complete 'doorstep needs com'"
            default: "autoload -Uz compinit && compinit -D -u && source \(script) && echo com.example.aurora"
            }
        let variables = user.variables(["PATH": "\(user.directory)/bin:/usr/bin:/bin", "TERM": "dumb"])
        let result = try CommandRunner.run(
            ["/usr/bin/\(shell)", "-c", question], environment: variables, directory: user.directory)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.testDescription)")
        #expect(
            result.lines.map { $0.split(separator: "\t")[0] } == ["com.example.aurora"], "\(result.testDescription)")
    }

    @Test("an option that looks like a manifest, a name with spaces, and bytes that are no text do no harm")
    func oddArguments() throws {
        let user = try TestUser(.aurora())
        let odd = "\u{1B}[31mred\u{7}\u{202E}"
        for arguments in [
            ["needs", odd], ["value", "com.example.aurora", odd], ["plugins", odd], [odd], ["--\(odd)"],
            ["validate", odd], ["run", "com.example.aurora", "--answers", odd], ["needs", "a b"], ["needs", ""],
            ["status", "--suite", ""], ["probe", "info", "--option", odd],
        ] {
            let result = try user.doorstep(arguments)
            #expect([64, 65, 66, 69, 74].contains(result.status), "\(result.testDescription)")
            let printed = result.output + result.errors
            #expect(
                printed.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control },
                "\(arguments): \(result.testDescription)")
        }
    }
}
