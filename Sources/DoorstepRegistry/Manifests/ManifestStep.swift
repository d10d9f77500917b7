public import Doorstep
public import DoorstepJSON
public import DoorstepPluginKit

/// One step, or the welcome, as a manifest describes it.
public struct ManifestStep: Sendable, Hashable {
    /// What the flow says of the step.
    public var config: OnboardingStepConfig
    /// The kind of the plugin that shows and checks it.
    public var plugin: String
    /// What the manifest says on its page.
    public var texts: StepTexts
    /// The plugin's own options.
    public var options: JSONObject
    /// Where the step stands in the manifest.
    public var path: JSONPath
}
