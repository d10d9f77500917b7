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
        if answers[page.step.id] != true || edited.contains(page.step.id) {
            try answer(true, page, inputs: inputs(of: page))
        }
        return try forward()
    }

    /// Records `false`, drops what was typed, and advances; does nothing on a page that isn't skippable.
    ///
    /// - Throws: ``OnboardingStorageError``; then the page stays and nothing has changed.
    @discardableResult
    public func skip() throws(OnboardingStorageError) -> Move {
        guard let page, page.step.isSkippable, !page.isWelcome else { return .stayed([]) }
        drafts[page.step.id] = nil
        edited.remove(page.step.id)
        if answers[page.step.id] != false {
            try answer(false, page, inputs: page.content.fields.isEmpty ? nil : [:])
        }
        return try forward()
    }

    /// Moves to the next page, backfilling this one, or finishes after the last.
    ///
    /// - Throws: ``OnboardingStorageError``; then the page stays.
    @discardableResult
    public func forward() throws(OnboardingStorageError) -> Move {
        try advance(to: position + 1)
    }

    /// Moves to any earlier page, or forward with a backfill of every page jumped over. The wish is measured in
    /// ``pages``; a page that was answered elsewhere meanwhile is passed over.
    ///
    /// - Throws: ``OnboardingStorageError``; then the page stays.
    @discardableResult
    public func jump(to index: Int) throws(OnboardingStorageError) -> Move {
        guard phase == .showing, pages.indices.contains(index), index != position else { return .stayed([]) }
        if index > position { return try advance(to: index) }
        show(index)
        return .moved
    }

    /// Moves to the page before, where an answer given earlier can be changed.
    @discardableResult
    public func back() -> Move {
        guard phase == .showing, let earlier = previousIndex else { return .stayed([]) }
        show(earlier)
        return .moved
    }

    /// Leaves everything that is still ahead: each page is backfilled, the last one too.
    ///
    /// - Throws: ``OnboardingStorageError``; then the page stays.
    @discardableResult
    public func finish() throws(OnboardingStorageError) -> Move {
        try advance(to: pages.count)
    }

    /// Ends the showing before its end: what was answered stays (nothing under `onFinish`), and nothing else.
    public func leave() {
        if phase == .showing || phase == .ready { phase = .left }
    }

    /// The index that ``back()`` goes to, or nil on the first page.
    var previousIndex: Int? {
        (0..<position).last { !isPassedOver($0) }
    }

    /// Leaves every page before `target` in order; stops on the first whose fields don't let it go.
    func advance(to target: Int) throws(OnboardingStorageError) -> Move {
        guard phase == .showing else { return .stayed([]) }
        try flow.refresh()
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

    /// Backfills one page that is left going forward, unless that was done before and nothing was edited since.
    private func leavePage(_ index: Int) throws(OnboardingStorageError) -> [FieldFault] {
        let page = pages[index]
        let isEdited = edited.contains(page.step.id)
        if !isPassedOver(index), isEdited || (index >= frontier && answers[page.step.id] == nil) {
            let asksForValues = !page.content.fields.isEmpty && (isEdited || !page.step.isSkippable)
            let faults = asksForValues ? faults(on: page) : []
            if !faults.isEmpty { return faults }
            if isEdited {
                try answer(true, page, inputs: inputs(of: page))
            } else {
                try backfill(page, inputs: asksForValues ? inputs(of: page) : nil)
            }
        }
        frontier = max(frontier, index + 1)
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
        }
        phase = .finished
        onFinished()
        return .finished
    }
}
