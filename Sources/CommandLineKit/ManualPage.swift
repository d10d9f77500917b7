/// The manual page of a program, made from its commands, for man(1) to format.
package struct ManualPage {
    /// A part of the page that isn't about commands: a heading and what stands under it.
    package struct Section: Sendable {
        let title: String
        let entries: [(term: String, text: String)]

        /// Declares a part, such as FILES, with its terms in order.
        package init(_ title: String, _ entries: [(term: String, text: String)]) {
            self.title = title
            self.entries = entries
        }
    }

    private let root: ResolvedCommand
    private let sections: [Section]

    /// - Parameter sections: What follows the commands.
    package init(of root: Command, sections: [Section] = []) {
        self.root = ResolvedCommand(root: root)
        self.sections = sections
    }

    /// The page, in the macros of man(7).
    package var text: String {
        let name = root.name
        var page = ".TH \(Self.escaped(name.uppercased())) 1 \"\" \"\(Self.escaped(name + version))\"\n"
        page += ".SH NAME\n\(Self.escaped(name)) \\- \(Self.line(Self.withoutStop(root.command.abstract)))\n"
        page += ".SH SYNOPSIS\n" + synopsis(root)
        page += ".SH DESCRIPTION\n" + Self.paragraphs(root.command.discussion)
        page += ".SH OPTIONS\n" + parameters(root)
        for group in root.command.groups {
            page += ".SH \(Self.escaped((group.heading ?? "Commands").uppercased()))\n"
            for command in group.commands where !command.isHidden { page += described(root.child(command)) }
        }
        for section in sections {
            page += ".SH \(Self.escaped(section.title.uppercased()))\n"
            for entry in section.entries { page += Self.entry(entry.term, entry.text) }
        }
        return page
    }

    private var version: String { root.command.version.map { " " + $0 } ?? "" }

    /// A command and those below it.
    private func described(_ command: ResolvedCommand) -> String {
        let words = command.path.dropFirst().joined(separator: " ")
        var text =
            ".SS \(Self.escaped(words))\n" + synopsis(command) + ".PP\n" + Self.line(command.command.abstract) + "\n"
        if !command.command.discussion.isEmpty { text += ".PP\n" + Self.paragraphs(command.command.discussion) }
        text += parameters(command)
        for subcommand in command.visibleSubcommands { text += described(subcommand) }
        return text
    }

    private func synopsis(_ command: ResolvedCommand) -> String {
        var words = command.declared.filter { !$0.isHidden }.map(\.usage)
        if command.hasSubcommands { words.append("<subcommand>") }
        return ".B \(Self.escaped(command.name))\n"
            + (words.isEmpty ? "" : Self.line(words.joined(separator: " ")) + "\n")
    }

    /// What a command takes itself; what every command takes stands under the root's options alone.
    private func parameters(_ command: ResolvedCommand) -> String {
        let isRoot = command.path.count == 1
        let everywhere = Set(root.options.map(\.key))
        return (command.arguments + command.options).filter { !$0.isHidden && (isRoot || !everywhere.contains($0.key)) }
            .map { Self.entry($0.label, $0.fullHelp) }.joined()
    }

    private static func entry(_ term: String, _ text: String) -> String {
        ".TP\n.B \(escaped(term))\n\(line(text.isEmpty ? " " : text))\n"
    }

    /// Lines that begin with a space are examples and stay as they are.
    private static func paragraphs(_ text: String) -> String {
        var (result, isExample) = ("", false)
        for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let begins = part.utf8.first == UInt8(ascii: " ")
            if begins != isExample { result += begins ? ".nf\n" : ".fi\n" }
            isExample = begins
            result += part.isEmpty ? ".PP\n" : line(String(part)) + "\n"
        }
        return result + (isExample ? ".fi\n" : "")
    }

    private static func withoutStop(_ text: String) -> String {
        text.utf8.last == UInt8(ascii: ".") ? String(text.dropLast()) : text
    }

    /// A line of text: one that begins as a request does is none.
    private static func line(_ text: String) -> String {
        let first = text.utf8.first
        return (first == UInt8(ascii: ".") || first == UInt8(ascii: "'") ? "\\&" : "") + escaped(text)
    }

    /// Characters that mean something to roff, or that it would make prettier: what is typed must be copied as it is.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            case "\"": result += "\\(dq"
            case "\n": result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
