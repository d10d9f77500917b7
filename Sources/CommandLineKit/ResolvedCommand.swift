/// A command at its place in the tree: with its path, what it inherits and what every command has.
struct ResolvedCommand: Sendable {

    let command: Command
    let path: [String]
    let inherited: [Declaration]
    /// Whether this is the `help` that the root has by itself.
    let isHelp: Bool

    init(root: Command) { self.init(root, path: [root.name], inherited: [], isHelp: false) }

    private init(_ command: Command, path: [String], inherited: [Declaration], isHelp: Bool) {
        self.command = command
        self.path = path
        self.inherited = inherited
        self.isHelp = isHelp
    }

    static let help = Flag("help", short: "h", help: Wording.helpFlag).declaration
    static let version = Flag("version", help: Wording.versionFlag).declaration

    var name: String { path.joined(separator: " ") }

    /// What the command reads.
    ///
    /// What a command declares itself stands in the place of something inherited with the same name.
    var declared: [Declaration] {
        let own = command.parameters + command.shared
        let keys = Set(own.map(\.key))
        return own + inherited.filter { !keys.contains($0.key) }
    }

    /// The flags that the parser answers by itself.
    var builtIn: [Declaration] {
        path.count == 1 && command.version != nil ? [Self.version, Self.help] : [Self.help]
    }

    var arguments: [Declaration] { declared.filter { $0.kind == .argument } }
    var options: [Declaration] { declared.filter { $0.kind != .argument } + builtIn }

    var hasSubcommands: Bool { !command.groups.isEmpty }

    /// The declared subcommands, and the root's `help` at the end.
    var subcommands: [ResolvedCommand] {
        var all = command.groups.flatMap { $0.commands.map(child) }
        if path.count == 1 && hasSubcommands { all.append(helpCommand) }
        return all
    }

    func subcommand(_ name: String) -> ResolvedCommand? {
        for group in command.groups {
            for command in group.commands where command.name == name { return child(command) }
        }
        return name == "help" && path.count == 1 && hasSubcommands ? helpCommand : nil
    }

    func child(_ command: Command) -> ResolvedCommand {
        ResolvedCommand(
            command, path: path + [command.name], inherited: self.command.shared + inherited, isHelp: false)
    }

    /// This command and everything below it, but for what is hidden.
    var visibleTree: [ResolvedCommand] {
        [self] + subcommands.filter { !$0.command.isHidden }.flatMap(\.visibleTree)
    }

    private var helpCommand: ResolvedCommand {
        let names = command.groups.flatMap(\.commands).filter { !$0.isHidden }.map(\.name)
        let subcommand = Argument<[String]>("subcommand", help: Wording.helpArgument, completion: .values(names))
        let command = Command("help", abstract: Wording.helpCommand, parameters: [subcommand]) { _ in .success }
        return ResolvedCommand(command, path: path + ["help"], inherited: [], isHelp: true)
    }
}
