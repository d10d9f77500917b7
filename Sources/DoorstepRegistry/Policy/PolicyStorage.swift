package import Doorstep
package import DoorstepSQLite

/// An app's storage with the admin's policy put over it: reads show what the policy says, and writes against a lock are
/// refused. The suite itself never holds any of it, so taking a file away restores what was there.
final class PolicyStorage: OnboardingStorage {
    private let base: any OnboardingStorage
    private let registration: FlowRegistration
    private let directories: [String]

    init(base: any OnboardingStorage, registration: FlowRegistration, directories: [String]) {
        self.base = base
        self.registration = registration
        self.directories = directories
    }

    func records() throws(OnboardingStorageError) -> [OnboardingStepID: OnboardingRecord] {
        Policy(directories: directories).overlaid(
            try base.records(), app: registration.app, steps: registration.allSteps)
    }

    func mark() throws(OnboardingStorageError) -> OnboardingStorageMark? {
        guard var mark = try base.mark() else { return nil }
        mark.state.append(Policy(directories: directories).fingerprint)
        return mark
    }

    func inputs() throws(OnboardingStorageError) -> [OnboardingStepID: [String: OnboardingInputValue]] {
        try base.inputs()
    }

    /// Files are read again at each commit: a lock that came while a flow was open holds too.
    func commit(_ changes: [OnboardingChange], eraseInputs: Bool) throws(OnboardingStorageError)
        -> [OnboardingStepID: OnboardingRecord]
    {
        let policy = Policy(directories: directories)
        if policy.rules.isEmpty { return try base.commit(changes, eraseInputs: eraseInputs) }
        var own: [OnboardingStepID: OnboardingRecord]?
        var allowed: [OnboardingChange] = []
        for change in changes {
            if let fault = change.fault { throw OnboardingStorageError(.invalid, fault) }
            let rule = policy.policy(app: registration.app, step: change.step)
            if rule.isEmpty {
                allowed.append(change)
                continue
            }
            if own == nil { own = try base.records() }
            if try isAllowed(change, rule, over: own?[change.step], isSignOut: eraseInputs, policy) {
                allowed.append(change)
            }
        }
        var records: [OnboardingStepID: OnboardingRecord] = [:]
        if !allowed.isEmpty || eraseInputs { records = try base.commit(allowed, eraseInputs: eraseInputs) }
        let written = Set(allowed.map(\.step))
        for change in changes where !written.contains(change.step) { records[change.step] = own?[change.step] }
        return shown(records, of: changes, policy)
    }

    /// Whether a change goes through to the suite; one whose condition doesn't hold under the policy is left out.
    ///
    /// A sign-out clears the rest and leaves a locked step's record alone: the user's inputs must be erasable.
    private func isAllowed(
        _ change: OnboardingChange, _ rule: StepPolicy, over own: OnboardingRecord?, isSignOut: Bool, _ policy: Policy
    ) throws(OnboardingStorageError) -> Bool {
        let step = registration.step(change.step) ?? OnboardingStepConfig(id: change.step)
        let effective = policy.effective(own, app: registration.app, step: step)
        // A condition is about what stands; under a lock nothing but the lock does.
        if change.condition != .always, effective.isPolicy {
            if rule.lock != nil || !change.applies(to: effective.record) { return false }
            return true
        }
        guard let lock = rule.lock else { return true }
        if isSignOut, change.action == .clear { return false }
        if change.action == .clear, own == nil { return false }
        throw OnboardingStorageError(.notPermitted, Self.refusal(of: change.step, lock))
    }

    private func shown(
        _ records: [OnboardingStepID: OnboardingRecord], of changes: [OnboardingChange], _ policy: Policy
    ) -> [OnboardingStepID: OnboardingRecord] {
        let steps = Set(changes.map(\.step))
        return policy.overlaid(
            records.filter { steps.contains($0.key) }, app: registration.app,
            steps: registration.allSteps.filter { steps.contains($0.id) })
    }

    /// The sentence for a write that a lock refuses.
    static func refusal(of step: OnboardingStepID, _ lock: StepPolicy.Statement) -> String {
        "the step \"\(step)\" is locked to \(lock.value) by the policy \"\(lock.file)\"; ask its admin to change it, nothing was changed"
    }
}

extension FlowRegistration {
    /// The welcome and then the steps.
    package var allSteps: [OnboardingStepConfig] { (welcome.map { [$0] } ?? []) + steps }

    func step(_ id: OnboardingStepID) -> OnboardingStepConfig? {
        for step in allSteps where step.id == id { return step }
        return nil
    }
}
