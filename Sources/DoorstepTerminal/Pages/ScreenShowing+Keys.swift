internal import Doorstep

/// What keys and clicks do.
extension ScreenShowing {
    nonisolated(nonsending) func take(_ key: Key) async {
        if key == .control("c") {
            isOver = true
            return
        }
        if key == .control("z") {
            port.suspend()
            return
        }
        if scene.isHelp {
            if case .wheel(let lines) = key { scroll(lines) } else { scene.isHelp = false }
            return
        }
        if case .field(let index) = scene.focus, index < scene.fields.count, takeInField(key, index) { return }
        switch key {
        case .tab: moveFocus(1)
        case .backTab: moveFocus(-1)
        case .down: if !scrollIfNothingFocused(1) { moveFocus(1) }
        case .up: if !scrollIfNothingFocused(-1) { moveFocus(-1) }
        case .right: moveAmongActions(languages.isRightToLeft ? -1 : 1)
        case .left: moveAmongActions(languages.isRightToLeft ? 1 : -1)
        case .enter: await enter()
        case .character(" "):
            if case .action = scene.focus { await enter() }
        case .escape: await act(.back)
        case .pageDown: scroll(page)
        case .pageUp: scroll(-page)
        case .home: scroll(-100_000)
        case .end: scroll(100_000)
        case .wheel(let lines): scroll(lines)
        case .character("?"), .character("？"), .character("؟"), .function(1): openHelp()
        case .click(let column, let row): await click(column, row)
        case .control("d"):
            isOver = true
        default: break
        }
    }

    private func openHelp() {
        scene.isHelp = true
        scene.scroll = 0
        scene.followsFocus = false
    }

    private func takeInField(_ key: Key, _ index: Int) -> Bool {
        let before = scene.fields[index].value
        guard scene.fields[index].take(key, isRightToLeft: languages.isRightToLeft) else { return false }
        scene.followsFocus = true
        if scene.fields[index].value != before { hand(index) }
        return true
    }

    /// Gives the pager what a field holds; what was wrong with it is looked at again when it is left.
    private func hand(_ index: Int) {
        let state = scene.fields[index]
        pager.setValue(state.value, for: state.field.key)
        scene.faults[state.field.key] = nil
        scene.notice = nil
    }

    private func moveFocus(_ step: Int) {
        let stops = scene.stops
        guard let index = stops.firstIndex(of: scene.focus), !stops.isEmpty else { return }
        checkLeft()
        scene.focus = stops[(index + step + stops.count) % stops.count]
        scene.followsFocus = true
    }

    /// Shows what is wrong with a field that the user has filled in and leaves.
    private func checkLeft() {
        guard case .field(let index) = scene.focus, index < scene.fields.count else { return }
        let state = scene.fields[index]
        guard let value = state.value, let phrase = state.field.fault(in: value) else { return }
        scene.faults[state.field.key] = phrase.text(for: languages)
    }

    private func moveAmongActions(_ step: Int) {
        guard case .action(let index) = scene.focus else { return }
        let next = index + step
        if scene.actions.indices.contains(next) { scene.focus = .action(next) }
    }

    /// The lines that a page key scrolls.
    private var page: Int { max(1, port.size.rows / 2) }

    private func scroll(_ lines: Int) {
        let most = frame?.maximumScroll ?? 0
        scene.scroll = min(max(0, scene.scroll + lines), most)
        scene.followsFocus = false
    }

    /// On a page without fields the arrows read on, until its end.
    private func scrollIfNothingFocused(_ lines: Int) -> Bool {
        guard case .action = scene.focus, scene.fields.isEmpty, let frame, frame.maximumScroll > 0 else { return false }
        let isAtEnd = lines > 0 ? scene.scroll >= frame.maximumScroll : scene.scroll <= 0
        if isAtEnd { return false }
        scroll(lines)
        return true
    }

    private nonisolated(nonsending) func enter() async {
        switch scene.focus {
        case .action(let index):
            let actions = pager.actions
            if actions.indices.contains(index) { await act(actions[index].role) }
        case .field(let index):
            let state = scene.fields[index]
            if let phrase = state.field.fault(in: state.value) {
                scene.faults[state.field.key] = phrase.text(for: languages)
            } else if index + 1 < scene.fields.count {
                scene.focus = .field(index + 1)
            } else if let primary = pager.actions.first {
                await act(primary.role)
            }
            scene.followsFocus = true
        }
    }

    private nonisolated(nonsending) func click(_ column: Int, _ row: Int) async {
        guard let area = frame?.area(at: column, row) else { return }
        checkLeft()
        scene.followsFocus = true
        switch area.target {
        case .field(let index): scene.focus = .field(index)
        case .choice(let index, let number):
            scene.focus = .field(index)
            guard case .choice(let choices, _) = scene.fields[index].field.kind else { return }
            scene.fields[index].choose(number, choices)
            hand(index)
        case .toggle(let index, let isOn):
            scene.focus = .field(index)
            scene.fields[index].value = .toggle(isOn)
            hand(index)
        case .slider(let index):
            scene.focus = .field(index)
            let offset = Double(column - area.columns.lowerBound) / Double(max(1, area.columns.count - 1))
            scene.fields[index].slide(to: languages.isRightToLeft ? 1 - offset : offset)
            hand(index)
        case .action(let index):
            scene.focus = .action(index)
            let actions = pager.actions
            if actions.indices.contains(index) { await act(actions[index].role) }
        case .page(let index): jump(to: index)
        }
    }

    /// Goes to any page; what keeps a page on the way is shown there.
    private func jump(to index: Int) {
        scene.notice = nil
        do throws(OnboardingStorageError) {
            let move = try pager.jump(to: index)
            takePage()
            if case .stayed(let faults) = move { show(faults) }
            failure = nil
        } catch {
            tell(error)
        }
    }

    private nonisolated(nonsending) func act(_ role: StepAction.Role) async {
        guard pager.actions.contains(where: { $0.role == role }) else { return }
        scene.notice = nil
        do throws(OnboardingStorageError) {
            if case .perform(let name) = role {
                try await perform(name)
            } else if case .stayed(let faults) = try pager.perform(role) {
                show(faults)
            }
            failure = nil
        } catch {
            tell(error)
        }
    }

    private nonisolated(nonsending) func perform(_ name: String) async throws(OnboardingStorageError) {
        guard let page = pager.page else { return }
        let asksAgain = pager.asksAgain(name, languages)
        scene.isBusy = true
        draw(motion: nil)
        port.isOccupied(true)
        defer {
            port.isOccupied(false)
            scene.isBusy = false
        }
        if let problem = try await session.perform(name, page.step.id) {
            scene.notice = PrintableText.cleaned(problem)
            return
        }
        // The same page again would look as if nothing had been done.
        guard asksAgain, page.content.status != nil, pager.page?.step == page.step else { return }
        scene.checks = pager.page?.content == page.content ? scene.checks + 1 : 0
    }

    private func show(_ faults: [FieldFault]) {
        for fault in faults { scene.faults[fault.key] = fault.phrase.text(for: languages) }
        if let index = scene.fields.firstIndex(where: { state in faults.contains { $0.key == state.field.key } }) {
            scene.focus = .field(index)
        }
        scene.followsFocus = true
    }
}
