#if GTK
import CAdwaita
import Foundation
import Testing

@testable import DoorstepGTK

/// A real window under test: what its user does, what they read, and how it ended.
@MainActor
final class Stage {
    /// How long anything may take; only what never happens takes so long.
    static let patience = Duration.seconds(30)

    private static weak var latest: Stage?

    let window: OnboardingWindow
    private(set) var outcome: PresenterOutcome?
    private(set) var failure: OnboardingStorageError?
    /// Everything that was to be read so far.
    private(set) var read = ""

    init(
        _ pager: OnboardingPager, heading: String = "Aurora", theme: WindowTheme = WindowTheme(),
        session: PresenterSession = PresenterSession(), allowsMotion: Bool = false,
        custom: @escaping OnboardingWindow.CustomPage = { _ in nil }
    ) throws {
        Complaints.listening
        // One that a failed test left open would be in the way.
        Self.latest?.window.close()
        try #require(OnboardingWindow.canOpen, "there is no display; run scripts/test-gtk")
        window = OnboardingWindow(
            pager, heading: heading, theme: theme, session: session, allowsMotion: allowsMotion, custom: custom)
        Self.latest = self
        window.onClosed = { [weak self] outcome, failure in
            self?.outcome = outcome
            self?.failure = failure
        }
    }

    /// Shows the window and waits until it is drawn.
    func open() async throws {
        try window.present()
        guard outcome == nil else { return }
        try await until("the window is there") { self.widget.map { gtk_widget_get_mapped($0) != 0 } ?? true }
        // Only then the X server has it too, and pointers reach it.
        try await drawn()
        look()
    }

    /// The window's widget, while it is open.
    var widget: Widget? { window.widget }

    /// Lets GTK and the main actor work until something is so.
    func until(_ what: String, _ condition: @MainActor () -> Bool) async throws {
        let deadline = ContinuousClock.now + Self.patience
        while !condition() {
            try #require(ContinuousClock.now < deadline, "it never happened that \(what)")
            while g_main_context_iteration(nil, 0) != 0 {}
            // The main actor's own work comes now.
            try await Task.sleep(for: .milliseconds(1))
        }
        look()
    }

    /// Waits until the shown page stands still.
    func settle() async throws {
        try await until("the carousel stands still") {
            guard let carousel = self.window.carousel, self.window.state == .pages else { return true }
            return adw_carousel_get_position(carousel) == Double(self.window.pager.position)
        }
    }

    /// Takes down everything that can be read now.
    func look() {
        guard let widget else { return }
        read += widget.texts.joined(separator: "\n") + "\n"
    }

    /// Presses the button with this title, as a key would: it goes down, and up again.
    func press(_ title: String) async throws {
        let button = try #require(self.button(title), "there is no button \"\(title)\"")
        try #require(gtk_widget_is_sensitive(button) != 0, "the button \"\(title)\" can't be pressed now")
        var isPressed = false
        let handler = Signal.connect(button, "clicked") { isPressed = true }
        gtk_widget_activate(button)
        try await until("the button \"\(title)\" is pressed") { isPressed }
        if window.state != .closed, self.button(title) == button { g_signal_handler_disconnect(button, handler) }
    }

    /// The button with this title, if it can be seen.
    func button(_ title: String) -> Widget? {
        widget?.descendants.first { widget in
            g_type_check_instance_is_a(widget.cast(), gtk_button_get_type()) != 0
                && gtk_widget_get_visible(widget) != 0
                && gtk_button_get_label(widget.cast()).map { String(cString: $0) } == title
        }
    }

    /// The titles of the footer's buttons, from the first to the last.
    var actions: [String] {
        window.footer?.widget.descendants.compactMap { widget in
            guard g_type_check_instance_is_a(widget.cast(), gtk_button_get_type()) != 0,
                gtk_widget_get_visible(widget) != 0
            else { return nil }
            return gtk_button_get_label(widget.cast()).map { String(cString: $0) }
        } ?? []
    }

