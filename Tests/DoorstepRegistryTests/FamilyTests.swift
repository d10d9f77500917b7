import Doorstep
import DoorstepJSON
import DoorstepPluginKit
import DoorstepRegistry
import DoorstepSQLite
import Foundation
import Testing

@Suite struct `The example family` {
    static let tags = ["en", "de", "ar", "ja"]

    func app(_ id: String) throws -> RegisteredApp {
        try Registry(directories: [Fixtures.registry], catalogue: .family).app(id)
    }

    @Test(arguments: Fixtures.family)
    func `every text is there in every language, each in its own words`(file: String) throws {
        var texts = 0
        func look(at value: JSONValue) {
            for element in value.array ?? [] { look(at: element) }
            guard let object = value.object else { return }
            if object["en"] != nil {
                texts += 1
                #expect(Array(object.keys) == Self.tags, "\(object)")
                for tag in Self.tags {
                    let text = object[tag]?.string ?? ""
                    #expect(text == text.trimmingCharacters(in: .whitespacesAndNewlines))
                    #expect(text.unicodeScalars.contains { Self.script(of: tag).contains($0) }, "\(tag): \(text)")
                }
            }
            for (_, member) in object { look(at: member) }
        }
        look(at: try Fixtures.json(file))
        #expect(texts >= 4)
    }

    /// Letters of which every text in a language has one.
    static func script(of tag: String) -> CharacterSet {
        switch tag {
        case "ar": CharacterSet(charactersIn: "\u{600}"..."\u{6FF}")
        case "ja":
            CharacterSet(charactersIn: "\u{3040}"..."\u{30FF}").union(.init(charactersIn: "\u{4E00}"..."\u{9FFF}"))
        default: CharacterSet(charactersIn: "a"..."z").union(CharacterSet(charactersIn: "A"..."Z"))
        }
    }

    @Test(arguments: [
        (["LANG": "de_AT.UTF-8"], "Entdecke deinen Nachthimmel"), (["LANG": "ja_JP.UTF-8"], "あなたの夜空を見つけよう"),
        (["LANGUAGE": "fr:ar", "LANG": "en_US.UTF-8"], "اكتشف سماءك الليلية"),
        (["LANG": "fr_FR.UTF-8"], "Find your night sky"),
        (["LANG": "C"], "Find your night sky"),
        (["LANG": "de_DE.UTF-8", "LC_MESSAGES": "en_GB"], "Find your night sky"),
        ([:], "Find your night sky"),
    ])
    func `texts follow the reader's languages, then English`(environment: [String: String], title: String) throws {
        let welcome = try #require(try app("com.example.aurora").manifest.welcome)
        #expect(welcome.texts.title?.text(for: LanguagePreferences(environment: environment)) == title)
    }

    @Test func `a text without the reader's language and without English is the first one`() throws {
        let household = try Household()
        try household.put("com.example.a", #""name": { "pt-BR": "Céu", "ja": "空" }"#)
        let name = try household.registry.app("com.example.a").manifest.name
        #expect(name.text(for: LanguagePreferences(["de"])) == "Céu")
        #expect(name.text(for: LanguagePreferences(["pt-PT"])) == "Céu")
        #expect(name.text(for: LanguagePreferences(["fr", "ja-JP"])) == "空")
    }

    @Test func `Aurora writes each answer at once, and shows its tips again at the second revision`() throws {
        let aurora = try app("com.example.aurora").manifest
        #expect(aurora.commit == .eachStep)
        #expect(aurora.prefix == "com.example.aurora.")
        #expect(aurora.theme.accent == "#F0A33A")
        #expect(
            aurora.welcome?.texts.action
                == LocalizedText([
                    .init(tag: "en", text: "Sign Up"), .init(tag: "de", text: "Registrieren"),
                    .init(tag: "ar", text: "التسجيل"),
                    .init(tag: "ja", text: "登録する"),
                ]))
        #expect(aurora.steps.map(\.plugin) == ["profile", "profile", "profile", "notifications", "location", "info"])
        #expect(aurora.steps.map(\.config.isRequired) == [true, false, false, true, false, false])
        #expect(aurora.steps.map(\.config.isSkippable) == [false, true, true, true, true, false])
        #expect(aurora.steps.map(\.config.revision) == [1, 1, 1, 1, 1, 2])
    }

    @Test func `Trailmates writes everything at the end, and takes its prefix from its ID`() throws {
        let trailmates = try app("com.example.trailmates").manifest
        #expect(trailmates.commit == .onFinish)
        #expect(trailmates.prefix == "com.example.trailmates.")
    }

    @Test func `Lantern asks only the gate: no welcome, one required notice at revision 2`() throws {
        let lantern = try app("com.example.lantern").manifest
        #expect(lantern.welcome == nil)
        #expect(
            lantern.steps.map(\.config) == [
                OnboardingStepConfig(id: "com.example.lantern.terms", isRequired: true, isSkippable: false, revision: 2)
            ])
    }

    @Test func `new terms ask again whoever agreed to the old ones, and history keeps the old answer`() async throws {
        let household = try Household()
        try household.putFamily()
        let suite = try household.suite()
        let storage = try suite.storage(prefix: "com.example.lantern.")
        let terms: OnboardingStepID = "com.example.lantern.terms"
        _ = try storage.commit(
            [OnboardingChange(step: terms, action: .record(true, revision: 1), origin: .user)], eraseInputs: false)
        let flow = try household.registry.gate(for: "com.example.lantern", in: suite)
        #expect(flow.nextStepNeeded == terms && !flow.allRequiredSatisfied)
        try flow.record(true, for: terms)
        #expect(try !household.registry.gate(for: "com.example.lantern", in: suite).needsOnboarding)
        #expect(try suite.history().map(\.revision) == [2, 1])
    }
}
