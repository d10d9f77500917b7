#if GTK
internal import CAdwaita

/// What goes on outside the window: plugins' actions, changes, and coming back.
extension OnboardingWindow {
    /// Listens for changes outside, for as long as the window is open.
    func watch() {
        for page in pager.pages {
            let changes = session.changes(page.step.id)
            tasks.append(
                Task { [weak self] in
                    for await _ in changes { self?.heardNews() }
                })
        }
    }

    private func heardNews() {
        hasNews = true
        if isLive { reconcile() }
    }

    /// Whether the shown page follows something outside: only then news are worth asking checks.
    var isLive: Bool {
        guard state == .pages, let content = pager.page?.content else { return false }
        if case .perform = content.primary { return true }
        return content.status != nil
    }

    /// The window got the keyboard, or lost it. Coming back is more than the first time.
    func activityChanged() {
        guard let widget, gtk_window_is_active(widget.cast()) != 0 else { return }
        if wasActive { reconcile() }
        wasActive = true
    }

    /// Looks again at how things stand outside. One pass at a time: what is heard meanwhile begins another.
    func reconcile() {
        hasNews = true
        guard !isReconciling, state == .pages else { return }
        isReconciling = true
        let session = session
        tasks.append(
            Task { [weak self] in
                while let self, self.hasNews, self.state == .pages {
                    self.hasNews = false
                    do throws(OnboardingStorageError) {
                        try await session.becameActive()
                    } catch {
                        self.tell(error)
                    }
                    self.update()
                }
                self?.isReconciling = false
            })
    }

    /// Has a plugin do something outside the flow, and shows what came of it.
    func perform(_ name: String) {
        guard !isBusy, let step = pager.page?.step.id else { return }
        footer?.say(nil)
        setBusy(true)
        let session = session
        tasks.append(
            Task { [weak self] in
                var notice: String?
                do throws(OnboardingStorageError) {
                    notice = try await session.perform(name, step)
                    self?.failure = nil
                } catch {
                    self?.failure = error
                    notice = error.message
                }
                guard let self, self.state == .pages else { return }
                self.setBusy(false)
                self.update()
                if let notice { self.footer?.say(PrintableText.cleaned(notice)) }
            })
    }

    private func setBusy(_ isBusy: Bool) {
        self.isBusy = isBusy
        footer?.setBusy(isBusy, text: PresenterPhrase.working.text(for: pager.languages))
    }
}
#endif
