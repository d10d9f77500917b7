#if GTK
import CAdwaita
import Foundation
import Testing

@testable import DoorstepGTK

/// A pointer and a keyboard: real events from the X server, by xdotool.
@MainActor
extension Stage {
    /// Drags the page along, as far as a share of the window's width; a negative one drags to the left.
    func drag(_ share: Double) async throws {
        let widget = try #require(widget)
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
        try await xdotool(command)
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
        try await xdotool(["search", "--onlyvisible", "--name", "^\(title)$", "windowfocus"])
        try await until("the window is active") { gtk_window_is_active(window.cast()) != 0 }
    }

    private func place(_ value: Double) -> String { String(Int(value.rounded())) }

    /// Where the window's content begins on the screen: nothing moves it, as there is no window manager.
    private func origin(of widget: Widget) -> (Double, Double) {
        var (x, y) = (0.0, 0.0)
        gtk_native_get_surface_transform(gtk_widget_get_native(widget), &x, &y)
        return (x, y)
    }

    private func xdotool(_ arguments: [String]) async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/xdotool")
        process.arguments = arguments
        try process.run()
        try await until("xdotool is done") { !process.isRunning }
        #expect(process.terminationStatus == 0)
    }
}
#endif
