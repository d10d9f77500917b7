public import DoorstepJSON
public import DoorstepPluginKit

/// What stands in for a plugin that can't be used on this machine, so that an app which names it stays usable: its steps
/// can't be told, with the reason, and their pages can be passed.
public struct MissingPlugin: StepPlugin {
    /// The kind that was named.
    public let kind: String
    /// One sentence: why it can't be used, and how to change that.
    public let reason: String

    /// A stand-in for a kind.
    public init(kind: String, reason: String) {
        self.kind = kind
        self.reason = reason
    }

    /// The reason.
    public var summary: String { reason }
    /// There is a check, which can't tell.
    public var hasCheck: Bool { true }

    /// Accepts anything: nobody here knows better.
    public func options(from reader: JSONReader) { reader.allowUnknownKeys() }

    /// A page with the manifest's texts and the reason.
    public func page(_ options: Void, in context: StepContext) async -> StepPage {
        context.page(unmadeBy: self, because: reason)
    }

    /// Can't tell.
    public func satisfaction(_ options: Void, in context: StepContext) async -> Satisfaction {
        .cannotTell(reason)
    }
}
