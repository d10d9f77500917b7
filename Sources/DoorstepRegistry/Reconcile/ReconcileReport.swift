public import Doorstep
public import DoorstepPluginKit

/// What a reconcile asked, heard and recorded; nothing is swallowed.
public struct ReconcileReport: Sendable {
    /// One step that was asked.
    public struct Row: Sendable {
        /// The app.
        public var app: String
        /// The step.
        public var step: OnboardingStepID
        /// The kind of its plugin.
        public var plugin: String
        /// The record before, or nil for an unanswered step.
        public var before: Bool?
        /// The record afterwards.
        public var after: Bool?
        /// What the check said.
        public var satisfaction: Satisfaction
        /// How long the check took.
        public var duration: Duration

        init(app: String, answer: StepAnswer, before: Bool?) {
            self.app = app
            self.step = answer.step
            self.plugin = answer.plugin
            self.before = before
            self.after = before
            self.satisfaction = answer.outcome.satisfaction
            self.duration = answer.outcome.duration
        }

        func settled(as value: Bool?) -> Row {
            var row = self
            row.after = value
            return row
        }
    }

    /// An app whose records could not be read or written.
    public struct Failure: Sendable {
        /// The app.
        public var app: String
        /// Why.
        public var error: RegistryError
    }

    /// Every step that was asked, by app in the order given, then by step.
    public internal(set) var rows: [Row] = []
    /// The apps whose records could not be read or written.
    public internal(set) var failures: [Failure] = []
}
