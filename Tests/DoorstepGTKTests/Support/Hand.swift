#if GTK
import CAdwaita
import Foundation
import Testing

@testable import DoorstepGTK

/// A pointer and a keyboard: real events from the X server, by xdotool.
@MainActor
extension Stage {
    /// How often something is done before it counts as never happening.
    private static let tries = 20

    /// Drags the page along until something is so. A busy display takes a drag for something else now and then, which leaves
    /// the page where it was.
    func swipe(_ share: Double, until what: String, _ condition: @MainActor () -> Bool) async throws {
        try await insist(what, condition) { _ = try await drag(share) }
    }

    /// Drags the page along, as far as a share of the window's width; a negative one drags to the left.
    ///
    /// - Returns: How far the carousel was from its place at most, in pages, until it stood still again.
    @discardableResult
    func drag(_ share: Double) async throws -> Double {
        let widget = try #require(widget)
        let carousel = try #require(window.carousel)
        let (width, height) = (Double(gtk_widget_get_width(widget)), Double(gtk_widget_get_height(widget)))
        let (x, y) = origin(of: widget)
        let start = x + width * (share < 0 ? 0.9 : 0.1)
        var command = ["mousemove", place(start), place(y + height * 0.15), "sleep", "0.05", "mousedown", "1"]
        for step in 1...12 {
            command += [
                "sleep", "0.016", "mousemove", place(start + width * share * Double(step) / 12),
                place(y + height * 0.15),
            ]
        }
        // A pause, so that the distance decides and not the speed.
        command += ["sleep", "0.2", "mouseup", "1"]
        let before = adw_carousel_get_position(carousel)
        var farthest = 0.0
        let handler = Signal.notified(of: "position", carousel) {
            farthest = max(farthest, abs(adw_carousel_get_position(carousel) - before))
        }
        try await xdotool(command)
        g_signal_handler_disconnect(carousel.raw, handler)
        return farthest
    }

    /// Clicks a widget.
    func click(_ target: Widget) async throws {
        let widget = try #require(widget)
        var (left, top) = (0.0, 0.0)
        try #require(
            gtk_widget_translate_coordinates(
                target, widget, Double(gtk_widget_get_width(target)) / 2, Double(gtk_widget_get_height(target)) / 2,
                &left,
                &top) != 0)
        let (x, y) = origin(of: widget)
        try await xdotool(["mousemove", place(x + left), place(y + top), "sleep", "0.05", "click", "1"])
    }

    /// Clicks a button of the footer until something is so.
    func click(_ title: String, until what: String, _ condition: @MainActor () -> Bool) async throws {
        try await insist(what, condition) { try await click(try #require(button(title))) }
    }

    /// Presses keys by their X names.
    func type(_ keys: String...) async throws {
        try await xdotool(["key", "--delay", "20"] + keys)
    }

    /// Gives the window the keyboard.
    func focusWindow() async throws {
        try await focus(try #require(widget))
    }

    /// Gives a window the keyboard, as a window manager would; its title is nobody else's.
    func focus(_ window: Widget) async throws {
        let title = String(cString: gtk_window_get_title(window.cast()))
        try await insist("the window is active", { gtk_window_is_active(window.cast()) != 0 }) {
            // It may not be found yet.
            try await xdotool(["search", "--onlyvisible", "--name", "^\(title)$", "windowfocus"], isSure: false)
        }
    }

    /// Does something until something is so, each time after all of the last try has come in and nothing moves any more.
    private func insist(
        _ what: String, _ condition: @MainActor () -> Bool, by act: @MainActor () async throws -> Void
    ) async throws {
        for _ in 0..<Self.tries {
            try await act()
            if condition() { return }
        }
        Issue.record("it never happened that \(what)")
    }

    private func place(_ value: Double) -> String { String(Int(value.rounded())) }

    /// Where the window's content begins on the screen: nothing moves it, as there is no window manager.
    private func origin(of widget: Widget) -> (Double, Double) {
        var (x, y) = (0.0, 0.0)
        gtk_native_get_surface_transform(gtk_widget_get_native(widget), &x, &y)
        return (x, y)
    }

    /// Has events made, and waits until the window has dealt with them.
    private func xdotool(_ arguments: [String], isSure: Bool = true) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/xdotool")
        process.arguments = arguments
        if !isSure { process.standardError = FileHandle.nullDevice }
        try process.run()
        try await until("xdotool is done") { !process.isRunning }
        if isSure { #expect(process.terminationStatus == 0) }
        guard let widget else { return }
        // What the display has told until now is here then, and is handed on with the frames.
        gdk_display_sync(gtk_widget_get_display(widget))
        try await drawn()
        try await settle()
    }
}
#endif
