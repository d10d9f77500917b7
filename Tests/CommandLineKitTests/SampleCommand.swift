import CommandLineKit

/// A command with everything in it that the kit can declare; its action hands back what it was given.
enum Porch {
    enum Presenter: String, CaseIterable, ArgumentValue { case auto, terminal, plain, gtk }

    static let suite = Option<String?>(
        "suite", short: "s", valueName: "file", help: "The suite to use instead of $PORCH_SUITE.", completion: .files)
    static let json = Flag("json", short: "j", help: "Print JSON with a \"version\" of 1.")
    static let verbose = Flag("verbose", short: "v", help: "Say more on standard error.")
    static let trace = Flag("trace", help: "Print every step of the pass.", isHidden: true)
    static let app = Argument<String>("app", help: "The app's ID.", completion: .command(["apps", "--names"]))

    static let step = Argument<String>("step", help: "The step's ID.")
    static let value = Argument<Bool>("value", help: "What to record.")
    static let presenter = Option<Presenter>("ui", help: "Where the pages are shown.", default: .auto)
    static let answers = Option<String?>(
        "answers", valueName: "file", help: "A file of answers by step ID, for kiosks and tests.", completion: .files)
    static let files = Argument<[String]>(
        "file", help: "The manifests to check.", isRequired: true, completion: .files)
    static let apps = Argument<[String]>(
        "app", help: "The apps; all if none is named.", completion: .command(["apps", "--names"]))
    static let all = Flag("all", help: "Check every registered app.")
    static let timeout = Option<Duration>("timeout", help: "How long one check may take.", default: .seconds(2))
    static let limit = Option<Int?>("limit", short: "n", valueName: "count", help: "How many checks run side by side.")
    static let pairs = Option<[String]>(
        "option", short: "o", valueName: "key=value", help: "An option of the check; may be repeated.")
    static let language = Option<Language>("language", help: "The language to write the plugin in.")
    static let directory = Argument<String?>("directory", help: "Where to put it.", completion: .directories)
    static let names = Flag("names", help: "Print the IDs alone.")

    enum Language: String, CaseIterable, ArgumentValue { case sh, python, swift }

    static func command(
        _ name: String, _ abstract: String, _ parameters: [any Parameter], discussion: String = "",
        isHidden: Bool = false, validate: Command.Validation? = nil
    ) -> Command {
        Command(
            name, abstract: abstract, discussion: discussion, isHidden: isHidden, parameters: parameters,
            validate: validate
        ) { _ in .success }
    }

    static let root = Command(
        "porch",
        abstract: "Keeps what people have seen before they came in.",
        discussion: """
            Results go to standard output, everything else to standard error. Every reading command prints JSON if it is asked to.

            Exit statuses: 0 done, 1 no, 64 usage.
            """,
        version: "1.2.3",
        shared: [suite, verbose],
        subcommands: [command("status", "Show every app on one screen.", [json])],
        groups: [
            CommandGroup(
                "Maintainer",
                [
                    command("validate", "Check manifests and print every fault at once.", [files]),
                    command("apps", "List the registered apps.", [json, names]),
                ]),
            CommandGroup(
                "Launch",
                [
                    command("needs", "Say whether an app still needs its onboarding.", [app, json]),
                    command(
                        "run", "Show an app's onboarding.", [app, presenter, answers],
                        discussion: """
                            The answers file is a JSON object from step ID to an answer:

                              { "com.example.aurora.profile.name": { "name": "Ada" }, "com.example.aurora.reqs.notifications": false }

                            A step that isn't named is left as if the user moved past it.
                            """),
                ]),
            CommandGroup(
                "Development",
                [
                    command("record", "Record an answer.", [app, step, value]),
                    command(
                        "reconcile", "Run the checks and record what they find.",
                        [apps, all, timeout, limit, pairs, trace, json]
                    ) { (invocation) throws(UsageError) in
                        if invocation[all] && !invocation[apps].isEmpty {
                            throw UsageError("Name apps or give '--all', not both.", at: all)
                        }
                    },
                    command("poke", "Wake the sleeping.", [], isHidden: true),
                    Command(
                        "plugin", abstract: "Work on plugins.",
                        subcommands: [
                            command("new", "Make a plugin to start from.", [step, directory, language]),
                            command("check", "Try a plugin against the contract.", [files]),
                        ]),
                    Command(
                        "policy", abstract: "Show the policy.", parameters: [json],
                        subcommands: [command("lock", "Lock a step.", [step])]
                    ) { _ in .success },
                ]),
        ])
}

extension Outcome {
    /// The invocation, or a failure with the text that came instead.
    func invocation() throws -> Invocation {
        switch self {
        case .run(let invocation): return invocation
        case .output(let text), .usageError(let text): throw Unexpected(text: text)
        }
    }

    var output: String? { if case .output(let text) = self { text } else { nil } }
    var usageError: String? { if case .usageError(let text) = self { text } else { nil } }

    struct Unexpected: Error { let text: String }
}

/// A command line as it is typed, split at spaces.
func parse(_ line: String, width: Int = 80) -> Outcome {
    Porch.root.parse(line.split(separator: " ").map(String.init), width: width)
}
