public import Doorstep
internal import DoorstepPluginKit

/// What the check of one step said.
public struct StepAnswer: Sendable, Hashable {
    /// The step.
    public var step: OnboardingStepID
    /// The kind of its plugin.
    public var plugin: String
    /// What the check said, and how long it took.
    public var outcome: StepCheckOutcome
}

extension [StepAnswer] {
    /// The evidence of each satisfied step.
    var satisfied: [OnboardingStepID: String] {
        var evidence: [OnboardingStepID: String] = [:]
        for answer in self where answer.outcome.satisfaction.isSatisfied == true {
            evidence[answer.step] = answer.outcome.satisfaction.recordedEvidence
        }
        return evidence
    }
}

extension Satisfaction {
    /// The evidence as a record keeps it: with the basis of the grant.
    var recordedEvidence: String {
        basis.map { "\(evidence) [\($0.rawValue)]" } ?? evidence
    }
}
