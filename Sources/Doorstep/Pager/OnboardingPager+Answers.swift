/// What the user typed, what is recorded of it, and when.
extension OnboardingPager {
    /// What a field of the shown page holds: what the user gave, else its initial value.
    public func value(for key: String) -> OnboardingInputValue? {
        guard let page, let field = page.content.fields.first(where: { $0.key == key }) else { return nil }
        return value(of: field, on: page)
    }

    /// Takes a value for a field of the shown page, valid or not, and says what is wrong with it.
    @discardableResult
    public func setValue(_ value: OnboardingInputValue?, for key: String) -> FieldFault? {
        guard let page, let field = page.content.fields.first(where: { $0.key == key }) else { return nil }
        if self.value(of: field, on: page) != value { edited.insert(page.step.id) }
        drafts[page.step.id, default: [:]][key] = .some(value)
        return field.fault(in: value).map { FieldFault(key: key, phrase: $0) }
    }

    /// Takes in the results of a reconcile that ran while this pager is open (the app became active again): a page that
    /// became satisfied advances by itself.
    ///
    /// - Parameter satisfied: One line of evidence by satisfied step.
    /// - Throws: ``OnboardingStorageError``; then the page stays.
    @discardableResult
    public func reconcile(satisfied: [OnboardingStepID: String]) throws(OnboardingStorageError) -> Move {
        let open = satisfied.filter { answers[$0.key] == nil }
        switch commitMode {
        case .eachStep:
            reconciled.formUnion(try flow.reconcile(selection.reconcileMode, satisfied: open))
        case .onFinish:
            for change in flow.reconciliation(selection.reconcileMode, satisfied: open) {
                hold(change)
                reconciled.insert(change.step)
            }
        }
        guard phase == .showing, isPassedOver(position) else { return .stayed([]) }
        return try forward()
    }

    /// Takes the new page of a step, for example after its plugin performed an action.
    public func update(_ content: StepPage, for id: OnboardingStepID) {
        guard let index = pages.firstIndex(where: { $0.step.id == id }) else { return }
        pages[index].content = content
    }

    /// What is wrong with the fields of a page as they stand.
    func faults(on page: Page) -> [FieldFault] {
        page.content.fields.compactMap { field in
            field.fault(in: value(of: field, on: page)).map { FieldFault(key: field.key, phrase: $0) }
        }
    }

    /// The inputs of a page by key, without those left empty; nil for a page that asks for none.
    func inputs(of page: Page) -> [String: OnboardingInputValue]? {
        if page.content.fields.isEmpty { return nil }
        var inputs: [String: OnboardingInputValue] = [:]
        for field in page.content.fields { inputs[field.key] = value(of: field, on: page) }
        return inputs
    }

    /// Records or holds the user's answer.
    func answer(
        _ value: Bool, _ page: Page, inputs: [String: OnboardingInputValue]?
    ) throws(OnboardingStorageError) {
        try apply(
            OnboardingChange(
                step: page.step.id, action: .record(value, revision: page.step.revision), origin: .user,
                inputs: inputs))
        answers[page.step.id] = value
        edited.remove(page.step.id)
    }

    /// Records or holds what moving past a page means; another process's answer is kept.
    func backfill(_ page: Page, inputs: [String: OnboardingInputValue]?) throws(OnboardingStorageError) {
        var change = OnboardingChange.leaving(page.step)
        change.inputs = inputs
        // A declined step that is shown again is answered, so moving past it changes nothing.
        guard change.applies(to: flow.record(for: page.step.id)) else { return }
        try apply(change)
        answers[page.step.id] = commitMode == .onFinish ? !page.step.isSkippable : flow.value(for: page.step.id)
    }

    private func apply(_ change: OnboardingChange) throws(OnboardingStorageError) {
        switch commitMode {
        case .eachStep: try flow.commit([change])
        case .onFinish: hold(change)
        }
    }

    private func hold(_ change: OnboardingChange) {
        if let index = held.firstIndex(where: { $0.step == change.step }) {
            held[index] = change
        } else {
            held.append(change)
        }
    }

    private func value(of field: StepField, on page: Page) -> OnboardingInputValue? {
        if let draft = drafts[page.step.id]?[field.key] { return draft }
        return field.initialValue
    }
}
