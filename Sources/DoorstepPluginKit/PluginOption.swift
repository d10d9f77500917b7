/// One line of help on an option that a plugin accepts.
public struct PluginOption: Sendable, Hashable {
    /// The option's key in a step's `options`.
    public var name: String
    /// What may stand there, for example `duration, such as "2s"`.
    public var value: String
    /// What it does.
    public var summary: String

    /// A line of help.
    public init(_ name: String, _ value: String, _ summary: String) {
        self.name = name
        self.value = value
        self.summary = summary
    }
}
