#if GTK
public import CAdwaita

/// A pointer to any widget; the C API's casts are macros, which Swift doesn't see.
public typealias Widget = UnsafeMutablePointer<GtkWidget>

/// A pointer to a GObject, whichever way its C type is imported: complete types as typed pointers, final ones as opaque.
protocol ObjectPointer {
    var raw: UnsafeMutableRawPointer { get }
}

extension UnsafeMutablePointer: ObjectPointer {
    var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }

    /// The same object as another type of its ancestry.
    func cast<Other>(to type: Other.Type = Other.self) -> UnsafeMutablePointer<Other> {
        raw.assumingMemoryBound(to: type)
    }

    /// The same object as a final type or an interface.
    var opaque: OpaquePointer { OpaquePointer(self) }
}

extension OpaquePointer: ObjectPointer {
    var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(self) }

    /// The same object as a widget.
    var widget: Widget { Widget(self) }
}

/// What widgets of every kind are asked and told here.
@MainActor
extension UnsafeMutablePointer<GtkWidget> {
    /// A box that holds widgets in a line.
    static func box(_ orientation: GtkOrientation, spacing: Int32) -> Widget {
        gtk_box_new(orientation, spacing)
    }

    /// A label that wraps its text, centred.
    static func label(_ role: GtkAccessibleRole = GTK_ACCESSIBLE_ROLE_LABEL, classes: String...) -> Widget {
        let label: Widget = doorstep_label_new(role)
        gtk_label_set_wrap(label.opaque, 1)
        gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
        gtk_label_set_justify(label.opaque, GTK_JUSTIFY_CENTER)
        for name in classes { gtk_widget_add_css_class(label, name) }
        return label
    }

    func append(_ child: Widget) {
        gtk_box_append(cast(), child)
    }

    /// Puts a text into a label, and takes a label without one away.
    func setText(_ text: String?) {
        gtk_label_set_text(opaque, text ?? "")
        gtk_widget_set_visible(self, (text ?? "").isEmpty ? 0 : 1)
    }

    func setMargins(_ horizontal: Int32, _ vertical: Int32) {
        gtk_widget_set_margin_start(self, horizontal)
        gtk_widget_set_margin_end(self, horizontal)
        gtk_widget_set_margin_top(self, vertical)
        gtk_widget_set_margin_bottom(self, vertical)
    }

    /// Whether this widget is another's ancestor, or the same.
    func holds(_ other: Widget) -> Bool {
        self == other || gtk_widget_is_ancestor(other, self) != 0
    }

    /// The widget of its window that has the keyboard, or nil.
    var focused: Widget? {
        gtk_widget_get_root(self).flatMap { gtk_root_get_focus($0) }
    }

    /// Adds or takes away a style class.
    func setClass(_ name: String, _ isOn: Bool) {
        if isOn { gtk_widget_add_css_class(self, name) } else { gtk_widget_remove_css_class(self, name) }
    }
}
#endif
