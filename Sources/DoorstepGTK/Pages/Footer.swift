#if GTK
internal import CAdwaita

/// What can be done on the shown page: one row of actions for all pages, which change with the page.
@MainActor
final class Footer {
    /// One thing to do.
    struct Action: Hashable {
        enum Place: Hashable {
            /// The page's own: wide, and what Enter does.
            case primary
            /// Going back.
            case leading
            /// Going on otherwise.
            case trailing
        }

        var title: String
        var place: Place
        var isDestructive = false
    }

    let widget: Widget
    /// The button that Enter stands for; there is always one, so that the window keeps its default.
    let primary: Widget = gtk_button_new()
    private let notice = Widget.label(GTK_ACCESSIBLE_ROLE_ALERT, classes: "doorstep-error")
    private let spinner: Widget = gtk_spinner_new()
    private let leading = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6)
    private let trailing = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6)
    private var shown: [Action] = []
    private let chosen: @MainActor (Int) -> Void

    /// - Parameter chosen: Called with the index of the action that was chosen.
    init(chosen: @escaping @MainActor (Int) -> Void) {
        self.chosen = chosen
        widget = adw_clamp_new()
        adw_clamp_set_maximum_size(widget.opaque, PageView.columnWidth)
        gtk_widget_add_css_class(widget, "doorstep-footer")
        let column = Widget.box(GTK_ORIENTATION_VERTICAL, spacing: 9)
        column.setMargins(PageView.margin, 12)
        adw_clamp_set_child(widget.opaque, column)

        let secondary = Widget.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6)
        gtk_widget_add_css_class(secondary, "doorstep-secondary")
        gtk_widget_set_hexpand(leading, 1)
        secondary.append(leading)
        secondary.append(trailing)
        gtk_widget_add_css_class(primary, "pill")
        gtk_widget_add_css_class(primary, "suggested-action")
        gtk_widget_set_halign(primary, GTK_ALIGN_FILL)
        for part in [spinner, notice, primary, secondary] { column.append(part) }
        notice.setText(nil)
        gtk_widget_set_visible(spinner, 0)
        Signal.connect(primary, "clicked") { [weak self] in self?.choose(at: .primary, 0) }
    }

    /// Shows these actions; a button that stays keeps the keyboard.
    func show(_ actions: [Action]) {
        guard actions != shown else { return }
        shown = actions
        let own = actions.first { $0.place == .primary }
        gtk_button_set_label(primary.cast(), own?.title ?? "")
        gtk_widget_set_visible(primary, own == nil ? 0 : 1)
        fill(leading, .leading)
        fill(trailing, .trailing)
    }

    /// Says something about the action that was chosen last; nil for nothing.
    func say(_ text: String?) {
        notice.setText(text)
    }

    /// Shows that something is being waited for. Only the primary action waits with it.
    func setBusy(_ isBusy: Bool, text: String) {
        gtk_widget_set_sensitive(primary, isBusy ? 0 : 1)
        gtk_widget_set_visible(spinner, isBusy ? 1 : 0)
        gtk_spinner_set_spinning(spinner.opaque, isBusy ? 1 : 0)
        doorstep_set_accessible_label(spinner, text)
    }

    private func fill(_ box: Widget, _ place: Action.Place) {
        while let child = gtk_widget_get_first_child(box) { gtk_box_remove(box.cast(), child) }
        for (index, action) in shown.filter({ $0.place == place }).enumerated() {
            let button: Widget = gtk_button_new_with_label(action.title)
            gtk_widget_add_css_class(button, "flat")
            // libadwaita's own class is for buttons with a ground: on one without, its letters are as light as a light window.
            button.setClass("doorstep-destructive", action.isDestructive)
            Signal.connect(button, "clicked") { [weak self] in self?.choose(at: place, index) }
            box.append(button)
        }
    }

    private func choose(at place: Action.Place, _ number: Int) {
        let places = shown.indices.filter { shown[$0].place == place }
        if places.indices.contains(number) { chosen(places[number]) }
    }
}
#endif
