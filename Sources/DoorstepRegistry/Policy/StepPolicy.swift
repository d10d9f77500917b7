internal import Doorstep

/// What all rules together say of one step.
public struct StepPolicy: Sendable, Hashable {
    /// One thing that is said, and where.
    public struct Statement: Sendable, Hashable {
        /// The answer; always true for a skip.
        public var value: Bool
        /// The file that says it.
        public var file: String
    }

    /// The step is never shown and counts as answered.
    public var skip: Statement?
    /// The answer until the user gives one.
    public var preset: Statement?
    /// The answer that stands.
    public var lock: Statement?

    /// Whether nothing is said.
    public var isEmpty: Bool { skip == nil && preset == nil && lock == nil }

    mutating func apply(_ rule: PolicyRule) {
        Self.set(&skip, rule.skip, rule.file)
        Self.set(&preset, rule.preset, rule.file)
        Self.set(&lock, rule.lock, rule.file)
    }

    private static func set(_ statement: inout Statement?, _ setting: PolicyRule.Setting, _ file: String) {
        switch setting {
        case .absent: break
        case .removed: statement = nil
        case .value(let value): statement = Statement(value: value, file: file)
        }
    }

    /// The record that the policy puts over a step's own, or nil where the step's own stands.
    func record(over own: OnboardingRecord?, step: OnboardingStepConfig, times: [String: Int64]) -> OnboardingRecord? {
        func made(_ value: Bool, _ statement: Statement) -> OnboardingRecord {
            OnboardingRecord(
                value: value, revision: step.revision, origin: .policy,
                at: OnboardingInstant(milliseconds: times[statement.file] ?? 0), evidence: statement.file)
        }
        if let lock { return made(lock.value, lock) }
        if let own, own.revision >= step.revision { return nil }
        if let preset { return made(preset.value, preset) }
        // As if the user had moved past it.
        return skip.map { made(!step.isSkippable, $0) }
    }
}
