/// A shell that completions can be written for.
package enum CompletionShell: String, CaseIterable, ArgumentValue {
    case bash
    case zsh
    case fish

    /// The script that completes the root command and everything below it, to be sourced or installed.
    ///
    /// Hidden commands, options and flags aren't offered.
    package func script(for root: Command) -> String {
        let tree = ResolvedCommand(root: root)
        switch self {
        case .bash: return BashCompletions(root: tree).script
        case .zsh: return ZshCompletions(root: tree).script
        case .fish: return FishCompletions(root: tree).script
        }
    }
}

extension ResolvedCommand {
    /// The name as a part of shell function names.
    var functionName: String {
        "_" + path.map { String($0.map { $0.isLetter || $0.isNumber ? $0 : "_" }) }.joined(separator: "__")
    }

    var visibleSubcommands: [ResolvedCommand] { subcommands.filter { !$0.command.isHidden } }
    var visibleOptions: [Declaration] { options.filter { !$0.isHidden } }
}

/// Whether a text is the same word to every shell without quotes.
func isPlainWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-_./".utf8.contains($0) }
}

/// The text as one word for bash and zsh, whatever it holds.
func shellQuoted(_ text: String) -> String {
    if isPlainWord(text) { return text }
    // By scalars: an apostrophe under a mark is another character, but an apostrophe to the shell.
    let parts = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.map { String($0) }.joined(separator: #"'\''"#) + "'"
}

/// The texts as words for bash and zsh.
func shellQuoted(_ texts: [String]) -> String { texts.map(shellQuoted).joined(separator: " ") }

/// The text with a backslash before each of these marks, whatever is combined with them.
func backslashed(_ text: String, marks: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        if marks.unicodeScalars.contains(scalar) { escaped.append("\\") }
        escaped.append(scalar)
    }
    return String(escaped)
}
