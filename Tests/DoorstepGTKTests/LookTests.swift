#if GTK
import CAdwaita
import DoorstepRegistry
import DoorstepSQLite
import DoorstepWorkspace
import Foundation
import Testing

@testable import DoorstepGTK

extension WindowTests {
    /// `DOORSTEP_PICTURES=Documentation` keeps what these tests see.
    @Suite("How it looks")
    @MainActor
    struct LookTests {
        @Test(arguments: ["en", "de", "ar"], [false, true])
        func `Pages are drawn in every language, light and dark, and mirrored where it is read from right to left`(
            language: String, isDark: Bool
        ) async throws {
            let manager: OpaquePointer = adw_style_manager_get_default()
            defer { adw_style_manager_set_color_scheme(manager, ADW_COLOR_SCHEME_DEFAULT) }
            let stage = try await trailmates(
                language, isDark ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT)
            let name = "gtk-\(language)-\(isDark ? "dark" : "light")"
            try await keep(stage, name + "-welcome")
            stage.window.choose(0)
            try await stage.settle()
            stage.fill(try stage.field("name"), "Ad")
            stage.window.choose(0)
            let corner = try await keep(stage, name + "-fault")
            #expect(isDark ? corner < 80 : corner > 200, "the corner's brightness is \(corner)")
            let back = try #require(stage.button(Phrase.back.text(for: LanguagePreferences([language]))))
            var x = 0.0
            gtk_widget_translate_coordinates(back, stage.widget, 0, 0, &x, nil)
            #expect((x > 280) == (language == "ar"), "Back stands at \(x)")
            try await stage.end()
        }

        @Test func `An app's own background is kept on a light desktop, and gives way to high contrast`() {
            let theme = WindowTheme(
                primary: Colour(hex: "#2B1B5A"), accent: Colour(hex: "#F0A33A"), card: Colour(hex: "#1A1238"),
                background: Colour(hex: "#0B0820"), font: "Source Serif 4")
            let plain = StyleSheet(theme: theme, isDark: false, isHighContrast: false).css
            #expect(plain.contains("@define-color window_bg_color #0b0820;"))
            #expect(plain.contains("font-family: \"Source Serif 4\""))
            let contrast = StyleSheet(theme: theme, isDark: false, isHighContrast: true).css
            #expect(!contrast.contains("#0b0820"))
            #expect(!contrast.contains("#1a1238"))
        }

        @Test(arguments: [true, false], [true, false])
        func `Titles and faults can be read on whatever the theme puts behind them`(isDark: Bool, isHighContrast: Bool)
        {
            for hex in ["#000000", "#FFFFFF", "#2B1B5A", "#F0A33A", "#808080", "#1F5130"] {
                for ground in [nil, "#000000", "#FFFFFF", "#777777", "#0B0820"] as [String?] {
                    let theme = WindowTheme(
                        primary: Colour(hex: hex), accent: Colour(hex: hex),
                        background: ground.flatMap { Colour(hex: $0) })
                    let css = StyleSheet(theme: theme, isDark: isDark, isHighContrast: isHighContrast).css
                    let own = isHighContrast ? nil : theme.background
                    let behind = own ?? (isDark ? Colour(0x24, 0x24, 0x24) : Colour(0xFA, 0xFA, 0xFA))
                    for rule in [
                        ".doorstep-title", ".doorstep-footer .doorstep-error", ".doorstep-footer .doorstep-destructive",
                    ]
                    .map({ $0 + " { color: " }) {
                        let found = css.firstRange(of: rule).map { css[$0.upperBound...].prefix(7) }
                        let colour = found.flatMap { Colour(hex: String($0)) }
                        // Grey in the middle lets nothing be told from it that well.
                        let wanted = isHighContrast ? 7 : 4.5
                        #expect(
                            (colour?.contrast(to: behind) ?? 0) >= min(wanted, behind.contrast(to: behind.readable)))
                    }
                }
            }
        }

