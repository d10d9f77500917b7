public import Doorstep
public import DoorstepJSON

/// A kind of step: what its page shows, which options a manifest may give it, and, where it has one, the check that
/// tells whether the step is already satisfied outside the flow.
///
/// ```swift
/// struct LuckPlugin: StepPlugin {
///     let kind = "luck"
///     let summary = "The user is lucky today"
///     func options(from reader: JSONReader) -> Int { reader.integer("minimum", in: 1...6, default: 4) }
///     func page(_ minimum: Int, in context: StepContext) -> StepPage { context.page(title: "Are you lucky?") }
/// }
/// ```
///
/// A check never prompts, never starts a service, and answers "cannot tell" instead of guessing.
public protocol StepPlugin: Sendable {
    /// What the manifest's `options` mean, once they are read.
    associatedtype Options: Sendable

    /// The name that manifests use: lower-case letters, digits and `-`, beginning with a letter.
    var kind: String { get }
    /// One line for people: what the step is about.
    var summary: String { get }
    /// What a manifest may give as `options`, for help and listings.
    var optionHelp: [PluginOption] { get }
    /// Whether ``satisfaction(_:in:)`` means anything. A step whose plugin has no check is never asked.
    var hasCheck: Bool { get }

    /// Reads a step's options; mistakes are left in the reader, with their path and what is accepted.
    func options(from reader: JSONReader) -> Options

    /// The keys under which a step with these options keeps inputs; they are unique in a flow.
    func inputKeys(_ options: Options) -> [String]

    /// How long a check with these options may take, or nil for the pass's own limit.
    func timeout(_ options: Options) -> Duration?

    /// The step's page for the reader, as things stand (``StepContext/satisfaction``).
    ///
    /// - Throws: ``PluginError`` where no page can be made.
    func page(_ options: Options, in context: StepContext) async throws(PluginError) -> StepPage

    /// Of whom the check speaks: equal steps of one pass are asked once, as far as that goes. ``CheckSubject/step`` unless
    /// the plugin says otherwise.
    var checkSubject: CheckSubject { get }

    /// Whether the step is already satisfied outside the flow. It runs beside the other checks of its pass, on a
    /// thread of its own, until ``StepContext/deadline``.
    func satisfaction(_ options: Options, in context: StepContext) async -> Satisfaction

    /// A value each time that the step's check may have another answer now, for a page that is left open.
    ///
    /// The first value comes once the watch stands, so that nothing is missed between the last check and the first
    /// change. What isn't told by the platform is not polled for: the stream ends, at once where nothing can be watched.
    /// It holds what it needs until its reader is cancelled or lets it go, and starts no service.
    func changes(_ options: Options, in context: StepContext) -> AsyncStream<Void>

    /// Does what the page's action of this name stands for; the step is checked, and its page made, again afterwards.
    ///
    /// It may ask the user and wait for the answer, so it sets its own deadlines; ``StepContext/deadline`` is a check's.
    ///
    /// - Throws: ``PluginError`` where it can't be done.
    func perform(_ action: String, _ options: Options, in context: StepContext) async throws(PluginError)
}

extension StepPlugin {
    /// No options.
    public var optionHelp: [PluginOption] { [] }
    /// No check.
    public var hasCheck: Bool { false }
    /// No inputs.
    public func inputKeys(_ options: Options) -> [String] { [] }
    /// The pass's own limit.
    public func timeout(_ options: Options) -> Duration? { nil }
    /// The step: each one is asked.
    public var checkSubject: CheckSubject { .step }
    /// Can't tell: there is no check.
    public func satisfaction(_ options: Options, in context: StepContext) async -> Satisfaction {
        .cannotTell("the kind \"\(kind)\" has no check")
    }
    /// Nothing tells of changes.
    public func changes(_ options: Options, in context: StepContext) -> AsyncStream<Void> {
        AsyncStream { $0.finish() }
    }
    /// Nothing to do.
    public func perform(_ action: String, _ options: Options, in context: StepContext) async throws(PluginError) {}
}

extension StepPlugin where Options == Void {
    /// Accepts no options.
    public func options(from reader: JSONReader) {}
}
