import DoorstepPluginKit
import Testing
import WelcomePlugins

@Suite struct `Pages to read` {
    @Test(arguments: [
        ("en", "Welcome to \u{2068}أورورا\u{2069}"), ("de-AT", "Willkommen bei \u{2068}أورورا\u{2069}"),
        ("ar", "مرحبًا بك في \u{2068}أورورا\u{2069}"), ("ja", "\u{2068}أورورا\u{2069}へようこそ"),
        ("fr", "Welcome to \u{2068}أورورا\u{2069}"),
    ])
    func `a welcome without a title greets by the app's name, which keeps its own direction`(
        language: String, title: String
    ) {
        let page = WelcomePlugin().page((), in: .reading(language, appName: "أورورا"))
        #expect(page.title == title)
        #expect(page.primary == .complete(title: nil))
        #expect(page.fields.isEmpty && page.body.isEmpty && page.headline == nil && page.icon == nil)
    }

    @Test func `the manifest's words come before the plugin's own, in the reader's language`() {
        let texts = StepTexts(
            title: LocalizedText([.init(tag: "en", text: "Find your night sky"), .init(tag: "ja", text: "夜空")]),
            headline: "One line",
            body: ["A", LocalizedText([.init(tag: "en", text: "B"), .init(tag: "ja", text: "ビー")])],
            icon: "weather-clear-night", action: "Sign Up")
        for page in [
            WelcomePlugin().page((), in: .reading("ja", texts: texts)),
            InfoPlugin().page((), in: .reading("ja", texts: texts)),
        ] {
            #expect(page.title == "夜空")
            #expect(page.headline == "One line")
            #expect(page.body == ["A", "ビー"])
            #expect(page.icon == "weather-clear-night")
            #expect(page.primary == .complete(title: "Sign Up"))
        }
    }

    @Test(arguments: [("en", "Good to know"), ("de", "Gut zu wissen"), ("ar", "من المفيد أن تعرف"), ("ja", "お知らせ")])
    func `an info page without a title has one in every language`(language: String, title: String) {
        let page = InfoPlugin().page((), in: .reading(language))
        #expect(page.title == title)
        #expect(page.icon == "dialog-information-symbolic")
    }

    @Test func `neither has a check, inputs or options`() async throws {
        for plugin: any StepPlugin in [WelcomePlugin(), InfoPlugin()] {
            let bound = try BoundStep(plugin, options: [:], at: .root)
            #expect(!bound.hasCheck && bound.inputKeys.isEmpty && bound.timeout == nil)
            #expect(await bound.satisfaction(in: .reading()).isSatisfied == nil)
            let faults = try #require(throws: JSONFaults.self) {
                try BoundStep(plugin, options: ["text": "hello"], at: .root.key("options"))
            }
            #expect(faults.description == "options.text: this key is unknown; none is accepted here")
        }
    }
}
