#if GTK
internal import CAdwaita

/// The app itself: a greeting, and the way to sign out.
@MainActor
final class MainWindow {
    private let widget: UnsafeMutablePointer<GtkWidget> = adw_window_new()
    private let signOut: () -> Void
    private let closed: () -> Void

    init(greeting: String, signOut: @escaping () -> Void, closed: @escaping () -> Void) {
        self.signOut = signOut
        self.closed = closed
        let page: UnsafeMutablePointer<GtkWidget> = adw_status_page_new()
        adw_status_page_set_title(OpaquePointer(page), greeting)
        let button: UnsafeMutablePointer<GtkWidget> = gtk_button_new_with_label("Sign Out")
        gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
        adw_status_page_set_child(OpaquePointer(page), button)
        let column: UnsafeMutablePointer<GtkWidget> = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
        gtk_box_append(UnsafeMutableRawPointer(column).assumingMemoryBound(to: GtkBox.self), adw_header_bar_new())
        gtk_box_append(UnsafeMutableRawPointer(column).assumingMemoryBound(to: GtkBox.self), page)
        adw_window_set_content(UnsafeMutableRawPointer(widget).assumingMemoryBound(to: AdwWindow.self), column)
        gtk_window_set_title(window, "Aurora")
        gtk_window_set_default_size(window, 480, 400)
        connect(button, "clicked") { app in
            gtk_window_destroy(app.window)
            app.signOut()
        }
        connect(widget, "close-request") { $0.closed() }
        gtk_window_present(window)
    }

    private var window: UnsafeMutablePointer<GtkWindow> {
        UnsafeMutableRawPointer(widget).assumingMemoryBound(to: GtkWindow.self)
    }

    /// Connects a signal without arguments; the app keeps this object for as long as its window is open.
    private func connect(
        _ object: UnsafeMutablePointer<GtkWidget>, _ name: String, _ handler: @escaping (MainWindow) -> Void
    ) {
        let call: @convention(c) (gpointer?, gpointer?) -> gboolean = { _, data in
            nonisolated(unsafe) let box = Unmanaged<Box>.fromOpaque(data!).takeUnretainedValue()
            MainActor.assumeIsolated { box.run() }
            return 0
        }
        let box = Box { [unowned self] in handler(self) }
        g_signal_connect_data(
            object, name, unsafeBitCast(call, to: GCallback.self), Unmanaged.passRetained(box).toOpaque(),
            { data, _ in data.map { Unmanaged<Box>.fromOpaque($0).release() } }, GConnectFlags(0))
    }

    private final class Box {
        let run: @MainActor () -> Void

        init(_ run: @escaping @MainActor () -> Void) { self.run = run }
    }
}
#endif
