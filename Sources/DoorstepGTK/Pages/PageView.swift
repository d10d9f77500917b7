#if GTK
internal import CAdwaita

/// One page of the carousel, as the pager has it.
@MainActor
final class PageView {
    /// What a page's fields tell.
    struct Listener {
        /// A field has another value.
        var changed: @MainActor (OnboardingInputValue?, StepField) -> Void
        /// The keyboard left a field.
        var left: @MainActor (StepField) -> Void
        /// What a field holds.
        var value: @MainActor (StepField) -> OnboardingInputValue?
    }

    /// The widest that a page's text runs.
    static let columnWidth: Int32 = 480
    static let margin: Int32 = 24

    /// What goes into the carousel.
    let widget: Widget
    private(set) var fields: [FieldView] = []

    private let content: Widget
    private let icon: Widget = doorstep_ornament_new()
    private let title: BalancedTitle
    private let headline = Widget.label(classes: "title-4")
    private let body = Widget.label(classes: "body")
    private let fieldBox = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 18)
    private let status = Widget.label(GTK_ACCESSIBLE_ROLE_STATUS, classes: "dim-label")
    private let evidence = Widget.label(classes: "dim-label", "caption")
    private let languages: LanguagePreferences
    private let listener: Listener
    private var shown: StepPage?
    private let isCustom: Bool

    /// - Parameters:
    ///   - page: What to show.
    ///   - icon: The app's icon, for a page without one.
    ///   - custom: The app's own widget for this page, which then stands for everything but the actions.
    init(
        _ page: OnboardingPager.Page, icon appIcon: String?, languages: LanguagePreferences, custom: Widget?,
        listener: Listener
    ) {
        self.languages = languages
        self.listener = listener
        title = BalancedTitle(isHero: page.isWelcome)
        content = doorstep_group_new(12)
        isCustom = custom != nil
        widget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_policy(widget.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_scrolled_window_set_propagate_natural_height(widget.opaque, 1)
        gtk_widget_set_hexpand(widget, 1)
        gtk_widget_add_css_class(widget, "doorstep-page")
        widget.setClass("doorstep-hero", page.isWelcome)

        let clamp: Widget = adw_clamp_new()
        adw_clamp_set_maximum_size(clamp.opaque, Self.columnWidth + 2 * Self.margin)
        gtk_scrolled_window_set_child(widget.opaque, clamp)
        if let custom {
            adw_clamp_set_child(clamp.opaque, custom)
            return
        }
        adw_clamp_set_child(clamp.opaque, content)
        gtk_widget_set_valign(content, GTK_ALIGN_CENTER)
        content.setMargins(Self.margin, Self.margin)
        gtk_widget_add_css_class(content, "doorstep-card")
        gtk_image_set_pixel_size(icon.opaque, page.isWelcome ? 128 : 64)
        for part in [icon, title.widget, headline, body, fieldBox, status, evidence] { content.append(part) }
        gtk_widget_set_margin_top(fieldBox, 12)
        take(page.content, icon: appIcon)
    }

    /// Shows a page anew; fields that stay the same keep what is typed in them.
    func take(_ page: StepPage, icon appIcon: String?) {
        guard page != shown, !isCustom else { return }
        let before = shown
        shown = page
        let iconName = page.icon ?? appIcon
        gtk_image_set_from_icon_name(icon.opaque, iconName)
        gtk_widget_set_visible(icon, iconName == nil ? 0 : 1)
        let titleText = PrintableText.singleLine(page.title)
        title.setText(titleText)
        doorstep_set_accessible_label(content, titleText)
        headline.setText(page.headline.map(PrintableText.cleaned))
        body.setText(page.body.map(PrintableText.cleaned).joined(separator: "\n\n"))
        status.setText(page.status.map(PrintableText.cleaned))
        evidence.setText(page.evidence.map(PrintableText.singleLine))
        if before?.fields != page.fields { makeFields(page.fields) }
    }

    /// Shows what is wrong with fields, and gives the first of them the keyboard.
    func show(_ faults: [FieldFault]) {
        for fault in faults { view(fault.key)?.show(fault.phrase) }
        fields.first { view in faults.contains { $0.key == view.field.key } }?.focus()
    }

    func view(_ key: String) -> FieldView? {
        fields.first { $0.field.key == key }
    }

    /// Whether the page takes part in the keyboard's round and in what assistive technology reads.
    func setActive(_ isActive: Bool) {
        gtk_widget_set_can_focus(widget, isActive ? 1 : 0)
        doorstep_set_accessible_hidden(widget, isActive ? 0 : 1)
    }

    /// Fits the title's lines to the width of the window.
    func balance(windowWidth: Int32) {
        // A card takes some of the width for its edges.
        title.balance(within: min(Self.columnWidth, windowWidth - 5 * Self.margin))
    }

    private func makeFields(_ wanted: [StepField]) {
        while let child = gtk_widget_get_first_child(fieldBox) { gtk_box_remove(fieldBox.cast(), child) }
        let listener = listener
        fields = wanted.map { field in
            FieldView(
                field, value: listener.value(field), languages: languages,
                changed: { listener.changed($0, field) }, left: { listener.left(field) })
        }
        for view in fields { fieldBox.append(view.widget) }
        gtk_widget_set_visible(fieldBox, fields.isEmpty ? 0 : 1)
    }
}
#endif
