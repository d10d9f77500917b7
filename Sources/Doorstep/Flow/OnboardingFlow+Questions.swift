/// The questions a flow answers, each from memory.
extension OnboardingFlow {
    /// Whether the flow has a welcome and it is unrecorded; always false for a flow without one.
    public var needsWelcome: Bool {
        guard let welcome else { return false }
        return !Self.isAnswered(welcome, in: records)
    }

    /// Whether the welcome is needed or any step, required or not, is unrecorded: the whole surface for an app that
    /// shows no pages.
    public var needsOnboarding: Bool {
        needsWelcome || nextStepNeeded != nil
    }

    /// The first unrecorded step in declaration order; never the welcome.
    public var nextStepNeeded: OnboardingStepID? {
        // One observed read, however many steps there are.
        let records = records
        return steps.first { !Self.isAnswered($0, in: records) }?.id
    }

    /// Whether every required step is recorded `true`; a `false` is an answer, but doesn't satisfy.
    public var allRequiredSatisfied: Bool {
        steps.allSatisfy { !$0.isRequired || value(for: $0.id) == true }
    }

    /// The recorded answer of a step, or nil while it is unanswered at its present revision.
    public func value(for id: OnboardingStepID) -> Bool? {
        record(for: id)?.value
    }

    /// The record of a step at its present revision, or nil while it is unanswered.
    ///
    /// An ID that the flow doesn't have (an orphan, an app's extra record) is answered at any revision.
    public func record(for id: OnboardingStepID) -> OnboardingRecord? {
        guard let record = records[id] else { return nil }
        return record.revision >= revision(of: id) ? record : nil
    }

    /// The revision at which a step was answered, where that is an earlier one and so the step counts as unanswered.
    package func outdatedRevision(of id: OnboardingStepID) -> Int? {
        guard let record = records[id], record.revision < revision(of: id) else { return nil }
        return record.revision
    }

    /// What the flow still has to show: the welcome if it is needed, then each unrecorded step in order.
    public var neededSteps: [OnboardingStepConfig] {
        let records = records
        let unanswered = steps.filter { !Self.isAnswered($0, in: records) }
        guard let welcome, needsWelcome else { return unanswered }
        return [welcome] + unanswered
    }

    /// The required steps that are not recorded `true`, in order: unanswered ones and declined ones.
    ///
    /// A declined required step is not asked again by itself; showing these pages is the way out.
    public var unmetRequiredSteps: [OnboardingStepConfig] {
        steps.filter { $0.isRequired && value(for: $0.id) != true && !withheld.contains($0.id) }
    }

    /// The steps that a reconcile in this mode asks about, in order; never the welcome.
    public func stepsToReconcile(_ mode: OnboardingReconcileMode) -> [OnboardingStepConfig] {
        steps.filter { step in
            switch value(for: step.id) {
            case nil: true
            case false?: mode == .unansweredAndDeclined && step.isRequired && !withheld.contains(step.id)
            case true?: false
            }
        }
    }

    /// The steps that the flow no longer has and that a record is left of.
    package var orphans: [OnboardingStepID] {
        records.keys.filter { config(for: $0) == nil }.sorted { $0.rawValue < $1.rawValue }
    }

    /// The revision at which a step is answered now; 1 for an ID that the flow doesn't have.
    func revision(of id: OnboardingStepID) -> Int {
        config(for: id)?.revision ?? 1
    }

    private static func isAnswered(
        _ step: OnboardingStepConfig, in records: [OnboardingStepID: OnboardingRecord]
    ) -> Bool {
        guard let record = records[step.id] else { return false }
        return record.revision >= step.revision
    }
}
