internal import CommandLineKit

/// The tree of commands, under the headings of the people who use them.
enum DoorstepCommand {
    /// The tree that a command line is read with. The gate is asked at each launch of each app, so it doesn't wait for the
    /// other commands to be made; nothing that it prints names them.
    static func tree(for arguments: some Collection<String>) -> Command {
        arguments.first == "needs" ? gate : root
    }

    private static let gate = tree([CommandGroup("At launch", [NeedsCommand.command])])

    /// Every command.
    static let root = tree([
        CommandGroup(
            "App maintainers",
            [
                ValidateCommand.command, RegisterCommand.command, UnregisterCommand.command, AppsCommand.command,
                ShowCommand.command,
            ]),
        CommandGroup(
            "At launch",
            [
                NeedsCommand.command, PlanCommand.command, RunCommand.command, ValueCommand.command,
                ProfileCommand.command, SignOutCommand.command,
            ]),
        CommandGroup("Development", [RecordCommand.command, ClearCommand.command, ResetCommand.command]),
        CommandGroup("Checks", [ReconcileCommand.command, PluginsCommand.command, ProbeCommand.command]),
        CommandGroup("Plugin authors", [PluginCommand.command]),
        CommandGroup("Admins", AdminCommands.all),
        CommandGroup("Everyone", [StatusCommand.command, CompletionsCommand.command, ManualCommand.command]),
    ])

    private static func tree(_ groups: [CommandGroup]) -> Command {
        Command(
            "doorstep", abstract: "The onboarding registry for a family of apps.",
            discussion: """
                Exit statuses: 0 done, or yes; 1 no, or left before the end; 64 usage; 65 invalid manifest, answers or options; \
                66 no such app, step, kind or file; 69 something needed isn't there; 70 a fault in doorstep; 74 the suite can't \
                be read or written; 75 the suite stayed busy; 77 not allowed.
                """,
            version: Release.version, shared: [Parameters.suite], groups: groups)
    }
}
