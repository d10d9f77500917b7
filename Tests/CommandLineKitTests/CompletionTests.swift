import CommandLineKit
import Foundation
import Testing

@Suite("Shell completions")
struct CompletionTests {
    /// What is typed, with the word under the cursor last, and what is offered.
    static let cases: [(typed: [String], offered: [String])] = [
        (["st"], ["status"]),
        (["p"], ["plugin", "policy"]),
        (["poke", ""], []),
        (["--v"], ["--verbose", "--version"]),
        (["help", "re"], ["reconcile", "record"]),
        (["plugin", ""], ["check", "new"]),
        (["plugin", "n"], ["new"]),
        (["--suite", "needs", "plugin", "n"], ["new"]),
        (["needs", "--j"], ["--json"]),
        (["needs", "--tr"], []),
        (["run", "--ui", ""], ["auto", "gtk", "plain", "terminal"]),
        (["run", "--ui", "t"], ["terminal"]),
        (["needs", ""], ["com.example.aurora", "com.example.basalt"]),
        (["needs", "com.example.b"], ["com.example.basalt"]),
        (["needs", "com.example.aurora", ""], []),
        (["-v", "needs", "--suite", "x.db", "com.example.b"], ["com.example.basalt"]),
        (["reconcile", "one", "two", "com.example.b"], ["com.example.basalt"]),
        (["record", "app", "step", ""], ["false", "true"]),
        (["record", "app", "--", "step", "t"], ["true"]),
        (["validate", "my"], ["my file.json", "mydir"]),
        (["validate", "one.json", "my"], ["my file.json", "mydir"]),
        (["needs", "--suite", "my"], ["my file.json", "mydir"]),
        (["plugin", "new", "step", "my"], ["mydir"]),
        (["reconcile", "--limit", ""], []),
    ]

    @Test("bash offers what fits", arguments: cases)
    func bash(typed: [String], offered: [String]) throws {
        try Sandbox.with { sandbox in
            let words = (["porch"] + typed).map(sandbox.quoted).joined(separator: " ")
            let answer = try sandbox.run(
                "bash", "--norc", "--noprofile", "-c",
                """
                source \(sandbox.script(.bash)) && cd \(sandbox.work) || exit 9
                complete -p porch >/dev/null || exit 9
                COMP_WORDS=(\(words)) COMP_CWORD=\(typed.count)
                _porch
                [[ ${#COMPREPLY[@]} == 0 ]] || printf '%s\\n' "${COMPREPLY[@]}"
                """)
            #expect(answer.sorted() == offered)
        }
    }

    @Test(
        "bash completes a value after an equals sign, whether or not it breaks words there",
        arguments: [
            (["--ui", "=", "t"], ["terminal"]), (["--ui", "="], ["auto", "terminal", "plain", "gtk"]),
            (["--ui=t"], ["--ui=terminal"]), (["--ui", "=", "plain", "com.example.b"], ["com.example.basalt"]),
            (["--ui=plain", "com.example.b"], ["com.example.basalt"]),
        ])
    func bashEqualsSign(typed: [String], offered: [String]) throws {
        try Sandbox.with { sandbox in
            let words = (["porch", "run"] + typed).map(sandbox.quoted).joined(separator: " ")
            let answer = try sandbox.run(
                "bash", "--norc", "--noprofile", "-c",
                """
                source \(sandbox.script(.bash))
                COMP_WORDS=(\(words)) COMP_CWORD=\(typed.count + 1)
                _porch
                printf '%s\\n' "${COMPREPLY[@]}"
                """)
            #expect(answer == offered)
        }
    }

    @Test("bash neither expands nor runs what the program answers")
    func bashHostileAnswers() throws {
        try Sandbox.with(answers: "$(touch ran)\n`touch ran`\n*\na b\n") { sandbox in
            let answer = try sandbox.run(
                "bash", "--norc", "--noprofile", "-c",
                """
                source \(sandbox.script(.bash)) && cd \(sandbox.work) || exit 9
                COMP_WORDS=(porch needs '') COMP_CWORD=2
                _porch
                printf '%s\\n' "${COMPREPLY[@]}"
                [[ ! -e ran ]]
                """)
            #expect(answer == [#"\$\(touch\ ran\)"#, #"\`touch\ ran\`"#, #"\*"#, #"a\ b"#])
        }
    }

