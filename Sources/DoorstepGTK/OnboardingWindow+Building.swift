#if GTK
internal import CAdwaita

/// The window's widgets, and what they call.
extension OnboardingWindow {
    private static let width: Int32 = 560
    private static let height: Int32 = 680

    /// Makes the window with the page that comes up first.
    func build() -> Widget {
        gtk_widget_set_default_direction(pager.languages.isRightToLeft ? GTK_TEXT_DIR_RTL : GTK_TEXT_DIR_LTR)
        let window: Widget = adw_window_new()
        widget = window
        gtk_window_set_title(window.cast(), PrintableText.singleLine(heading))
        gtk_window_set_default_size(window.cast(), Self.width, Self.height)
        gtk_widget_add_css_class(window, "doorstep-window")
        if let application { gtk_window_set_application(window.cast(), application) }
        style = WindowStyle(theme, of: window)

        let column = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 0)
        column.append(adw_header_bar_new())
        let carousel: OpaquePointer = makeCarousel()
        column.append(carousel.widget)
        let dots: Widget = doorstep_dots_new(carousel)
        dots.setMargins(0, 6)
        gtk_widget_set_visible(dots, pager.pages.count > 1 ? 1 : 0)
        column.append(dots)
        self.dots = dots
        let footer = Footer { [weak self] index in self?.choose(index) }
        self.footer = footer
        column.append(footer.widget)
        adw_window_set_content(window.cast(), column)
        gtk_window_set_default_widget(window.cast(), footer.primary)

        Signal.connect(asking: window, "close-request") { [weak self] in
            self?.close()
            return true
        }
        Signal.notified(of: "is-active", window) { [weak self] in self?.activityChanged() }
        Signal.notified(of: "default-width", window) { [weak self] in self?.balance() }
        Signal.connect(window, "map") { [weak self] in
            self?.balance()
            self?.makeOtherPages(onceDrawn: window)
        }
        Signal.keys(of: window) { [weak self] key, modifiers in self?.take(key, modifiers) ?? false }
        return window
    }

    private func makeCarousel() -> OpaquePointer {
        let carousel: OpaquePointer = adw_carousel_new().opaque
        self.carousel = carousel
        gtk_widget_set_vexpand(carousel.widget, 1)
        doorstep_set_accessible_label(carousel.widget, PrintableText.singleLine(heading))
        // A wheel scrolls the page; what a page is left for is recorded, so it is never left by accident.
        adw_carousel_set_allow_scroll_wheel(carousel, 0)
        makePages(upTo: pager.position)
        Signal.connect(indexed: carousel, "page-changed") { [weak self] index in self?.swiped(to: index) }
        return carousel
    }

    /// Has the window come up with its first page alone; the others are made while that is looked at.
    private func makeOtherPages(onceDrawn window: Widget) {
        guard let clock = gtk_widget_get_frame_clock(window) else { return makeOtherPages() }
        Signal.once(clock, "after-paint") { [weak self] in self?.makeOtherPages() }
    }

    /// Makes what isn't made yet of the pages.
    func makeOtherPages() {
        guard state == .pages, pages.count < pager.pages.count else { return }
        makePages(upTo: pager.pages.count - 1)
        balance()
    }

    private func makePages(upTo last: Int) {
        while pages.count <= last {
            let (number, page) = (pages.count, pager.pages[pages.count])
            let own = custom(page)
            // The app's own code may close the window, or turn a page, which makes the others.
            guard state == .pages, let carousel else { return }
            if pages.count > number { continue }
            let view = PageView(
                page, icon: theme.icon, languages: pager.languages, custom: own,
                listener: PageView.Listener(
                    changed: { [weak self] value, field in self?.changed(field, value, on: page.step.id) },
                    left: { [weak self] field in self?.left(field, on: page.step.id) },
                    value: { [pager] field in pager.value(for: field.key, on: page.step.id) }))
            view.setActive(number == pager.position)
            pages.append(view)
            adw_carousel_append(carousel, view.widget)
        }
    }

    /// Fits the titles' lines to the window.
    func balance() {
        guard let widget else { return }
        var (width, height): (Int32, Int32) = (0, 0)
        gtk_window_get_default_size(widget.cast(), &width, &height)
        for page in pages { page.balance(windowWidth: width) }
    }

    /// Keys that mean something on every page: Escape goes back, Enter does what the page is for, Alt with an arrow turns
    /// pages as a swipe does, Ctrl-W closes.
    private func take(_ key: UInt32, _ modifiers: GdkModifierType) -> Bool {
        let held = modifiers.rawValue
        let isRightToLeft = pager.languages.isRightToLeft
        // A list that hangs open has its own Enter and Escape.
        if let focused = widget?.focused, gtk_widget_get_ancestor(focused, gtk_popover_get_type()) != nil {
            return false
        }
        switch Int32(key) {
        case GDK_KEY_Escape where state == .pages:
            act(.back)
        case GDK_KEY_Left where held & GDK_ALT_MASK.rawValue != 0: turn(forward: isRightToLeft)
        case GDK_KEY_Right where held & GDK_ALT_MASK.rawValue != 0: turn(forward: !isRightToLeft)
        case GDK_KEY_w where held & GDK_CONTROL_MASK.rawValue != 0: close()
        case GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter:
            // In a button Enter presses it; in a field it does what the page is for, even where a drop-down would open.
            guard state == .pages, let focused = widget?.focused,
                pages.contains(where: { $0.fields.contains { $0.control.widget.holds(focused) } })
            else { return false }
            if let primary = pager.actions.first, !isBusy { act(primary.role) }
        default: return false
        }
        return true
    }
}
#endif
