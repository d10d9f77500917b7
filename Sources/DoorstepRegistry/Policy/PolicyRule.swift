public import Doorstep

/// One rule of a policy file: which steps of which apps it is about, and what it says of them.
public struct PolicyRule: Sendable, Hashable {
    /// What a key of a rule does to what earlier rules said.
    public enum Setting: Sendable, Hashable {
        /// Nothing: the key isn't there.
        case absent
        /// `null`, or `false` for `skip`: takes back what earlier rules said.
        case removed
        /// Says this.
        case value(Bool)
    }

    /// The app's ID, or a pattern in which `*` stands for any text.
    public var app: String
    /// The step's ID, or a pattern in which `*` stands for any text.
    public var step: String
    /// Whether the step is never shown and counts as answered.
    public var skip: Setting
    /// The answer until the user gives one.
    public var preset: Setting
    /// The answer that stands, whatever the user says.
    public var lock: Setting
    /// The file that the rule stands in.
    public var file: String

    /// Whether the rule is about a step of an app.
    public func matches(app: String, step: OnboardingStepID) -> Bool {
        Glob.matches(app, self.app) && Glob.matches(step.rawValue, self.step)
    }
}
