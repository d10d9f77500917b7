extension Command {
    /// What is wrong with the declarations of this command and everything below it: empty, unless the program has a mistake.
    ///
    /// One test that expects an empty list makes every clash of names and every argument out of reach a failure of the
    /// build, not of a command line.
    package var declarationFaults: [String] {
        ResolvedCommand(root: self).faults
    }
}

extension ResolvedCommand {
    fileprivate var faults: [String] {
        var faults: [String] = []
        if command.abstract.isEmpty { faults.append("has no abstract") }
        if command.action == nil && !hasSubcommands { faults.append("neither runs nor has subcommands") }
        if hasSubcommands && !arguments.isEmpty { faults.append("has subcommands, so its arguments are out of reach") }

        var names: Set<String> = []
        for name in (declared + builtIn).flatMap({ $0.kind == .argument ? [$0.key] : $0.names })
        where !names.insert(name).inserted {
            faults.append("declares \(name) more than once")
        }
        var subcommands: Set<String> = []
        for name in command.groups.flatMap(\.commands).map(\.name) where !subcommands.insert(name).inserted {
            faults.append("declares the subcommand \(name) more than once")
        }
        for (previous, next) in zip(arguments, arguments.dropFirst()) {
            if previous.shape.isRepeating { faults.append("has \(next.key) after \(previous.key), which takes all") }
            if previous.shape.isOptional && !next.shape.isOptional {
                faults.append("requires \(next.key) after \(previous.key), which may be left out")
            }
        }
        for declaration in declared where declaration.help.isEmpty {
            faults.append("has no help for \(declaration.key)")
        }
        return faults.map { "'\(name)' \($0)" } + command.groups.flatMap { $0.commands.flatMap { child($0).faults } }
    }
}
