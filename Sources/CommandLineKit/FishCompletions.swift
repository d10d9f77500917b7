/// Completions for fish: one `complete` line a candidate list, each under the condition that its command was typed.
struct FishCompletions {
    let root: ResolvedCommand
    /// fish has no private functions; two underscores are its custom for them.
    private var f: String { "_" + root.functionName }

    init(root: ResolvedCommand) { self.root = root }

    var script: String {
        let tree = root.visibleTree
        let commands = tree.dropFirst().map { Self.quoted($0.name) }.joined(separator: " ")
        let valued = tree.flatMap { command in
            command.options.filter { $0.kind == .option }.flatMap(\.names).map { Self.quoted("\(command.name) \($0)") }
        }
        return """
            # fish completions for \(root.name)

            set -g \(f)_commands \(commands)
            set -g \(f)_valued \(valued.joined(separator: " "))

            # Prints the command that was typed so far, and how many arguments it has.
            function \(f)_state
                set -l words (commandline -opc)
                set -e words[1]
                set -l path \(Self.quoted(root.name))
                set -l position 0
                set -l skips ''
                set -l terminated ''
                for word in $words
                    if test -n "$skips"
                        set skips ''
                    else if test -z "$terminated" -a "x$word" = x--
                        set terminated 1
                    else if test -z "$terminated"; and string match -q -- '-?*' $word
                        contains -- "$path $word" $\(f)_valued; and set skips 1
                    else if test -z "$terminated"; and contains -- "$path $word" $\(f)_commands
                        set path "$path $word"
                    else
                        set position (math $position + 1)
                    end
                end
                echo $path
                echo $position
            end

            # Whether this command was typed, and is at this position if one is named.
            function \(f)_at
                set -l state (\(f)_state)
                test "$state[1]" = "$argv[1]"; or return 1
                test (count $argv) -eq 1; or test $state[2] $argv[2] $argv[3]
            end

            # Prints what the program itself answers.
            function \(f)_ask
                set -l words (commandline -opc)
                command $words[1] $argv </dev/null 2>/dev/null
            end

            complete -c \(root.name) -f

            """ + tree.flatMap(lines).map { $0 + "\n" }.joined()
    }

    private func lines(_ command: ResolvedCommand) -> [String] {
        let condition = "\(f)_at \(Self.quoted(command.name))"
        var lines = command.visibleSubcommands.map { subcommand in
            line(
                condition + " -eq 0",
                "-a \(Self.quoted(subcommand.command.name)) -d \(Self.quoted(subcommand.command.abstract))")
        }
        for option in command.visibleOptions {
            let names = option.names.map { $0.hasPrefix("--") ? "-l \($0.dropFirst(2))" : "-s \($0.dropFirst())" }
            let value = option.kind == .option ? " -r \(offer(option.completion))" : ""
            lines.append(line(condition, names.joined(separator: " ") + value + " -d \(Self.quoted(option.help))"))
        }
        for (position, argument) in command.arguments.enumerated() {
            if case .none = argument.completion { continue }
            let place = "\(condition) \(argument.shape.isRepeating ? "-ge" : "-eq") \(position)"
            lines.append(line(place, offer(argument.completion)))
        }
        return lines
    }

    private func line(_ condition: String, _ rest: String) -> String {
        "complete -c \(root.name) -n \(Self.quoted(condition)) \(rest)"
    }

    private func offer(_ completion: Completion) -> String {
        switch completion {
        case .none: "-f"
        case .files: "-F"
        case .directories: "-f -a '(__fish_complete_directories)'"
        case .values(let words): "-f -a \(Self.quoted(words.map(Self.quoted).joined(separator: " ")))"
        case .command(let arguments):
            "-f -a \(Self.quoted("(\(f)_ask \(arguments.map(Self.quoted).joined(separator: " ")))"))"
        }
    }

    /// In fish's single quotes a backslash still escapes itself and the quote.
    private static func quoted(_ text: String) -> String {
        if isPlainWord(text) { return text }
        return "'" + backslashed(text, marks: #"'\"#) + "'"
    }
}
