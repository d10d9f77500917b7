/// Subcommands that are listed under one heading.
package struct CommandGroup: Sendable {
    /// The heading without the word "subcommands"; `nil` for the plain `SUBCOMMANDS`.
    package let heading: String?
    /// The commands in the order they are listed.
    package let commands: [Command]

    /// Declares a group: `CommandGroup("Admin", [audit, history])` is listed under `ADMIN SUBCOMMANDS`.
    package init(_ heading: String?, _ commands: [Command]) {
        self.heading = heading
        self.commands = commands
    }
}
