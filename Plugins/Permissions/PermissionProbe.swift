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
}

extension PermissionProbe {
    /// No options of its own.
    var optionHelp: [PluginOption] { [] }
}

extension PermissionProbe where Options == Void {
    /// Accepts no options of its own.
    func options(from reader: JSONReader) {}
}
