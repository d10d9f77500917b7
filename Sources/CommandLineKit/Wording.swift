/// Every sentence that the parser says by itself, but for the errors in ``UsageError``'s own extension.
enum Wording {
    static let helpFlag = "Show help information."
    static let versionFlag = "Show the version."
    static let helpCommand = "Show help for a command."
    static let helpArgument = "The command, with the names that lead to it."

    static let usageLabel = "Usage: "

    static func error(_ message: String) -> String { "error: \(message)" }

    static func help(of declaration: Declaration) -> String {
        "Help:  \(declaration.synopsis)  \(declaration.fullHelp)"
    }

    static func seeHelp(of command: ResolvedCommand) -> String { "See '\(command.name) --help' for more information." }

    static func seeSubcommandHelp(of command: ResolvedCommand) -> String {
        let words = [command.path[0], "help"] + command.path.dropFirst()
        return "See '\(words.joined(separator: " ")) <subcommand>' for detailed help."
    }

    static func subcommandHeading(_ heading: String?) -> String {
        heading.map { $0.uppercased() + " SUBCOMMANDS" } ?? "SUBCOMMANDS"
    }

    static func didYouMean(_ suggestion: String?) -> String {
        suggestion.map { " Did you mean \(quoted($0))?" } ?? ""
    }

    /// The text in quotes, with control characters made visible, so that nothing typed by mistake steers the terminal.
    static func quoted(_ text: String) -> String {
        var result = "'"
        for scalar in text.unicodeScalars {
            result += scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
        }
        return result + "'"
    }

    /// `'a'`, `'a' or 'b'`, `'a', 'b' or 'c'`.
    static func choice(_ texts: [String]) -> String {
        let all = texts.map(quoted)
        guard let last = all.last, all.count > 1 else { return all.joined() }
        return all.dropLast().joined(separator: ", ") + " or " + last
    }
}

extension UsageError {
    static func unknownOption(_ name: String, among names: [String]) -> UsageError {
        let suggestion = name.hasPrefix("--") || name.count > 2 ? closest(to: name, among: names) : nil
        return sentence("Unknown option \(Wording.quoted(name))", then: Wording.didYouMean(suggestion))
    }

    static func unknownSubcommand(_ name: String, among names: [String]) -> UsageError {
        sentence(
            "Unknown subcommand \(Wording.quoted(name))", then: Wording.didYouMean(closest(to: name, among: names)))
    }

    static func missing(_ declaration: Declaration) -> UsageError {
        let what = declaration.synopsis + (declaration.shape.isRepeating ? " ..." : "")
        return UsageError("Missing expected argument '\(what)'", culprit: declaration)
    }

    static func missingValue(_ declaration: Declaration) -> UsageError {
        UsageError("Missing value for '\(declaration.synopsis)'", culprit: declaration)
    }

    static func unexpectedValue(_ value: String, for declaration: Declaration, named name: String) -> UsageError {
        UsageError(
            "The option '\(name)' does not take any value, but \(Wording.quoted(value)) was specified.",
            culprit: declaration)
    }

    static func unexpectedArguments(_ values: ArraySlice<String>) -> UsageError {
        let list = values.map(Wording.quoted).joined(separator: ", ")
        return UsageError(
            values.count == 1 ? "Unexpected argument \(list)" : "\(values.count) unexpected arguments: \(list)")
    }

    static func invalid(_ value: String, for declaration: Declaration, expected: String?) -> UsageError {
        var advice = expected.map { " Please provide \($0)." } ?? ""
        let allowed = declaration.shape.allowed
        if let suggestion = closest(to: value, among: allowed) { advice = Wording.didYouMean(suggestion) }
        if !allowed.isEmpty { advice += " Please provide one of \(Wording.choice(allowed))." }
        return sentence(
            "The value \(Wording.quoted(value)) is invalid for '\(declaration.synopsis)'", then: advice,
            culprit: declaration)
    }

    /// Ends the first sentence with a full stop only where another follows, as ArgumentParser does.
    private static func sentence(_ first: String, then rest: String, culprit: Declaration? = nil) -> UsageError {
        UsageError(rest.isEmpty ? first : "\(first).\(rest)", culprit: culprit)
    }
}
