/// Completions for bash: tables of what each command has, made from the declarations, and a fixed walk along the words.
///
/// Candidates are compared in the script and not by `compgen -W`, which would run a `$(…)` inside a candidate.
struct BashCompletions {
    let root: ResolvedCommand
    private var f: String { root.functionName }

    init(root: ResolvedCommand) { self.root = root }

    var script: String {
        let tree = root.visibleTree
        return """
            # bash completions for \(root.name)

            # Which subcommands and options a command has, and which options are followed by a value.
            \(f)_model() {
                subcommands='' options='' valued=''
                case $1 in
            \(tree.map(model).joined(separator: "\n"))
                esac
            }

            # Offers the values of an option, or of the argument at a position.
            \(f)_value() {
                case "$1:$2" in
            \(tree.flatMap(values).joined(separator: "\n"))
                esac
            }

            """ + walk + "complete -F \(root.functionName) \(root.name)\n"
    }

    private func model(_ command: ResolvedCommand) -> String {
        let subcommands = command.visibleSubcommands.map(\.command.name).joined(separator: " ")
        let options = command.visibleOptions.flatMap(\.names).joined(separator: " ")
        let valued = command.options.filter { $0.kind == .option }.flatMap(\.names).joined(separator: " ")
        return "    \(shellQuoted(command.name))) "
            + "subcommands=\(shellQuoted(subcommands)) options=\(shellQuoted(options)) valued=\(shellQuoted(valued)) ;;"
    }

    private func values(_ command: ResolvedCommand) -> [String] {
        var lines: [String] = []
        for option in command.options where option.kind == .option {
            let patterns = option.names.map { shellQuoted("\(command.name):\($0)") }.joined(separator: " | ")
            lines.append("    \(patterns)) \(offer(option.completion)) ;;")
        }
        for (position, argument) in command.arguments.enumerated() {
            // The argument that takes all is the last, so its pattern may match every position that is left.
            let pattern = argument.shape.isRepeating ? "\(shellQuoted(command.name + ":"))[0-9]*" : ""
            let exact = shellQuoted("\(command.name):\(position)")
            lines.append("    \(pattern.isEmpty ? exact : pattern)) \(offer(argument.completion)) ;;")
        }
        return lines
    }

    private func offer(_ completion: Completion) -> String {
        switch completion {
        case .none: ":"
        case .files: "\(f)_paths -f"
        case .directories: "\(f)_paths -d"
        case .values(let words): "\(f)_words \(shellQuoted(words))"
        case .command(let arguments): "\(f)_ask \(shellQuoted(arguments))"
        }
    }

    /// The walk along the words; `=` is a word of its own in bash's usual word breaks.
    private var walk: String {
        #"""

        \#(f)_words() {
            local candidate
            for candidate in "$@"; do
                if [[ $candidate == "$cur"* ]]; then
                    printf -v candidate %q "$candidate"
                    COMPREPLY+=("$lead$candidate")
                fi
            done
        }

        \#(f)_paths() {
            local candidate
            compopt -o filenames 2>/dev/null
            while IFS= read -r candidate; do
                COMPREPLY+=("$lead$candidate")
            done < <(compgen "$1" -- "$cur")
        }

        \#(f)_ask() {
            local candidate
            while IFS= read -r candidate; do
                \#(f)_words "$candidate"
            done < <("${COMP_WORDS[0]}" "$@" </dev/null 2>/dev/null)
        }

        \#(f)() {
            local IFS=$' \t\n'
            local cur=${COMP_WORDS[COMP_CWORD]} path='\#(root.name)' option='' lead='' terminated='' word
            local subcommands options valued
            local -i position=0 index
            COMPREPLY=()
            \#(f)_model "$path"
            for ((index = 1; index < COMP_CWORD; index++)); do
                word=${COMP_WORDS[index]}
                if [[ -n $option ]]; then
                    [[ $word == '=' ]] || option=''
                elif [[ -z $terminated && $word == '--' ]]; then
                    terminated=1
                elif [[ -z $terminated && $word == -?* ]]; then
                    if [[ " $valued " == *" $word "* ]]; then option=$word; fi
                elif [[ -z $terminated && " $subcommands " == *" $word "* ]]; then
                    path+=" $word"
                    \#(f)_model "$path"
                else
                    position+=1
                fi
            done
            if [[ -n $option ]]; then
                if [[ $cur == '=' ]]; then cur=''; fi
                \#(f)_value "$path" "$option"
            elif [[ -z $terminated && $cur == --*=* ]]; then
                option=${cur%%=*} lead=${cur%%=*}= cur=${cur#*=}
                \#(f)_value "$path" "$option"
            elif [[ -z $terminated && $cur == -* ]]; then
                \#(f)_words $options
            elif [[ -z $terminated && -n $subcommands ]]; then
                # After a word that is no subcommand, nothing is known of what may follow.
                if ((position == 0)); then \#(f)_words $subcommands; fi
            else
                \#(f)_value "$path" "$position"
            fi
        }

        """#
    }
}
