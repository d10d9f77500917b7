extension Command {
    /// Parses a command line against this command as the root, without running or printing anything.
    ///
    /// - Parameters:
    ///   - arguments: the arguments without the program's name.
    ///   - width: the columns that help is wrapped to, asked for only where there is help to wrap; see ``HelpWidth``.
    package func parse(
        _ arguments: some Collection<String>, width: @autoclosure @escaping @Sendable () -> Int = HelpWidth.standard
    ) -> Outcome {
        var parser = Parser(tokens: Array(arguments), command: ResolvedCommand(root: self))
        do {
            try parser.read()
        } catch {
            // Who asks for help gets it, whatever else is wrong, as long as it is clear for which command.
            guard parser.knowsCommand, parser.asksForHelp || parser.restAsksForHelp else {
                return .usageError(error.text(for: parser.command, width: width()))
            }
            parser.asksForHelp = true
        }
        return parser.outcome(width: width)
    }
}

/// One pass over the tokens of a command line.
private struct Parser {
    let tokens: [String]
    let root: ResolvedCommand
    var command: ResolvedCommand
    var position = 0
    var isTerminated = false
    var knowsCommand = true
    var asksForHelp = false
    var asksForVersion = false
    var positionals: [String] = []
    /// The values of options and flags by key, and the same in the order and spelling they were given.
    var named: [String: [String]] = [:]
    var spellings: [(key: String, spelling: String)] = []

    init(tokens: [String], command: ResolvedCommand) {
        self.tokens = tokens
        self.root = command
        self.command = command
    }

    var restAsksForHelp: Bool {
        !isTerminated && tokens[position...].prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    var optionNames: [String] { command.options.filter { !$0.isHidden }.flatMap(\.names).filter { $0.count > 2 } }

    mutating func read() throws(UsageError) {
        while position < tokens.count {
            let token = tokens[position]
            position += 1
            if isTerminated || !Self.isOption(token) {
                try readPositional(token)
            } else if token == "--" {
                isTerminated = true
            } else if token.hasPrefix("--") {
                try readLong(token)
            } else {
                try readShort(token)
            }
        }
        // An option may stand before the subcommand's name, so only now is it clear who would have to take it. `help` takes
        // none, but whoever has an alias with the root's options may ask for help all the same.
        if command.isHelp { return }
        for (key, spelling) in spellings where option(named: key) == nil {
            throw .unknownOption(spelling, among: optionNames)
        }
    }

    /// A lone dash is a value (standard input, by custom), and so is a negative number.
    private static func isOption(_ token: String) -> Bool {
        guard token.hasPrefix("-"), let second = token.dropFirst().first else { return false }
        return !second.isNumber
    }

    private func option(named name: String) -> Declaration? {
        for option in command.options where option.names.contains(name) { return option }
        return nil
    }

    private mutating func readPositional(_ token: String) throws(UsageError) {
        guard command.hasSubcommands, !isTerminated else { return positionals.append(token) }
        guard let subcommand = command.subcommand(token) else {
            knowsCommand = false
            let names = command.subcommands.filter { !$0.command.isHidden }.map(\.command.name)
            throw .unknownSubcommand(token, among: names)
        }
        command = subcommand
    }

    private mutating func readLong(_ token: String) throws(UsageError) {
        let parts = token.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let option = option(named: parts[0]) else { throw .unknownOption(parts[0], among: optionNames) }
        if option.kind == .option {
            record(option, as: parts[0], parts.count == 2 ? parts[1] : try nextValue(of: option))
        } else {
            if parts.count == 2 { throw .unexpectedValue(parts[1], for: option, named: parts[0]) }
            record(option, as: parts[0], "")
        }
    }

    private mutating func readShort(_ token: String) throws(UsageError) {
        // `-suite` is a slip for `--suite`, not `-s` with the value "uite".
        if token.count > 2 && option(named: "-" + token) != nil { throw .unknownOption(token, among: optionNames) }
        var letters = token.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = option(named: "-\(letter)") else {
                throw .unknownOption("-\(letter)", among: optionNames)
            }
            if option.kind == .option {
                let attached = letters.first == "=" ? letters.dropFirst() : letters
                record(option, as: "-\(letter)", letters.isEmpty ? try nextValue(of: option) : String(attached))
                return
            }
            record(option, as: "-\(letter)", "")
        }
    }

    private mutating func nextValue(of option: Declaration) throws(UsageError) -> String {
        guard position < tokens.count, !Self.isOption(tokens[position]) else { throw .missingValue(option) }
        position += 1
        return tokens[position - 1]
    }

    private mutating func record(_ option: Declaration, as spelling: String, _ value: String) {
        switch option.key {
        case ResolvedCommand.help.key: asksForHelp = true
        case ResolvedCommand.version.key where command.path.count == 1: asksForVersion = true
        default:
            named[option.key, default: []].append(value)
            spellings.append((option.key, spelling))
        }
    }

    /// What is to be done, once every token is read.
    func outcome(width: @escaping @Sendable () -> Int) -> Outcome {
        if asksForHelp { return .output(HelpText(command, width: width()).text) }
        if asksForVersion { return .output((command.command.version ?? "") + "\n") }
        do throws(UsageError) {
            if command.isHelp { return .output(HelpText(try helpTopic(), width: width()).text) }
            if command.command.action == nil && positionals.isEmpty {
                return .output(HelpText(command, width: width()).text)
            }
            let invocation = Invocation(
                resolved: command, width: width, values: try resolveValues(),
                given: Set(named.keys).union(zip(command.arguments, positionals).map(\.0.key)))
            try command.command.validation?(invocation)
            return .run(invocation)
        } catch {
            return .usageError(error.text(for: command, width: width()))
        }
    }

    private func resolveValues() throws(UsageError) -> [String: any Sendable] {
        var values: [String: any Sendable] = [:]
        var rest = positionals[...]
        for declaration in command.declared {
            var texts = named[declaration.key] ?? []
            if declaration.kind == .argument {
                let count = declaration.shape.isRepeating ? rest.count : min(1, rest.count)
                texts = Array(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            values[declaration.key] = try declaration.shape.resolve(texts, declaration)
        }
        if !rest.isEmpty { throw .unexpectedArguments(rest) }
        return values
    }

    private func helpTopic() throws(UsageError) -> ResolvedCommand {
        var topic = root
        for name in positionals {
            guard let next = topic.subcommand(name) else {
                let names = topic.subcommands.filter { !$0.command.isHidden }.map(\.command.name)
                throw .unknownSubcommand(name, among: names)
            }
            topic = next
        }
        return topic
    }
}
