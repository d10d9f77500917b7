/// The moves of a showing. Each is one of the pager's rules; none of them draws.
extension OnboardingPager {
    /// Shows the first page; a plan without pages finishes at once.
    ///
    /// - Throws: ``OnboardingStorageError`` where what is held can't be written.
    @discardableResult
    public func start() throws(OnboardingStorageError) -> Move {
        guard phase == .ready else { return .stayed([]) }
        guard let first = nextIndex(from: 0) else { return try finishNow() }
        phase = .showing
        show(first)
        return .moved
    }

    /// The step's own primary action: validates the fields, records `true` with the inputs, and advances.
    ///
    /// - Throws: ``OnboardingStorageError``; then the page stays and nothing has changed.
    @discardableResult
    public func complete() throws(OnboardingStorageError) -> Move {
        guard let page else { return .stayed([]) }
        let faults = faults(on: page)
        if !faults.isEmpty { return .stayed(faults) }
        try flow.refresh()
        if answers[page.step.id] != true || isEdited(page) {
            try answer(true, page, inputs: inputs(of: page))
        }
        return try advance(to: position + 1)
    }

    /// Records `false`, drops what was typed, and advances; does nothing on a page that isn't skippable.
    ///
    /// - Throws: ``OnboardingStorageError``; then the page stays and nothing has changed.
    @discardableResult
    public func skip() throws(OnboardingStorageError) -> Move {
        guard let page, page.step.isSkippable, !page.isWelcome else { return .stayed([]) }
        try flow.refresh()
        if answers[page.step.id] != false {
            try answer(false, page, inputs: page.content.fields.isEmpty ? nil : [:])
        }
        // Only now: a failed write keeps what was typed.
        drafts[page.step.id] = nil
        recordedInputs[page.step.id] = nil
        return try advance(to: position + 1)
    }

    /// Moves to the next page, backfilling this one, or finishes after the last.
    ///
    /// - Throws: ``OnboardingStorageError``; then the page stays.
    @discardableResult
    public func forward() throws(OnboardingStorageError) -> Move {
        try move(to: position + 1)
    }

    /// Moves to any earlier page, or forward with a backfill of every page jumped over. The wish is measured in
    /// ``pages``; a page that was answered elsewhere meanwhile is passed over in the direction of the jump.
    ///
    /// - Throws: ``OnboardingStorageError``; then the page stays, and the pages jumped over before the failure are
    ///   recorded.
    @discardableResult
    public func jump(to index: Int) throws(OnboardingStorageError) -> Move {
        guard phase == .showing, pages.indices.contains(index), index != position else { return .stayed([]) }
        if index > position { return try move(to: index) }
        guard let earlier = previousIndex(from: index) else { return .stayed([]) }
        show(earlier)
        return .moved
    }

    /// Moves to the page before, where an answer given earlier can be changed.
    @discardableResult
    public func back() -> Move {
        guard phase == .showing, let earlier = previousIndex(from: position - 1) else { return .stayed([]) }
        show(earlier)
        return .moved
    }

    /// Leaves everything that is still ahead: each page is backfilled, the last one too.
    ///
    /// - Throws: ``OnboardingStorageError``; then the page stays, and the pages left before the failure are recorded.
    @discardableResult
    public func finish() throws(OnboardingStorageError) -> Move {
        try move(to: pages.count)
    }

    /// Ends the showing before its end: what was answered stays (nothing under `onFinish`), and nothing else.
    public func leave() {
        if phase == .showing || phase == .ready { phase = .left }
    }

    /// The index of the nearest page from `start` backwards that isn't passed over, or nil.
    func previousIndex(from start: Int) -> Int? {
        (0..<max(0, start + 1)).last { !isPassedOver($0) }
    }

    /// Looks at what other processes answered meanwhile, then advances.
    private func move(to target: Int) throws(OnboardingStorageError) -> Move {
        guard phase == .showing else { return .stayed([]) }
        try flow.refresh()
        return try advance(to: target)
    }

    /// Leaves every page before `target` in order; stops on the first whose fields don't let it go.
    private func advance(to target: Int) throws(OnboardingStorageError) -> Move {
        for index in position..<max(position, target) where index < pages.count {
            let faults = try leavePage(index)
            if !faults.isEmpty {
                if index != position { show(index) }
                return .stayed(faults)
            }
        }
        guard let next = nextIndex(from: target) else { return try finishNow() }
        show(next)
        return .moved
    }

    /// Records what leaving one page forward means: its edits as the user's answer, else a backfill while the step is
    /// unanswered. A page that was left before and not edited since has nothing to record.
    private func leavePage(_ index: Int) throws(OnboardingStorageError) -> [FieldFault] {
        let page = pages[index]
        if isEdited(page) {
            let faults = faults(on: page)
            if faults.isEmpty { try answer(true, page, inputs: inputs(of: page)) }
            return faults
        }
        guard answers[page.step.id] == nil, !isPassedOver(index) else { return [] }
        var change = OnboardingChange.leaving(page.step)
        // A declined step that is shown again is answered, so moving past it changes nothing.
        guard change.applies(to: flow.record(for: page.step.id)) else { return [] }
        if !page.step.isSkippable {
            let faults = faults(on: page)
            if !faults.isEmpty { return faults }
            change.inputs = inputs(of: page)
        }
        try backfill(change)
        return []
    }

    private func show(_ index: Int) {
        position = index
        onPageShown(pages[index].step.id)
    }

    private func finishNow() throws(OnboardingStorageError) -> Move {
        if !held.isEmpty {
            try flow.commit(held)
            held = []
            heldPlaces = [:]
        }
        phase = .finished
        onFinished()
        return .finished
    }
}
