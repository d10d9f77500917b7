/// A command: its name, its help, what it takes and what it does, declared as one value.
///
/// A tree of commands is the only model: parsing, help, error texts and shell completions are all made from it. Declaring,
/// parsing, validating and running are separate, so that each can be tested without a process:
///
/// ```swift
/// internal import CommandLineKit
///
/// // Declared once, used by every command that takes it.
/// let suite = Option<String?>("suite", valueName: "file", help: "The suite to use.", completion: .files)
///
/// enum Presenter: String, CaseIterable, ArgumentValue { case auto, terminal, plain, gtk }
///
/// enum Run {
///     static let app = Argument<String>("app", help: "The app's ID.", completion: .command(["apps", "--names"]))
///     static let ui = Option<Presenter>("ui", help: "Where the pages are shown.", default: .auto)
///     static let timeout = Option<Duration>("timeout", help: "How long one check may take.", default: .seconds(2))
///     static let json = Flag("json", help: "Print JSON.")
///
///     static let command = Command(
///         "run", abstract: "Show an app's onboarding.", parameters: [app, ui, timeout, json]
///     ) { invocation in
///         let app = invocation[app]          // String: required, so it is there
///         let presenter = invocation[ui]     // Presenter
///         let path = invocation[suite]       // String?
///         …
///         return .success
///     }
/// }
///
/// let root = Command(
///     "doorstep", abstract: "The onboarding registry.", version: "1.0.0", shared: [suite],
///     groups: [CommandGroup("Launch", [Run.command]), CommandGroup("Developer", [Record.command])])
///
/// // main.swift
/// switch root.parse(CommandLine.arguments.dropFirst(), width: HelpWidth.columns(environment: columns, terminal: nil)) {
/// case .run(let invocation): exit(try await invocation.run().code)
/// case .output(let text): print(text, terminator: ""); exit(ExitStatus.success.code)
/// case .usageError(let text): writeToStandardError(text); exit(ExitStatus.usage.code)
/// }
/// ```
///
/// The type of a parameter says how often it is given: `Argument<String>` is required unless it has a default,
/// `Argument<String?>` is optional, `Argument<[String]>` takes all that follow; the same for ``Option``.
package struct Command: Sendable {
    /// What a command does once its arguments are known to be good.
    ///
    /// It may throw a ``UsageError``, to be shown with ``Invocation/text(for:)``, or any error of its own.
    package typealias Action = @Sendable (Invocation) async throws -> ExitStatus
    /// A check across parameters, after each of them is known to be good and before the action.
    package typealias Validation = @Sendable (Invocation) throws(UsageError) -> Void

    /// The word that is typed.
    package let name: String
    /// One sentence, shown as the overview and in the parent's list.
    package let abstract: String
    /// Further paragraphs. Lines that begin with a space are examples and are never wrapped.
    package let discussion: String
    /// What `--version` prints. Only the root's is looked at.
    package let version: String?
    /// Whether the command is left out of help and completions; it still runs.
    package let isHidden: Bool
    /// The subcommands under their headings.
    package let groups: [CommandGroup]

    let parameters: [Declaration]
    let shared: [Declaration]
    let validation: Validation?
    let action: Action?

    /// Declares a command that runs.
    ///
    /// - Parameters:
    ///   - parameters: what this command takes, in the order of its help and, for arguments, of the command line.
    ///   - shared: options and flags that this command and everything below it takes, before or after a subcommand's name.
    ///   - subcommands: what can be done instead, without a heading of its own.
    ///   - groups: further subcommands under headings.
    ///   - validate: a check across parameters.
    ///   - run: what the command does.
    package init(
        _ name: String,
        abstract: String,
        discussion: String = "",
        version: String? = nil,
        isHidden: Bool = false,
        parameters: [any Parameter] = [],
        shared: [any Parameter] = [],
        subcommands: [Command] = [],
        groups: [CommandGroup] = [],
        validate: Validation? = nil,
        run: @escaping Action
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.version = version
        self.isHidden = isHidden
        self.groups = (subcommands.isEmpty ? [] : [CommandGroup(nil, subcommands)]) + groups
        self.parameters = parameters.map(\.declaration)
        self.shared = shared.map(\.declaration)
        self.validation = validate
        self.action = run
    }

    /// Declares a command that only leads to others; alone, it prints its help.
    ///
    /// - Parameters:
    ///   - shared: options and flags that everything below this command takes, before or after a subcommand's name.
    ///   - subcommands: the subcommands that need no heading of their own.
    ///   - groups: further subcommands under headings.
    package init(
        _ name: String,
        abstract: String,
        discussion: String = "",
        version: String? = nil,
        isHidden: Bool = false,
        shared: [any Parameter] = [],
        subcommands: [Command] = [],
        groups: [CommandGroup] = []
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.version = version
        self.isHidden = isHidden
        self.groups = (subcommands.isEmpty ? [] : [CommandGroup(nil, subcommands)]) + groups
        self.parameters = []
        self.shared = shared.map(\.declaration)
        self.validation = nil
        self.action = nil
    }
}
