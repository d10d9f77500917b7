/// Completions for zsh: one function a command, each a call of zsh's own `_arguments`.
struct ZshCompletions {
    let root: ResolvedCommand
    private var f: String { root.functionName }

    init(root: ResolvedCommand) { self.root = root }

    var script: String {
        """
        #compdef \(root.name)
        # zsh completions for \(root.name)

        # Offers what the program itself answers.
        (( $+functions[\(f)-ask] )) || \(f)-ask() {
            local -a answers=("${(@f)$("$\(f)_program" "$@" </dev/null 2>/dev/null)}")
            compadd -a answers
        }

        \(root.visibleTree.map(function).joined(separator: "\n"))
        if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
            \(f) "$@"
        else
            compdef \(f) \(root.name)
        fi

        """
    }

    private func function(_ command: ResolvedCommand) -> String {
        let isRoot = command.path.count == 1
        var specs = command.visibleOptions.flatMap(specs)
        var dispatch = ""
        if command.hasSubcommands {
            specs += ["'1: :->command'", "'*:: :->rest'"]
            dispatch = self.dispatch(command)
        } else {
            specs += command.arguments.map { argument in
                let marker = argument.shape.isRepeating ? "*" : argument.shape.isOptional ? ":" : ""
                return shellQuoted("\(marker):\(Self.colonsEscaped(argument.valueName)):\(action(argument.completion))")
            }
        }
        return """
            \(command.functionName)() {
                local curcontext="$curcontext" state line
                local -A opt_args\(isRoot ? "\n    local \(f)_program=$words[1]" : "")
                _arguments -C -s \(command.hasSubcommands ? "-A '-*' " : "-S ")\\
                    \(specs.joined(separator: " \\\n        "))
            \(dispatch)}

            """
    }

    private func dispatch(_ command: ResolvedCommand) -> String {
        let entries = command.visibleSubcommands.map { subcommand in
            shellQuoted("\(subcommand.command.name):" + backslashed(subcommand.command.abstract, marks: #"\"#))
        }
        let calls = command.visibleSubcommands.map { "        \($0.command.name)) \($0.functionName) ;;" }
        return """
                case $state in
                command)
                    local -a subcommands=(
                        \(entries.joined(separator: "\n            "))
                    )
                    _describe -t commands subcommand subcommands
                    ;;
                rest)
                    case $line[1] in
            \(calls.joined(separator: "\n"))
                    esac
                    ;;
                esac

            """
    }

    private func specs(_ option: Declaration) -> [String] {
        var tail = "[\(backslashed(option.help, marks: #"\[]:"#))]"
        if option.kind == .option { tail += ":\(Self.colonsEscaped(option.valueName)):\(action(option.completion))" }
        let names = option.names.map { name in option.kind == .option ? name + (name.count > 2 ? "=" : "+") : name }
        if option.shape.isRepeating { return names.map { shellQuoted("*" + $0 + tail) } }
        // `_arguments` takes each name by itself; the list in front keeps it from offering the other one after it.
        let exclusive = "(\(option.names.joined(separator: " ")))"
        return names.map { shellQuoted(exclusive + $0 + tail) }
    }

    private func action(_ completion: Completion) -> String {
        switch completion {
        case .none: " "
        case .files: "_files"
        case .directories: "_files -/"
        case .values(let words): "(\(Self.colonsEscaped(shellQuoted(words))))"
        case .command(let arguments): "{\(f)-ask \(Self.colonsEscaped(shellQuoted(arguments)))}"
        }
    }

    /// `_arguments` splits at colons; actions are evaluated besides, so their words are quoted before.
    private static func colonsEscaped(_ text: String) -> String { backslashed(text, marks: ":") }
}
