#if GTK
internal import CAdwaita

/// A title whose lines are about the same length: as few as there must be, and as even as they can be.
@MainActor
final class BalancedTitle {
    /// How near to the best width is near enough, in pixels: each try lays the text out anew.
    private static let tolerance: Int32 = 4

    /// The label and what holds it to its width.
    let widget: Widget
    private let label: Widget
    private var limit: Int32 = 0

    init(isHero: Bool) {
        label = Widget.label(
            GTK_ACCESSIBLE_ROLE_HEADING, classes: "doorstep-title", isHero ? "title-1" : "title-2")
        widget = adw_clamp_new()
        adw_clamp_set_child(widget.opaque, label)
    }

    func setText(_ text: String) {
        label.setText(text)
        balance(within: limit)
    }

    /// Finds about the least width that needs no more lines than the whole width does.
    func balance(within limit: Int32) {
        self.limit = limit
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
        var natural: Int32 = 0
        pango_layout_get_pixel_size(layout, &natural, nil)
        setWidth(natural <= limit ? limit : leastWidth(of: layout, natural: natural, within: limit))
    }

    private func leastWidth(of layout: OpaquePointer, natural: Int32, within limit: Int32) -> Int32 {
        func lines(_ width: Int32) -> Int32 {
            pango_layout_set_width(layout, width * PANGO_SCALE)
            return pango_layout_get_line_count(layout)
        }
        let fewest = lines(limit)
        // So many lines hold at least about this much each: the text, less the spaces that lines end with.
        var (low, high) = (min(limit, natural * 3 / 4 / fewest), limit)
        while high - low > Self.tolerance {
            let middle = (low + high) / 2
            if lines(middle) <= fewest { high = middle } else { low = middle + 1 }
        }
        return high
    }

    private func setWidth(_ width: Int32) {
        adw_clamp_set_maximum_size(widget.opaque, width)
        adw_clamp_set_tightening_threshold(widget.opaque, width)
    }
}
#endif
