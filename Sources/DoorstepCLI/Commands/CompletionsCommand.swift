internal import CommandLineKit

/// `doorstep completions SHELL`: a script for the shell.
enum CompletionsCommand {
    static let shell = Argument<CompletionShell>("shell", help: "The shell.")

    static let command: Command = Command(
        "completions", abstract: "Print a completion script for a shell.",
        discussion: """
            For example:
             doorstep completions bash > ~/.local/share/bash-completion/completions/doorstep
             doorstep completions zsh > ~/.zfunc/_doorstep
             doorstep completions fish > ~/.config/fish/completions/doorstep.fish
            """,
        parameters: [shell]
    ) { invocation in
        try Console.write(invocation[shell].script(for: DoorstepCommand.root))
        return .success
    }
}
