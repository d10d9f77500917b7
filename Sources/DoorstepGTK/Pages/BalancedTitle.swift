#if GTK
internal import CAdwaita

/// A title whose lines are about the same length: as few as there must be, and as even as they can be.
@MainActor
struct BalancedTitle {
    /// The label and what holds it to its width.
    let widget: Widget
    private let label: Widget

    init(isHero: Bool) {
        label = Widget.label(
            GTK_ACCESSIBLE_ROLE_HEADING, classes: "doorstep-title", isHero ? "title-1" : "title-2")
        widget = adw_clamp_new()
        adw_clamp_set_child(widget.opaque, label)
    }

    func setText(_ text: String) {
        label.setText(text)
    }

    /// Finds the least width that needs no more lines than the whole width does.
    func balance(within limit: Int32) {
        // A context of its own has the font of the theme's rules already; the label's own gets it with the next frame.
        guard limit > 0, let text = gtk_label_get_text(label.opaque),
            let context = gtk_widget_create_pango_context(label), let layout = pango_layout_new(context)
        else { return }
        defer {
            g_object_unref(layout.raw)
            g_object_unref(context.raw)
        }
        pango_layout_set_text(layout, text, -1)
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        func lines(_ width: Int32) -> Int32 {
            pango_layout_set_width(layout, width * PANGO_SCALE)
            return pango_layout_get_line_count(layout)
        }
        let fewest = lines(limit)
        var (low, high) = (Int32(1), limit)
        while low < high, fewest > 1 {
            let middle = (low + high) / 2
            if lines(middle) <= fewest { high = middle } else { low = middle + 1 }
        }
        adw_clamp_set_maximum_size(widget.opaque, high)
        adw_clamp_set_tightening_threshold(widget.opaque, high)
    }
}
#endif
