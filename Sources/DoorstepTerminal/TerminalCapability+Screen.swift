/// What a whole-screen presenter may do on a terminal.
extension TerminalCapability {
    /// Which presenter fits.
    public enum Interface: Sendable, Hashable {
        /// Pages on the whole screen.
        case screen
        /// Line by line.
        case plain
    }

    /// The presenter for a terminal: the whole screen where the terminal is known to have colour, and nothing announces
    /// a screen reader; else line by line.
    ///
    /// `NO_COLOR` turns colour off, not the pages. `ACCESSIBLE`, if it isn't empty, `0` or `false`, announces a
    /// screen reader; other command-line programs know the same variable. `DOORSTEP_UI` (`terminal`, `plain`) decides
    /// before any of these, except that a `dumb` terminal has no pages.
    public static func interface(environment: [String: String]) -> Interface {
        if isDumb(environment) { return .plain }
        switch environment["DOORSTEP_UI"] {
        case "plain": return .plain
        case "terminal": return .screen
        default: break
        }
        if EnvironmentSwitch.isOn("ACCESSIBLE", in: environment) { return .plain }
        return colours(environment) == .none ? .plain : .screen
    }

    /// Whether pages belong into a window where there is a program for it: in a graphical session, unless `DOORSTEP_UI`
    /// names a terminal's presenter, or `ACCESSIBLE` announces that somebody reads a terminal that is there.
    public static func prefersWindow(environment: [String: String], hasTerminal: Bool) -> Bool {
        let isGraphical = ["WAYLAND_DISPLAY", "DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
        guard isGraphical else { return false }
        guard hasTerminal else { return true }
        if ["plain", "terminal"].contains(environment["DOORSTEP_UI"]) { return false }
        return !EnvironmentSwitch.isOn("ACCESSIBLE", in: environment)
    }

    /// Whether a terminal can't place text at all: `TERM` is unset, empty or `dumb`.
    public static func isDumb(_ environment: [String: String]) -> Bool {
        let term = environment["TERM"] ?? ""
        return term.isEmpty || term == "dumb"
    }

    /// The colours to draw with: the terminal's, or none where `NO_COLOR` isn't empty.
    public static func depth(environment: [String: String]) -> ColourDepth {
        (environment["NO_COLOR"] ?? "").isEmpty ? colours(environment) : .none
    }

    /// Whether pages may slide: not with `NO_COLOR`, nor with `DOORSTEP_REDUCED_MOTION`.
    static func allowsMotion(environment: [String: String]) -> Bool {
        (environment["NO_COLOR"] ?? "").isEmpty && !EnvironmentSwitch.isOn("DOORSTEP_REDUCED_MOTION", in: environment)
    }

    /// The signs that the locale and the terminal have.
    static func glyphs(environment: [String: String]) -> Glyphs {
        if environment["TERM"] == "linux" { return .ascii }
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        let locale = names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let folded = locale.lowercased()
        return folded.contains("utf-8") || folded.contains("utf8") ? .unicode : .ascii
    }

    /// The colours that a terminal is known to have, by its name or what it says of itself in `COLORTERM`.
    private static func colours(_ environment: [String: String]) -> ColourDepth {
        let term = environment["TERM"] ?? ""
        if term.isEmpty || term == "dumb" || term.hasSuffix("-mono") || term.hasSuffix("-m") { return .none }
        if environment["COLORTERM"] == "truecolor" || environment["COLORTERM"] == "24bit" { return .direct }
        if term.hasSuffix("-direct") { return .direct }
        if term.contains("256color") || term == "xterm-kitty" || term == "xterm-ghostty" || term == "alacritty" {
            return .indexed
        }
        let families = [
            "xterm", "screen", "tmux", "rxvt", "linux", "konsole", "gnome", "vte", "alacritty", "kitty", "foot", "st",
            "wezterm", "contour", "mlterm", "putty", "eterm", "cygwin", "ansi", "iterm", "ghostty", "teraterm",
        ]
        let name = term.lowercased().prefix { $0 != "-" && $0 != "." }
        if families.contains(String(name)) || term.contains("color") { return .sixteen }
        return (environment["COLORTERM"] ?? "").isEmpty ? .none : .sixteen
    }
}
