#if GTK
import CAdwaita
import DoorstepTestSupport
import Testing

@testable import DoorstepGTK

extension WindowTests {
    @Suite("Motion")
    @MainActor
    struct MotionTests {
        @Test(arguments: ["en", "ar"], [false, true])
        func `Where the desktop or the app wants no motion, a page changes at once`(
            language: String, isDesktop: Bool
        ) async throws {
            let before = DesktopSetting.change("gtk-enable-animations", to: isDesktop ? 0 : 1)
            defer { DesktopSetting.change("gtk-enable-animations", to: before) }
            let scene = try Scene(language: language)
            let stage = try Stage(try scene.pager(from: Scene.number), allowsMotion: isDesktop)
            try await stage.open()
            let carousel = try #require(stage.window.carousel)
            var places: [Double] = []
            let handler = Signal.notified(of: "position", carousel) {
                places.append(adw_carousel_get_position(carousel))
            }
            try await stage.press(Phrase.next.text(for: scene.languages))
            #expect(adw_carousel_get_position(carousel) == 1)
            try await stage.press(Phrase.back.text(for: scene.languages))
            #expect(adw_carousel_get_position(carousel) == 0)
            #expect(places == [1, 0])
            g_signal_handler_disconnect(carousel.raw, handler)
            try await stage.end()
        }

        @Test(arguments: ["layout", "after-paint"], [false, true])
        func `A page that is turned while the window comes up is turned all the same`(
            moment: String, isLaidOut: Bool
        ) async throws {
            for allowsMotion in [false, true] {
                let stage = try Stage(try Scene().pager(from: Scene.number), allowsMotion: allowsMotion)
                try stage.window.present()
                let widget = try #require(stage.widget)
                let carousel = try #require(stage.window.carousel)
                let clock = try #require(gtk_widget_get_frame_clock(widget))
                var made: Int?
                let handler = Signal.connect(clock, moment) {
                    if made != nil || (isLaidOut && gtk_widget_get_width(carousel.widget) == 0) { return }
                    made = stage.window.pages.count
                    stage.window.act(.complete)
                }
                try await stage.until("the window is drawn") { made != nil }
                g_signal_handler_disconnect(UnsafeMutableRawPointer(clock), handler)
                try await stage.drawn()
                try await stage.settle()
                // Otherwise this would try nothing.
                if moment == "layout" { #expect(made == 1) }
                #expect(stage.window.pager.position == 1)
                #expect(adw_carousel_get_position(carousel) == 1)
                #expect(stage.window.pages.count == stage.window.pager.pages.count)
                try await stage.end()
            }
        }

        @Test
        func `An app's own page may close the window while the pages are made`() async throws {
            var stage: Stage?
            var asked = 0
            let made = try Stage(try Scene().pager(from: Scene.number)) { _ in
                asked += 1
                if asked == 2 { stage?.window.close() }
                return nil
            }
            stage = made
            try made.window.present()
            try await made.until("the window has closed") { made.outcome != nil }
            #expect(asked == 2)
        }

        @Test(arguments: ["en", "ar"])
        func `With motion the next page slides in from the trailing edge, and the one before from the leading one`(
            language: String
        ) async throws {
            let before = DesktopSetting.change("gtk-enable-animations", to: 1)
            defer { DesktopSetting.change("gtk-enable-animations", to: before) }
            let scene = try Scene(language: language)
            let stage = try Stage(try scene.pager(from: Scene.number), allowsMotion: true)
            try await stage.open()
            let trailing: Double = language == "ar" ? -1 : 1
            try await slide(stage, turn: Phrase.next, back: Phrase.back, from: trailing)
            try await stage.press(Phrase.next.text(for: scene.languages))
            try await stage.settle()
            try await slide(stage, turn: Phrase.back, back: Phrase.next, from: -trailing)
            try await stage.end()
        }

        /// Turns a page, and back again, until the page that comes was seen on its way: a busy machine may draw none of the
        /// frames between. It must come from the side where `side` points, and nearer with each frame.
        private func slide(_ stage: Stage, turn: Phrase, back: Phrase, from side: Double) async throws {
            let languages = stage.window.pager.languages
            for _ in 0..<20 {
                try await stage.press(turn.text(for: languages))
                var places: [Double] = []
                try await stage.until("the page has come") {
                    places.append(Self.place(of: stage) * side)
                    return places.last == 0
                }
                #expect(places.allSatisfy { $0 >= 0 }, "\(places)")
                #expect(places == places.sorted(by: >), "\(places)")
                try await stage.settle()
                let widget: Widget = try #require(stage.widget)
                let width = Double(gtk_widget_get_width(widget))
                if places.contains(where: { $0 > 0 && $0 < width }) { return }
                try await stage.press(back.text(for: languages))
                try await stage.settle()
            }
            Issue.record("no page was seen on its way")
        }

        /// How far from its place the shown page is, in pixels to the right.
        private static func place(of stage: Stage) -> Double {
            let window = stage.window
            var x = 0.0
            gtk_widget_translate_coordinates(window.pages[window.pager.position].widget, stage.widget, 0, 0, &x, nil)
            return x
        }
    }
}
#endif
