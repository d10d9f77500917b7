/// What the user can do on the shown page.
extension OnboardingPager {
    /// The actions of the shown page, the primary one first; empty before the start and after the end.
    ///
    /// A completing action is named by the page itself, else by its place: "Sign Up" on the welcome, "Finish" on the last
    /// page ("Get Started" where that is the welcome), "Next" between. A page whose own action is outside the flow
    /// always offers a way on: Skip where it is skippable, else going on without.
    public var actions: [StepAction] {
        guard let page else { return [] }
        var actions = [primary(of: page)]
        let canSkip = page.step.isSkippable && !page.isWelcome
        if case .perform = page.content.primary, !canSkip {
            actions.append(action(.forward, .continueWithout))
        }
        if canSkip { actions.append(action(.skip, .skip)) }
        if previousIndex(from: position - 1) != nil { actions.append(action(.back, .back)) }
        return actions
    }

    /// Does what an action stands for, except ``StepAction/Role/perform(_:)``, which is the plugin's.
    ///
    /// - Throws: ``OnboardingStorageError``; then the page stays.
    @discardableResult
    public func perform(_ role: StepAction.Role) throws(OnboardingStorageError) -> Move {
        switch role {
        case .complete: try complete()
        case .forward: try forward()
        case .skip: try skip()
        case .back: back()
        case .perform: .stayed([])
        }
    }

    private func primary(of page: Page) -> StepAction {
        switch page.content.primary {
        case .perform(let name, let title):
            action(.perform(name), title)
        case .complete(let title?):
            StepAction(role: .complete, title: title)
        case .complete(nil):
            action(.complete, placeTitle(of: page))
        }
    }

    private func placeTitle(of page: Page) -> Phrase {
        let isLast = nextIndex(from: position + 1) == nil
        if page.isWelcome { return isLast ? .getStarted : .signUp }
        return isLast ? .finish : .next
    }

    private func action(_ role: StepAction.Role, _ title: Phrase) -> StepAction {
        StepAction(role: role, title: title.text(for: languages))
    }
}