        @Test(arguments: [false, true])
        func `The way to sign out can be read on a light desktop and on a dark one`(isDark: Bool) async throws {
            let manager: OpaquePointer = adw_style_manager_get_default()
            defer { adw_style_manager_set_color_scheme(manager, ADW_COLOR_SCHEME_DEFAULT) }
            let profile = PresenterProfile(entries: { [.init(label: "Name", value: "Ada")] }, signOut: {})
            let stage = try Stage(
                try Scene().pager(from: Scene.notice), session: PresenterSession(profile: profile))
            adw_style_manager_set_color_scheme(
                manager, isDark ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT)
            try await stage.open()
            try await stage.press("Finish")
            try await keep(stage, "gtk-profile-\(isDark ? "dark" : "light")")
            let button = try #require(stage.button("Sign Out"))
            var colour = GdkRGBA()
            gtk_style_context_get_color(gtk_widget_get_style_context(button), &colour)
            let letters = Colour(UInt8(colour.red * 255), UInt8(colour.green * 255), UInt8(colour.blue * 255))
            #expect(letters.contrast(to: isDark ? Colour(0x24, 0x24, 0x24) : Colour(0xFA, 0xFA, 0xFA)) >= 4.5)
            try await stage.end()
        }

        @Test func `With text twice as large a page still fits the width of its window`() async throws {
            let before = DesktopSetting.change("gtk-xft-dpi", to: 2 * 96 * 1024)
            defer { DesktopSetting.change("gtk-xft-dpi", to: before) }
            let stage = try await trailmates("de", ADW_COLOR_SCHEME_DEFAULT)
            try await keep(stage, "gtk-de-large-welcome")
            stage.window.choose(0)
            try await stage.settle()
            let window: Widget = try #require(stage.widget)
            var least: Int32 = 0
            gtk_widget_measure(window, GTK_ORIENTATION_HORIZONTAL, -1, &least, nil, nil, nil)
            #expect(least <= 560)
            try await keep(stage, "gtk-de-large-name")
            try await stage.end()
        }

        /// The window of Trailmates.
        private func trailmates(_ language: String, _ scheme: AdwColorScheme) async throws -> Stage {
            let home = try Desktop.home()
            defer { try? FileManager.default.removeItem(at: home) }
            let environment = Desktop.environment(home: home, language: language)
            let registry = Registry.standard(
                catalogue: Workspace.catalogue(environment: environment), environment: environment)
            let app = try registry.app("com.example.trailmates")
            let suite = try OnboardingSuite.open(at: home.appending(component: "suite.db").path)
            let session = try await PreparedShowing(app, in: suite, reconciler: Reconciler(environment: environment))
                .begin()
            let theme = app.manifest.theme
            let stage = try Stage(
                session.pager, heading: app.manifest.name.text(for: session.pager.languages),
                theme: WindowTheme(
                    primary: theme.primary.flatMap { Colour(hex: $0) },
                    accent: theme.accent.flatMap { Colour(hex: $0) },
                    icon: theme.icon))
            adw_style_manager_set_color_scheme(adw_style_manager_get_default(), scheme)
            try await stage.open()
            return stage
        }

        /// Draws the window, keeps the picture where pictures are wanted, and says how bright a corner of its page is.
        @discardableResult
        private func keep(_ stage: Stage, _ name: String) async throws -> Int {
            try await stage.settle()
            let texture = try await stage.texture()
            defer { g_object_unref(texture.raw) }
            if let directory = ProcessInfo.processInfo.environment["DOORSTEP_PICTURES"] {
                #expect(gdk_texture_save_to_png(texture, "\(directory)/\(name).png") != 0)
            }
            let (width, height) = (Int(gdk_texture_get_width(texture)), Int(gdk_texture_get_height(texture)))
            var pixels = [UInt8](repeating: 0, count: width * height * 4)
            gdk_texture_download(texture, &pixels, gsize(width * 4))
            return Int(pixels[((height - 12) * width + 12) * 4 + 1])
        }
    }
}
#endif
