#if GTK
internal import CAdwaita

/// What its user does, handed on to the pager; and the pager's state, shown.
extension OnboardingWindow {
    /// Shows what the pager has become.
    func update() {
        switch pager.phase {
        case .showing: if state == .pages { showPage() }
        case .finished: if state == .pages { showProfile() }
        case .left: end(.left)
        case .ready: break
        }
    }

    private func showPage() {
        let index = pager.position
        for (view, page) in zip(pages, pager.pages) { view.take(page.content, icon: theme.icon) }
        footer?.show(pager.actions.map(Footer.Action.init))
        guard index != shown else { return }
        let isFirst = shown == nil
        if !isFirst { makeOtherPages() }
        shown = index
        for (number, view) in pages.enumerated() { view.setActive(number == index) }
        scroll(to: pages[index].widget, animated: !isFirst)
        tellPlace()
        focusPage()
        if hasNews, isLive { reconcile() }
    }

    /// Brings a page of the carousel into view; if need be as soon as the pages have their places.
    func scroll(to page: Widget, animated: Bool) {
        guard let carousel else { return }
        if !hasPlaces, let clock = gtk_widget_get_frame_clock(carousel.widget) {
            return scroll(to: page, animated: animated, oncePlaced: clock)
        }
        adw_carousel_scroll_to(carousel, page, animated && allowsMotion ? 1 : 0)
    }

    /// Whether each page has its place. New ones get it within a frame or two; until then a carousel takes them for the first.
    private var hasPlaces: Bool {
        var count: Int32 = 0
        guard let carousel, let places = adw_swipeable_get_snap_points(carousel, &count) else { return false }
        defer { g_free(places) }
        return count > 0 && places[Int(count) - 1] == Double(count - 1)
    }

    private func scroll(to page: Widget, animated: Bool, oncePlaced clock: OpaquePointer) {
        let isWaiting = awaitedPage != nil
        awaitedPage = page
        if isWaiting { return }
        Signal.once(clock, "after-paint") { [weak self] in
            guard let self, let page = awaitedPage else { return }
            awaitedPage = nil
            if state != .closed { scroll(to: page, animated: animated) }
        }
        gdk_frame_clock_request_phase(clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT)
    }

    /// The keyboard goes to the page's first field, else to its own action.
    func focusPage() {
        guard let shown else { return }
        if let field = pages[shown].fields.first {
            field.focus()
        } else if let footer {
            gtk_widget_grab_focus(footer.primary)
        }
    }

    private func tellPlace() {
        if let dots { doorstep_set_accessible_label(dots, "\(pager.position + 1) / \(pager.pages.count)") }
    }

    /// A swipe came to rest on a page; also the end of every slide that the window itself began.
    func swiped(to index: Int) {
        guard state == .pages, pager.phase == .showing, awaitedPage == nil, let carousel else { return }
        if index == pager.position { return restoreFocus() }
        attempt { () throws(OnboardingStorageError) in try pager.jump(to: index) }
        // The pager may have stayed, or gone elsewhere: a page that was answered meanwhile is passed over.
        if state == .pages, pager.phase == .showing,
            Int(adw_carousel_get_position(carousel).rounded()) != pager.position
        {
            scroll(to: pages[pager.position].widget, animated: true)
        }
    }

    /// A page that comes into view takes the keyboard, unless its actions have it.
    private func restoreFocus() {
        guard let widget, let shown, let footer else { return }
        if let focused = widget.focused, pages[shown].widget.holds(focused) || footer.widget.holds(focused) {
            return
        }
        focusPage()
    }

    /// Turns a page as a swipe does.
    func turn(forward isForward: Bool) {
        guard state == .pages else { return }
        attempt { () throws(OnboardingStorageError) in
            // Like a swipe, it doesn't go past the last page.
            let hasNext = pager.position + 1 < pager.pages.count
            if isForward { return hasNext ? try pager.forward() : .stayed([]) }
            return pager.back()
        }
    }

    /// An action of the footer was chosen.
    func choose(_ index: Int) {
        switch state {
        case .pages:
            let actions = pager.actions
            if actions.indices.contains(index) { act(actions[index].role) }
        case .profile: chooseInProfile(index)
        case .closed: break
        }
    }

    /// Does an action of the shown page, if the page has it.
    func act(_ role: StepAction.Role) {
        guard pager.actions.contains(where: { $0.role == role }) else { return }
        if case .perform(let name) = role { return perform(name) }
        attempt { () throws(OnboardingStorageError) in try pager.perform(role) }
    }

    private func attempt(_ move: () throws(OnboardingStorageError) -> OnboardingPager.Move) {
        footer?.say(nil)
        do throws(OnboardingStorageError) {
            let moved = try move()
            failure = nil
            update()
            if case .stayed(let faults) = moved, state == .pages { pages[pager.position].show(faults) }
        } catch {
            update()
            tell(error)
        }
    }

    /// Says why something could not be written; the page stays.
    func tell(_ error: OnboardingStorageError) {
        failure = error
        footer?.say(error.message)
    }

    /// The user gave a field another value; what was wrong with it is looked at again when it is left.
    func changed(_ field: StepField, _ value: OnboardingInputValue?, on step: OnboardingStepID) {
        guard pager.page?.step.id == step, let shown else { return }
        pager.setValue(value, for: field.key)
        pages[shown].view(field.key)?.show(nil)
        footer?.say(nil)
        footer?.show(pager.actions.map(Footer.Action.init))
    }

    /// Shows what is wrong with a field that the user has filled in and leaves.
    func left(_ field: StepField, on step: OnboardingStepID) {
        guard state == .pages, pager.page?.step.id == step, let shown, let value = pager.value(for: field.key),
            let fault = field.fault(in: value)
        else { return }
        pages[shown].view(field.key)?.show(fault)
    }
}

extension Footer.Action {
    /// An action of the pager's at its place.
    fileprivate init(_ action: StepAction) {
        let place: Place =
            switch action.role {
            case .complete, .perform: .primary
            case .back: .leading
            case .forward, .skip: .trailing
            }
        self.init(title: action.title, place: place)
    }
}
#endif
