/// The commands that read or write a suite, as they are given for Aurora.
enum EveryCommand {
    private static let app = "com.example.aurora"
    private static let step = "com.example.aurora.tips"

    /// What only reads: none of these ever creates or changes a suite.
    static let reading = asking + administrating

    /// What an app or its user asks.
    static let asking: [[String]] = [
        ["needs", app], ["needs", app, "--verbose"], ["needs", app, "--json"], ["plan", app], ["plan", app, "--json"],
        ["value", app, step], ["value", app, step, "--json"], ["show", app], ["show", app, "--json"], ["status"],
        ["status", "--json"], ["profile", app], ["profile", app, "--json"], ["run", app],
        ["run", app, "--answers", "faulty.json"],
    ]

    /// What an admin looks at.
    static let administrating: [[String]] = [
        ["audit"], ["audit", "--json"], ["audit", "--csv"], ["audit", "--totals"], ["audit", "--verify"], ["history"],
        ["history", "--json"], ["report"], ["export"], ["export", "--format", "csv"], ["policy"], ["policy", "--json"],
        ["doctor"], ["doctor", "--json"],
    ]

    /// What writes, or may write.
    static let writing: [[String]] = [
        ["record", app, step, "true"], ["record", app, step, "false", "--origin", "admin"], ["clear", app, step],
        ["reset", app], ["sign-out", app], ["run", app, "--answers", "answers.json"], ["unregister", app],
    ]

    /// What asks the checks and writes only where one is satisfied.
    static let reconciling: [[String]] = [
        ["needs", app, "--reconcile"], ["reconcile", app], ["reconcile", "--all", "--json"],
    ]

    /// What needs no suite at all.
    static let suiteless: [[String]] = [
        ["apps"], ["apps", "--names"], ["apps", "--json"], ["plugins"], ["plugins", "--json"], ["plugins", "profile"],
        ["completions", "bash"], ["completions", "zsh"], ["completions", "fish"], ["manual"],
        ["validate", "com.example.aurora.json"],
        ["validate", "com.example.aurora.json", "--json"], ["register", "com.example.aurora.json"], ["--version"],
        ["--help"], ["help", "run"],
    ]

    /// The names of all subcommands.
    static let names = [
        "validate", "register", "unregister", "apps", "show", "needs", "plan", "run", "value", "profile", "sign-out",
        "record", "clear", "reset", "reconcile", "plugins", "probe", "plugin", "status", "completions", "manual",
        "audit", "history", "report", "export", "import", "erase", "policy", "doctor", "backup",
    ]

    /// Puts the files that the commands name into a user's directory.
    static func prepare(_ user: TestUser) throws {
        try user.write(TestManifest.aurora().text, to: "com.example.aurora.json")
        try user.write(#"{ "com.example.aurora.profile.name": { "name": "Ada Lovelace" } }"#, to: "answers.json")
        try user.write(#"{ "com.example.aurora.profile.name": { "name": 7 } }"#, to: "faulty.json")
    }
}
