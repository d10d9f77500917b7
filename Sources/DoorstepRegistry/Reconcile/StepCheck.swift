public import DoorstepPluginKit

/// One step that a pass asks about.
public struct StepCheck: Sendable {
    /// The step's plugin and options.
    public var plugin: BoundStep
    /// What the plugin may know; the pass sets its deadline.
    public var context: StepContext

    /// A check from its parts.
    public init(plugin: BoundStep, context: StepContext) {
        self.plugin = plugin
        self.context = context
    }
}
