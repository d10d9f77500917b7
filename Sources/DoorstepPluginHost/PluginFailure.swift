/// Why a plugin gave no answer to a request.
struct PluginFailure: Error, Sendable, Hashable {
    /// One clause for a person, such as `no answer within 1 s`.
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension PluginFailure {
    /// The plugin leaves pages to its host.
    static let makesNoPages = PluginFailure("it makes no pages")
}
