/// One change of one step's record, applied with others in a single transaction.
public struct OnboardingChange: Sendable, Hashable {
    /// What becomes of the record.
    public enum Action: Sendable, Hashable {
        /// The answer, at the revision it answers.
        case record(Bool, revision: Int)
        /// Back to absent.
        case clear
    }

    /// What must hold of the record, looked at inside the transaction, for the change to apply.
    public enum Condition: Sendable, Hashable {
        /// Applies whatever stands there.
        case always
        /// Applies only while the step is unanswered at its revision, so another process's answer is kept.
        case unanswered
        /// Applies while the step is unanswered or its answer is `false`.
        case unansweredOrDeclined
    }

    /// The step whose record changes.
    public var step: OnboardingStepID
    /// What becomes of the record.
    public var action: Action
    /// What must hold for the change to apply.
    public var condition: Condition
    /// Who or what makes the change.
    public var origin: OnboardingOrigin
    /// One line of evidence, kept with the record and its history.
    public var evidence: String?
    /// The inputs of the step by key, written only if the change applies; they replace the step's earlier inputs.
    /// Nil leaves what is stored.
    public var inputs: [String: OnboardingInputValue]?

    /// A change from its parts.
    public init(
        step: OnboardingStepID, action: Action, condition: Condition = .always, origin: OnboardingOrigin,
        evidence: String? = nil, inputs: [String: OnboardingInputValue]? = nil
    ) {
        self.step = step
        self.action = action
        self.condition = condition
        self.origin = origin
        self.evidence = evidence
        self.inputs = inputs
    }

    /// Whether this change applies to a step that has the given record.
    public func applies(to record: OnboardingRecord?) -> Bool {
        guard let record else { return action != .clear }
        let isAnswered =
            switch action {
            case .record(_, let revision): record.revision >= revision
            case .clear: true
            }
        switch condition {
        case .always: return true
        case .unanswered: return !isAnswered
        case .unansweredOrDeclined: return !isAnswered || !record.value
        }
    }

    /// What no storage can hold of this change and what would be accepted, or nil for a valid one.
    public var fault: String? {
        if let fault = step.fault { return fault }
        if case .record(_, let revision) = action, revision < 1 {
            return "the step \"\(step)\" has revision \(revision); revisions start at 1"
        }
        for key in (inputs ?? [:]).keys where key.isEmpty || key.utf8.count > OnboardingStepID.maximumLength {
            return
                "an input of the step \"\(step)\" has a key of \(key.utf8.count) bytes; it needs 1 to \(OnboardingStepID.maximumLength)"
        }
        return nil
    }
}
