/// What the user typed, what is recorded of it, and when.
extension OnboardingPager {
    /// What a field of the shown page holds: what the user gave, else its initial value.
    public func value(for key: String) -> OnboardingInputValue? {
        page.flatMap { value(for: key, on: $0.step.id) }
    }

    /// What a field of any page holds: what the user gave, else its initial value.
    public func value(for key: String, on step: OnboardingStepID) -> OnboardingInputValue? {
        guard let page = pages.first(where: { $0.step.id == step }),
            let field = page.content.fields.first(where: { $0.key == key })
        else { return nil }
        return value(of: field, on: page)
    }

    /// Takes a value for a field of the shown page, valid or not, and says what is wrong with it.
    @discardableResult
    public func setValue(_ value: OnboardingInputValue?, for key: String) -> FieldFault? {
        guard let page, let field = page.content.fields.first(where: { $0.key == key }) else { return nil }
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
        guard phase == .ready || phase == .showing else { return .stayed([]) }
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

    /// Whether the shown page asks for something that isn't recorded as it stands: leaving now drops it.
    package var isPageOpen: Bool {
        guard let page, !page.content.fields.isEmpty else { return false }
        return answer(for: page.step.id) == nil || isEdited(page)
    }

    /// What is wrong with the fields of a page as they stand.
    func faults(on page: Page) -> [FieldFault] {
        page.content.fields.compactMap { field in
            field.fault(in: value(of: field, on: page)).map { FieldFault(key: field.key, phrase: $0) }
        }
    }

    /// Whether a field of the page holds something other than what was recorded in this showing, or than its initial
    /// value on a page without an answer. Typing something and taking it back is no edit.
    func isEdited(_ page: Page) -> Bool {
        guard drafts[page.step.id] != nil else { return false }
        let recorded = recordedInputs[page.step.id]
        for field in page.content.fields {
            let before = recorded.map { $0[field.key] } ?? field.initialValue
            if field.tidied(value(of: field, on: page)) != field.tidied(before) { return true }
        }
        return false
    }

    /// The inputs of a page by key, without those left empty; nil for a page that asks for none.
    func inputs(of page: Page) -> [String: OnboardingInputValue]? {
        if page.content.fields.isEmpty { return nil }
        var inputs: [String: OnboardingInputValue] = [:]
        for field in page.content.fields { inputs[field.key] = field.tidied(value(of: field, on: page)) }
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
        recordedInputs[page.step.id] = inputs
    }

    /// Records or holds what moving past a page means; another process's answer is kept.
    func backfill(_ change: OnboardingChange) throws(OnboardingStorageError) {
        try apply(change)
        guard case .record(let value, _) = change.action else { return }
        answers[change.step] = commitMode == .onFinish ? value : flow.value(for: change.step)
    }

    private func apply(_ change: OnboardingChange) throws(OnboardingStorageError) {
        switch commitMode {
        case .eachStep: try flow.commit([change])
        case .onFinish: hold(change)
        }
    }

    /// Keeps a change for the finish, in the place of an earlier one of its step.
    func hold(_ change: OnboardingChange) {
        if let place = heldPlaces[change.step] {
            held[place] = change
        } else {
            heldPlaces[change.step] = held.count
            held.append(change)
        }
    }

    private func value(of field: StepField, on page: Page) -> OnboardingInputValue? {
        if let draft = drafts[page.step.id]?[field.key] { return draft }
        return field.initialValue
    }
}
