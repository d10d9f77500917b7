/// The changes of a flow: the storage first, then the flow's own view, and only then its observers.
extension OnboardingFlow {
    /// Records an answer, whatever stood there.
    ///
    /// - Parameters:
    ///   - value: `true`: granted, completed, acknowledged; `false`: declined, skipped.
    ///   - id: The step, the welcome, or an extra ID of the app.
    ///   - inputs: The step's inputs by key, written in the same transaction; nil leaves what is stored.
    ///   - origin: Who answers.
    /// - Throws: ``OnboardingStorageError``; then nothing has changed.
    public func record(
        _ value: Bool, for id: OnboardingStepID, inputs: [String: OnboardingInputValue]? = nil,
        origin: OnboardingOrigin = .user
    ) throws(OnboardingStorageError) {
        try commit([
            OnboardingChange(
                step: id, action: .record(value, revision: revision(of: id)), origin: origin, inputs: inputs)
        ])
    }

    /// Backfills a step that the user moves past: `false` for a skippable one, `true` for one that is not, and only
    /// while it is unanswered, also when another process answered in between. IDs the flow doesn't have are left alone.
    ///
    /// - Throws: ``OnboardingStorageError``; then nothing has changed.
    public func recordIfNeeded(leaving id: OnboardingStepID) throws(OnboardingStorageError) {
        guard let step = config(for: id), record(for: id) == nil else { return }
        try commit([.leaving(step)])
    }

    /// Records `true` for each step that is satisfied outside the flow, in one transaction.
    ///
    /// By default only unanswered steps are asked about; answered steps and the welcome stay. Observers hear of it
    /// once, and only if something was recorded.
    ///
    /// - Parameters:
    ///   - mode: Which answers may change.
    ///   - isSatisfied: Asked once for each step concerned, in order.
    /// - Returns: The steps that this call recorded.
    /// - Throws: ``OnboardingStorageError``; then nothing has changed.
    @discardableResult
    public func reconcile(
        _ mode: OnboardingReconcileMode = .unanswered, isSatisfied: (OnboardingStepID) -> Bool
    ) throws(OnboardingStorageError) -> [OnboardingStepID] {
        var evidence: [OnboardingStepID: String] = [:]
        for step in stepsToReconcile(mode) where isSatisfied(step.id) {
            evidence[step.id] = ""
        }
        return try reconcile(mode, satisfied: evidence)
    }

    /// Records `true` for each of these satisfied steps that the mode allows, with its evidence, in one transaction.
    ///
    /// - Parameters:
    ///   - mode: Which answers may change.
    ///   - satisfied: One line of evidence by satisfied step; an empty line is kept as none.
    /// - Returns: The steps that are recorded now and weren't before, in order. A step that another process's reconcile
    ///   recorded in the same moment is among them; one that somebody answered is not.
    /// - Throws: ``OnboardingStorageError``; then nothing has changed.
    @discardableResult
    public func reconcile(
        _ mode: OnboardingReconcileMode = .unanswered, satisfied: [OnboardingStepID: String]
    ) throws(OnboardingStorageError) -> [OnboardingStepID] {
        let changes = reconciliation(mode, satisfied: satisfied)
        guard !changes.isEmpty else { return [] }
        let before = records
        try commit(changes)
        return changes.map(\.step).filter { records[$0] != before[$0] && records[$0]?.origin == .reconcile }
    }

    /// The changes that a reconcile would commit.
    func reconciliation(
        _ mode: OnboardingReconcileMode, satisfied: [OnboardingStepID: String]
    ) -> [OnboardingChange] {
        stepsToReconcile(mode).compactMap { step in
            satisfied[step.id].map { evidence in
                OnboardingChange(
                    step: step.id, action: .record(true, revision: step.revision),
                    // Only a required step's decline may turn, also one that another process gives meanwhile.
                    condition: mode == .unansweredAndDeclined && step.isRequired ? .unansweredOrDeclined : .unanswered,
                    origin: .reconcile, evidence: evidence.isEmpty ? nil : evidence)
            }
        }
    }

    /// Puts one record back to absent; its history stays.
    ///
    /// - Throws: ``OnboardingStorageError``; then nothing has changed.
    public func clear(_ id: OnboardingStepID, origin: OnboardingOrigin = .user) throws(OnboardingStorageError) {
        try commit([OnboardingChange(step: id, action: .clear, origin: origin)])
    }

    /// Puts every step, the welcome and the extra IDs back to absent, in one transaction; inputs stay.
    ///
    /// - Throws: ``OnboardingStorageError``; then nothing has changed.
    public func reset(
        including extra: [OnboardingStepID] = [], origin: OnboardingOrigin = .user
    ) throws(OnboardingStorageError) {
        try commit(clearing(extra, origin: origin))
    }

    /// Signs the user out: a reset that also erases every input, in one transaction. The next launch is a first launch.
    ///
    /// - Throws: ``OnboardingStorageError``; then nothing has changed.
    public func signOut(
        including extra: [OnboardingStepID] = [], origin: OnboardingOrigin = .user
    ) throws(OnboardingStorageError) {
        try commit(clearing(extra, origin: origin), eraseInputs: true)
    }

    /// Commits the changes and takes over what the storage says of their steps, notifying observers at most once.
    func commit(_ changes: [OnboardingChange], eraseInputs: Bool = false) throws(OnboardingStorageError) {
        let committed = try storage.commit(changes, eraseInputs: eraseInputs)
        passOwnCommit()
        guard changes.contains(where: { records[$0.step] != committed[$0.step] }) else { return }
        Self.take(committed, of: changes, into: &records)
    }

    /// Changes the records where they stand: a copy of them all would cost more than the change.
    private static func take(
        _ committed: [OnboardingStepID: OnboardingRecord], of changes: [OnboardingChange],
        into records: inout [OnboardingStepID: OnboardingRecord]
    ) {
        for change in changes { records[change.step] = committed[change.step] }
    }

    /// Moves the mark on behind a commit of this flow; where anybody else wrote too, the next refresh reads again.
    private func passOwnCommit() {
        guard let before = mark else { return }
        mark = nil
        do throws(OnboardingStorageError) {
            let now = try storage.mark()
            if now == before || now == before.next { mark = now }
        } catch {
            // The commit stands; that the look failed only costs a reading.
        }
    }

    private func clearing(_ extra: [OnboardingStepID], origin: OnboardingOrigin) -> [OnboardingChange] {
        let ids = (welcome.map { [$0.id] } ?? []) + steps.map(\.id) + extra
        return ids.map { OnboardingChange(step: $0, action: .clear, origin: origin) }
    }
}

extension OnboardingChange {
    /// The backfill of a step that the user moves past.
    static func leaving(_ step: OnboardingStepConfig) -> OnboardingChange {
        OnboardingChange(
            step: step.id, action: .record(!step.isSkippable, revision: step.revision), condition: .unanswered,
            origin: .leaving)
    }
}
