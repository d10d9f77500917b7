#if GTK
/// A theme worked out as CSS for GTK: every pair of its colours has the contrast that WCAG 2.2 asks of text.
struct StyleSheet {
    let theme: WindowTheme
    let isDark: Bool
    let isHighContrast: Bool

    /// Level AA, or AAA where the desktop asks for high contrast.
    private var contrast: Double { isHighContrast ? 7 : 4.5 }

    /// What is behind the pages: the theme's, else libadwaita's own.
    private var background: Colour {
        if let background = theme.background, !isHighContrast { return background }
        return isDark ? Colour(0x24, 0x24, 0x24) : Colour(0xFA, 0xFA, 0xFA)
    }

    private var card: Colour? { isHighContrast ? nil : theme.card }
    private var accent: Colour { theme.accent ?? theme.primary ?? Colour(0x35, 0x84, 0xE4) }
    private var primary: Colour { theme.primary ?? accent }

    /// The rules, in one sheet.
    var css: String {
        (definitions + [rules]).joined(separator: "\n")
    }

    /// The names that libadwaita's own rules use, so that all its controls follow.
    private var definitions: [String] {
        let fill = accent.readable(on: background, contrast: isHighContrast ? contrast : 1.6)
        var colours: [(String, Colour)] = [
            ("accent_bg_color", fill), ("accent_fg_color", fill.readable),
            ("accent_color", accent.readable(on: card ?? background, contrast: contrast)),
        ]
        if theme.background != nil, !isHighContrast {
            let text = background.readable
            let raised = background.mixed(with: text, share: 0.08)
            for name in ["window", "headerbar"] {
                colours += [("\(name)_bg_color", background), ("\(name)_fg_color", text)]
            }
            for name in ["view", "popover", "dialog", "card"] {
                colours += [("\(name)_bg_color", raised), ("\(name)_fg_color", text)]
            }
            colours.append(("headerbar_backdrop_color", background))
        }
        return colours.map { "@define-color \($0) \($1.hex);" }
    }

    private var rules: String {
        let surface = card ?? background
        let title = primary.readable(on: surface, contrast: contrast)
        let error = Colour(0xC0, 0x1C, 0x28)
        var rules = """
            .doorstep-title { color: \(title.hex); font-weight: 800; }
            .doorstep-page .doorstep-error { color: \(error.readable(on: surface, contrast: contrast).hex); }
            .doorstep-footer .doorstep-error { color: \(error.readable(on: background, contrast: contrast).hex); }
            .doorstep-footer .doorstep-destructive { color: \(error.readable(on: background, contrast: contrast).hex); }
            .doorstep-page .dim-label { opacity: 0.8; }
            .doorstep-footer .doorstep-secondary { min-height: 2.4em; }
            .doorstep-window headerbar { box-shadow: none; background: none; }
            """
        if let card {
            rules += """

                .doorstep-card { background-color: \(card.hex); color: \(card.readable.hex); }
                .doorstep-card { padding: 18px; border-radius: 12px; }
                """
        }
        if !isHighContrast {
            let tint = background.mixed(with: primary, share: theme.background == nil ? 0.14 : 0.5)
            rules += """

                .doorstep-hero { background-image: linear-gradient(to bottom, \(tint.hex), \(background.hex) 70%); }
                """
        }
        if let font = theme.font {
            rules += "\n.doorstep-window { font-family: \"\(font)\"; }"
        }
        return rules
    }
}

extension Colour {
    /// The colour as CSS writes it.
    fileprivate var hex: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The colour moved towards black or white as far as it takes to be told from a surface.
    fileprivate func readable(on surface: Colour, contrast wanted: Double) -> Colour {
        for step in 0...20 {
            let candidate = mixed(with: surface.readable, share: Double(step) / 20)
            if candidate.contrast(to: surface) >= wanted { return candidate }
        }
        return surface.readable
    }
}
#endif
