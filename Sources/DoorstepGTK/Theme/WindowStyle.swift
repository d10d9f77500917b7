#if GTK
internal import CAdwaita

/// Dresses an open window by its theme: one CSS provider, remade when the desktop turns dark or asks for high contrast.
@MainActor
final class WindowStyle {
    private let theme: WindowTheme
    private let provider: UnsafeMutablePointer<GtkCssProvider> = gtk_css_provider_new()
    private let manager: OpaquePointer = adw_style_manager_get_default()
    private let display: OpaquePointer
    private let schemeBefore: AdwColorScheme
    private var handlers: [gulong] = []
    private var loaded: String?

    init(_ theme: WindowTheme, of window: Widget) {
        self.theme = theme
        display = gtk_widget_get_display(window)
        schemeBefore = adw_style_manager_get_color_scheme(manager)
        gtk_style_context_add_provider_for_display(
            display, provider.opaque, guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
        for property in ["dark", "high-contrast"] {
            handlers.append(Signal.notified(of: property, manager) { [weak self] in self?.load() })
        }
        load()
    }

    private func load() {
        let isHighContrast = adw_style_manager_get_high_contrast(manager) != 0
        adw_style_manager_set_color_scheme(manager, scheme(isHighContrast: isHighContrast))
        let sheet = StyleSheet(
            theme: theme, isDark: adw_style_manager_get_dark(manager) != 0, isHighContrast: isHighContrast)
        let css = sheet.css
        // The scheme's change comes back here, and every widget there is looks for its rules anew.
        guard css != loaded else { return }
        loaded = css
        gtk_css_provider_load_from_data(provider, css, -1)
    }

    /// Controls that no rule of ours touches must fit the app's background too.
    private func scheme(isHighContrast: Bool) -> AdwColorScheme {
        guard let background = theme.background, !isHighContrast else { return schemeBefore }
        return background.readable == .white ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT
    }

    /// Takes everything back, for the windows that stay.
    func end() {
        for handler in handlers { g_signal_handler_disconnect(manager.raw, handler) }
        handlers = []
        adw_style_manager_set_color_scheme(manager, schemeBefore)
        gtk_style_context_remove_provider_for_display(display, provider.opaque)
        g_object_unref(provider)
    }
}
#endif