    @Test("fish offers what fits", arguments: cases)
    func fish(typed: [String], offered: [String]) throws {
        try Sandbox.with { sandbox in
            let line = (["porch"] + typed).joined(separator: " ")
            let answer = try sandbox.run(
                "fish", "--no-config", "-c",
                "source \(sandbox.script(.fish)); and cd \(sandbox.work); and complete -C '\(line)'")
            let words = answer.map { String($0.prefix { $0 != "\t" }).replacing("\\ ", with: " ") }
            #expect(words.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }.sorted() == offered)
        }
    }

    @Test("zsh offers what fits")
    func zsh() throws {
        try Sandbox.with { sandbox in
            let lines = Self.cases.map { (["porch"] + $0.typed).joined(separator: " ") }
            let answer = try sandbox.run(
                ["zsh", "-f", sandbox.zshAsker, sandbox.script(.zsh), sandbox.work] + lines)
            let answers = answer.split(separator: "--", omittingEmptySubsequences: false)
            try #require(answers.count == lines.count + 1, "\(answer)")
            for ((typed, offered), answer) in zip(Self.cases, answers) {
                // Where no argument is left, zsh's own custom is to offer the options.
                let isOption = typed.last?.hasPrefix("-") == true
                #expect(Set(answer.filter { isOption || !$0.hasPrefix("-") }).sorted() == offered, "\(typed)")
            }
        }
    }

    @Test(
        "Each shell finds the script well formed",
        arguments: [
            (CompletionShell.bash, ["bash", "-n"]), (.zsh, ["zsh", "-f", "-n"]), (.fish, ["fish", "--no-execute"]),
        ])
    func syntax(shell: CompletionShell, command: [String]) throws {
        try Sandbox.with { sandbox in
            let complaints = try sandbox.run(command + [sandbox.script(shell)])
            #expect(complaints == [])
        }
    }

    @Test("A shell that isn't installed is a failure that says so")
    func missingShell() {
        let missing = #expect(throws: Sandbox.MissingShell.self) {
            try Sandbox.with { _ = try $0.run("no-such-shell") }
        }
        #expect(missing?.description == "no-such-shell isn't installed: apt-get install bash zsh fish")
    }

    @Test("The scripts read as they were last approved", arguments: CompletionShell.allCases)
    func golden(shell: CompletionShell) throws {
        try expectGolden(shell.script(for: Porch.root), "completions.\(shell.rawValue)")
    }

    @Test("Marks that mean something to a shell are nothing but text in help and values")
    func hostileHelp() throws {
        let hostile =
            #"It's [a] (b): $(touch ran) `c` "d" \ %s * ; | & # ~"#
            + " '\u{301}\\\u{301}"
        let root = Command(
            "porch", abstract: "Porch.",
            subcommands: [
                Command(
                    "do", abstract: hostile,
                    parameters: [
                        Option<String?>("it", valueName: "x:y", help: hostile, completion: .values(["a'b", "c d"]))
                    ]
                ) { _ in .success },
                Command("other", abstract: "Other.") { _ in .success },
            ])
        try Sandbox.with(root: root) { sandbox in
            for (shell, command) in [
                (CompletionShell.bash, ["bash", "-n"]), (.zsh, ["zsh", "-n"]), (.fish, ["fish", "-n"]),
            ] {
                let complaints = try sandbox.run(command + [sandbox.script(shell)])
                #expect(complaints == [])
            }
            let fish = "source \(sandbox.script(.fish)); complete -C 'porch d'; complete -C 'porch do --it '"
            let answer = try sandbox.run("fish", "--no-config", "-c", fish)
            #expect(answer == ["do", "a'b", "c d"].map { $0 + "\t" + hostile })
            let lines = ["porch d", "porch do --it "]
            let zsh = try sandbox.run(["zsh", "-f", sandbox.zshAsker, sandbox.script(.zsh), sandbox.work] + lines)
            #expect(zsh == ["do", "--", "a'b", "c d", "--"])
            let bash = "source \(sandbox.script(.bash)); COMP_WORDS=(porch do --it '') COMP_CWORD=3; _porch"
            let answers = try sandbox.run("bash", "--norc", "-c", bash + #"; printf '%s\n' "${COMPREPLY[@]}""#)
            #expect(answers == [#"a\'b"#, #"c\ d"#])
        }
    }
}
