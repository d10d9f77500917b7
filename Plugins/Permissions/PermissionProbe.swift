internal import DoorstepBus
internal import DoorstepPluginKit

/// What one kind of permission is called, and how its state is read. `PermissionPlugin` makes a step of it.
protocol PermissionProbe: Sendable {
    /// What the manifest says beyond the options that every check has.
    associatedtype Options: Sendable

    /// The name that manifests use.
    var kind: String { get }
    /// One line for people.
    var summary: String { get }
    /// Whether the answer is the app's, or that of every app of the user.
    var subject: CheckSubject { get }
    /// The options of this kind alone.
    var optionHelp: [PluginOption] { get }
    /// What its page is called unless the manifest says otherwise.
    var title: LocalizedText { get }
    /// The page's icon, by the freedesktop icon naming specification.
    var icon: String { get }

    /// Reads the options of this kind alone.
    func options(from reader: JSONReader) -> Options

    /// How things stand. It asks nobody, starts nothing, and reads again each time.
    ///
    /// - Throws: `BusError` where the service that would know gives no answer; `Finding.init(_:asking:)` says what that
    ///   means.
    func finding(_ options: Options, in context: ProbeContext) async throws(BusError) -> Finding

    /// What tells that the answer may be another one now.
    func watches(_ options: Options, in context: ProbeContext) -> [Watch]

    /// The page of the desktop's settings that has a switch for it, or nil where no desktop has one.
    var settings: SettingsPanel? { get }

    /// What a page can do about a permission that isn't there.
    func remedy(for status: AuthorizationStatus, _ options: Options, in context: ProbeContext) -> Remedy

    /// Asks the user, or changes what the user just agreed to change.
    func ask(_ options: Options, with request: Request) async throws(RequestError)

    /// What this kind says of a status in words of its own, or nil for those that all kinds share.
    func words(for status: AuthorizationStatus, _ options: Options) -> LocalizedText?
}

/// What a page can do about a permission that isn't there.
enum Remedy: Equatable {
    /// The platform can be asked; the action is called this.
    case ask(Phrase)
    /// The kind's page of the desktop's settings has a switch for it.
    case settings
    /// Nothing but looking again.
    case none
}

extension PermissionProbe {
    /// No options of its own.
    var optionHelp: [PluginOption] { [] }
    /// No page.
    var settings: SettingsPanel? { nil }
    /// Nothing tells.
    func watches(_ options: Options, in context: ProbeContext) -> [Watch] { [] }
    /// Nothing to do.
    func remedy(for status: AuthorizationStatus, _ options: Options, in context: ProbeContext) -> Remedy { .none }
    /// Nobody to ask.
    func ask(_ options: Options, with request: Request) async throws(RequestError) { throw .missing(kind) }
    /// The words that all kinds share.
    func words(for status: AuthorizationStatus, _ options: Options) -> LocalizedText? { nil }
}

extension PermissionProbe where Options == Void {
    /// Accepts no options of its own.
    func options(from reader: JSONReader) {}
}