    /// The shown page's view of a field.
    func field(_ key: String) throws -> FieldView {
        try #require(window.pages[window.pager.position].view(key))
    }

    /// Gives a field a value as its control takes it.
    func fill(_ view: FieldView, _ line: String) {
        let control = view.control.widget
        switch view.field.kind {
        case .text: gtk_editable_set_text(control.opaque, line)
        case .integer:
            if g_type_check_instance_is_a(control.cast(), gtk_range_get_type()) != 0 {
                gtk_range_set_value(control.cast(), Double(line) ?? -1)
            } else {
                gtk_editable_set_text(control.opaque, line)
            }
        case .choice(let choices, _):
            let index = choices.firstIndex { $0.label == line || $0.value == line }
            gtk_drop_down_set_selected(control.opaque, guint(index ?? 0) + (view.field.isOptional ? 1 : 0))
        case .toggle: gtk_switch_set_active(control.opaque, line == "on" ? 1 : 0)
        }
        look()
    }

    /// What the window shows now; the caller's to free.
    func texture() async throws -> OpaquePointer {
        let widget = try #require(widget)
        let paintable: OpaquePointer = gtk_widget_paintable_new(widget)
        defer { g_object_unref(paintable.raw) }
        // It takes its picture with the next frame.
        try await drawn()
        let (width, height) = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
        let snapshot: OpaquePointer = gtk_snapshot_new()
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        let node: OpaquePointer = try #require(gtk_snapshot_free_to_node(snapshot), "nothing is drawn yet")
        defer { gsk_render_node_unref(node) }
        let renderer: OpaquePointer = gtk_native_get_renderer(gtk_widget_get_native(widget))
        return gsk_renderer_render_texture(renderer, node, nil)
    }

    /// Waits until two more frames are drawn, so that what changed is seen.
    func drawn() async throws {
        let widget = try #require(widget)
        let clock: OpaquePointer = gtk_widget_get_frame_clock(widget)
        let wanted = gdk_frame_clock_get_frame_counter(clock) + 2
        try await until("the window is drawn") {
            // It may be closed by what is dealt with meanwhile.
            guard self.widget != nil else { return true }
            gtk_widget_queue_draw(widget)
            return gdk_frame_clock_get_frame_counter(clock) >= wanted
        }
    }

    /// Closes what is still open; nothing may have been complained of.
    func end() async throws {
        if outcome == nil { window.close() }
        try await until("the window is gone") { self.outcome != nil }
        while g_main_context_iteration(nil, 0) != 0 {}
        #expect(Complaints.all.isEmpty)
    }
}

@MainActor
extension FieldControl {
    /// Whether the keyboard is in this control.
    var hasFocus: Bool { widget.focused.map { widget.holds($0) } ?? false }
}

@MainActor
extension UnsafeMutablePointer<GtkWidget> {
    /// The widgets inside this one.
    var children: [Widget] {
        var children: [Widget] = []
        var next = gtk_widget_get_first_child(self)
        while let child = next {
            children.append(child)
            next = gtk_widget_get_next_sibling(child)
        }
        return children
    }

    /// This widget and everything inside it, in order.
    var descendants: [Widget] { [self] + children.flatMap(\.descendants) }

    /// What can be read in this widget: its labels, and what its lists offer.
    var texts: [String] {
        descendants.compactMap { widget -> String? in
            guard gtk_widget_get_visible(widget) != 0 else { return nil }
            if g_type_check_instance_is_a(widget.cast(), gtk_label_get_type()) != 0 {
                return String(cString: gtk_label_get_text(widget.opaque))
            }
            if g_type_check_instance_is_a(widget.cast(), gtk_drop_down_get_type()) != 0 {
                let list: OpaquePointer = gtk_drop_down_get_model(widget.opaque)
                return (0..<g_list_model_get_n_items(list)).map {
                    String(cString: gtk_string_list_get_string(list, $0))
                }
                .joined(separator: "\n")
            }
            return nil
        }
    }
}
#endif
