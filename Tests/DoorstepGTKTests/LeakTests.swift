#if GTK
import CAdwaita
import DoorstepTestSupport
import Testing

@testable import DoorstepGTK

extension WindowTests {
    @Suite("What is left behind")
    @MainActor
    struct LeakTests {
        @Test func `After two hundred windows no widget and no window of ours is left`() async throws {
            var made = 0
            var windows: [Weak] = []
            for _ in 0..<200 {
                let scene = try Scene()
                let stage = try Stage(scene.pager())
                try await stage.open()
                try await stage.press("Sign Up")
                for object in try #require(stage.widget).descendants where !Self.isTooltip(object) {
                    made += 1
                    g_object_weak_ref(object.cast(), { _, _ in MainActor.assumeIsolated { Self.gone += 1 } }, nil)
                }
                windows.append(Weak(stage.window))
                try await stage.end()
            }
            let last = try Stage(try Scene().pager())
            try await last.until("the last window's widgets are gone") { Self.gone == made }
            #expect(made > 200 * 50)
            #expect(windows.allSatisfy { $0.window == nil })
        }

        private static var gone = 0

        /// Whether a widget is GTK's own tooltip, or in it: it comes up where the pointer happens to rest, and GTK keeps it.
        private static func isTooltip(_ widget: Widget) -> Bool {
            var place: Widget? = widget
            while let here = place {
                if String(cString: gtk_widget_get_css_name(here)) == "tooltip" { return true }
                place = gtk_widget_get_parent(here)
            }
            return false
        }

        private struct Weak {
            weak var window: OnboardingWindow?

            init(_ window: OnboardingWindow) { self.window = window }
        }
    }
}
#endif
