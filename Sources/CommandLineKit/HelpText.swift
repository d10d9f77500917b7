/// The help of one command, laid out for a width.
struct HelpText {
    /// The column at which the texts beside the labels begin, and the width under which they go below the labels instead.
    private static let textColumn = 26
    private static let narrow = 60

    let command: ResolvedCommand
    let width: Int

    init(_ command: ResolvedCommand, width: Int) {
        self.command = command
        self.width = max(width, HelpWidth.smallest)
    }

    /// Everything, with a line break at the end.
    var text: String {
        var sections = [wrap("OVERVIEW: " + command.command.abstract)]
        if !command.command.discussion.isEmpty { sections.append(wrap(command.command.discussion)) }
        sections.append(usage(label: "USAGE: "))
        sections.append(section("ARGUMENTS", command.arguments.filter { !$0.isHidden }.map { ($0.label, $0.fullHelp) }))
        sections.append(section("OPTIONS", command.options.filter { !$0.isHidden }.map { ($0.label, $0.fullHelp) }))
        for group in command.command.groups {
            let entries = group.commands.filter { !$0.isHidden }.map { ($0.name, $0.abstract) }
            sections.append(section(Wording.subcommandHeading(group.heading), entries))
        }
        if command.hasSubcommands { sections.append("  " + Wording.seeSubcommandHelp(of: command) + "\n") }
        return sections.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The usage line, its continuation lines under its first word. What belongs together is never torn apart.
    func usage(label: String) -> String {
        var visible = command.declared.filter { !$0.isHidden }
        var words = [command.name]
        if visible.count > 12 {
            visible = visible.filter { $0.kind == .argument || !$0.shape.isOptional }
            words.append("[<options>]")
        }
        words += visible.map(\.usage)
        if command.hasSubcommands { words.append(command.command.action == nil ? "<subcommand>" : "[<subcommand>]") }
        return fill(words, first: label, rest: String(repeating: " ", count: label.count))
    }

    private func section(_ heading: String, _ entries: [(label: String, text: String)]) -> String {
        guard !entries.isEmpty else { return "" }
        let isNarrow = width < Self.narrow
        let indent = String(repeating: " ", count: isNarrow ? 6 : Self.textColumn)
        var result = heading + ":\n"
        for (label, text) in entries {
            let first = "  " + label
            if text.isEmpty {
                result += first + "\n"
            } else if isNarrow || first.count + 2 > Self.textColumn {
                result += first + "\n" + fill(Self.words(text), first: indent, rest: indent)
            } else {
                let padded = first + String(repeating: " ", count: Self.textColumn - first.count)
                result += fill(Self.words(text), first: padded, rest: indent)
            }
        }
        return result
    }

    /// Wraps each line by itself, so that a text's own line breaks stay; lines that begin with a space stay as they are.
    private func wrap(_ text: String) -> String {
        var result = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = Self.words(String(line))
            result += line.hasPrefix(" ") || words.isEmpty ? "\(line)\n" : fill(words, first: "", rest: "")
        }
        return result
    }

    private static func words(_ text: String) -> [String] {
        text.split { $0 == " " || $0 == "\n" }.map(String.init)
    }

    /// Fills lines with words up to the width; a longer word has a line to itself.
    private func fill(_ words: [String], first: String, rest: String) -> String {
        var result = ""
        var line = first
        var isEmpty = true
        for word in words {
            if !isEmpty && line.count + 1 + word.count > width {
                result += line + "\n"
                line = rest
                isEmpty = true
            }
            line += isEmpty ? word : " " + word
            isEmpty = false
        }
        return result + line + "\n"
    }
}
