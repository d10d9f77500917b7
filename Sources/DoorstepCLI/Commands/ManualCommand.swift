internal import CommandLineKit

/// `doorstep manual`: the manual page, for man(1).
enum ManualCommand {
    static let command: Command = Command(
        "manual", abstract: "Print the manual page.",
        discussion: """
            For example:
             doorstep manual > ~/.local/share/man/man1/doorstep.1
             man doorstep
            """
    ) { _ in
        try Console.write(ManualPage(of: DoorstepCommand.root, sections: [environment, files]).text)
        return .success
    }

    private static let environment = ManualPage.Section(
        "Environment",
        [
            ("DOORSTEP_SUITE", "The suite's file; --suite goes before it."),
            ("DOORSTEP_REGISTRY_PATH", "The directories of manifests, separated by colons, instead of the usual ones."),
            ("DOORSTEP_PLUGIN_PATH", "The directories of plugins, absolute, instead of the usual ones."),
            ("DOORSTEP_POLICY_PATH", "Directories of policy files beside the usual ones, which go before them."),
            ("DOORSTEP_UI", "Where run shows pages: auto, gtk, terminal or plain."),
            ("DOORSTEP_REDUCED_MOTION", "1 for no slides between pages."),
            ("NO_COLOR", "Pages and tables without colour."),
            ("ACCESSIBLE", "1 for pages line by line, as a screen reader wants them."),
            ("XDG_DATA_HOME, XDG_DATA_DIRS, XDG_CONFIG_DIRS", "Where the usual directories are."),
            ("LANGUAGE, LC_ALL, LC_MESSAGES, LANG", "The languages of pages."),
        ])

    private static let files = ManualPage.Section(
        "Files",
        [
            ("$XDG_DATA_HOME/doorstep/suite.db", "The user's records, inputs and history."),
            (
                "$XDG_DATA_HOME/doorstep/registry, …/doorstep/registry in $XDG_DATA_DIRS",
                "Manifests of apps; the earlier wins."
            ),
            (
                "$XDG_DATA_HOME/doorstep/plugins, …/doorstep/plugins in $XDG_DATA_DIRS, /usr/libexec/doorstep/plugins",
                "Plugins; the earlier wins."
            ),
            ("/etc/doorstep/policy.d, doorstep/policy.d in $XDG_CONFIG_DIRS", "The admin's policy files."),
        ])
}
