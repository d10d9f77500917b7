import Testing

@testable import DoorstepTerminal

@Suite("Colours")
struct ThemeTests {
    @Test("contrast is WCAG's")
    func contrast() {
        #expect(Colour(0, 0, 0).contrast(to: Colour(255, 255, 255)) == 21)
        #expect(abs(Colour(0x77, 0x77, 0x77).contrast(to: Colour(255, 255, 255)) - 4.48) < 0.01)
        #expect(Colour(1, 2, 3).contrast(to: Colour(1, 2, 3)) == 1)
        #expect(Colour(hex: "#1F5130") == Colour(0x1F, 0x51, 0x30) && Colour(hex: "1F5130") == nil)
    }

    @Test("text keeps a contrast of 4.5 as it is drawn, whatever the theme", arguments: ColourDepth.allCases)
    func readable(depth: ColourDepth) {
        func colour() -> Colour? {
            Bool.random() ? Colour(.random(in: 0...255), .random(in: 0...255), .random(in: 0...255)) : nil
        }
        for _ in 0..<300 {
            let theme = TerminalTheme(primary: colour(), accent: colour(), card: colour(), background: colour())
            for style in ThemeStyles(theme, depth: depth).all {
                switch (style.front, style.back) {
                case (let front?, let back?):
                    #expect(depth.nearest(to: front).contrast(to: depth.nearest(to: back)) >= 4.5, "\(theme)")
                    #expect(depth.nearest(to: front) == front && depth.nearest(to: back) == back)
                // Where one of the two is the terminal's own, nothing could be computed.
                case (nil, nil): break
                default: Issue.record("\(style) of \(theme) sets one colour alone")
                }
            }
        }
    }

    @Test("without colour, what has the focus and what is typed into still differ from text")
    func withoutColour() {
        let styles = ThemeStyles(TerminalTheme(primary: Colour(9, 9, 9)), depth: .none)
        #expect(Set([styles.focus, styles.text, styles.input, styles.mark]).count == 4)
        #expect(styles.all.allSatisfy { $0.front == nil && $0.back == nil })
    }

    @Test(
        "a terminal gets the presenter and the colours that fit it",
        arguments: [
            (nil, .plain, .none), ("dumb", .plain, .none), ("no-such-terminal", .plain, .none),
            ("vt100", .plain, .none), ("linux", .screen, .sixteen), ("xterm", .screen, .sixteen),
            ("xterm-256color", .screen, .indexed), ("tmux-256color", .screen, .indexed),
            ("xterm-direct", .screen, .direct), ("xterm-mono", .plain, .none),
        ] as [(String?, TerminalCapability.Interface, ColourDepth)])
    func terminals(term: String?, interface: TerminalCapability.Interface, depth: ColourDepth) {
        var environment = ["LANG": "C"]
        environment["TERM"] = term
        #expect(TerminalCapability.interface(environment: environment) == interface)
        #expect(TerminalCapability.depth(environment: environment) == depth)
        environment["NO_COLOR"] = "1"
        #expect(TerminalCapability.interface(environment: environment) == interface, "NO_COLOR takes colour, not pages")
        #expect(TerminalCapability.depth(environment: environment) == .none)
        #expect(!TerminalCapability.allowsMotion(environment: environment))
        environment["ACCESSIBLE"] = "1"
        #expect(TerminalCapability.interface(environment: environment) == .plain)
        environment["DOORSTEP_UI"] = "terminal"
        let isDumb = TerminalCapability.isDumb(environment)
        #expect(TerminalCapability.interface(environment: environment) == (isDumb ? .plain : .screen))
    }

    @Test("signs outside ASCII are drawn in UTF-8 locales alone")
    func glyphs() {
        #expect(TerminalCapability.glyphs(environment: ["LANG": "C", "TERM": "xterm"]) == .ascii)
        #expect(TerminalCapability.glyphs(environment: ["LANG": "de_DE.UTF-8", "TERM": "xterm"]) == .unicode)
        #expect(TerminalCapability.glyphs(environment: ["LANG": "de_DE.UTF-8", "LC_ALL": "C"]) == .ascii)
        #expect(TerminalCapability.glyphs(environment: ["LANG": "C.utf8", "TERM": "linux"]) == .ascii)
    }
}
