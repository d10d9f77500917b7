import Doorstep
import Testing

@Suite("Languages")
struct Languages {
    struct Environment: Sendable {
        var variables: [String: String]
        var tags: [String]
    }

    static let environments = [
        Environment(variables: [:], tags: []),
        Environment(variables: ["LANG": "C"], tags: []),
        Environment(variables: ["LANG": "C.UTF-8"], tags: []),
        Environment(variables: ["LANG": "POSIX"], tags: []),
        Environment(variables: ["LANG": "de_AT.UTF-8"], tags: ["de-AT"]),
        Environment(variables: ["LANG": "de_DE@euro"], tags: ["de-DE"]),
        Environment(variables: ["LANG": "de", "LC_MESSAGES": "ja_JP.UTF-8"], tags: ["ja-JP"]),
        Environment(variables: ["LANG": "de", "LC_MESSAGES": "ja", "LC_ALL": "ar_EG.UTF-8"], tags: ["ar-EG"]),
        Environment(variables: ["LANG": "de", "LC_MESSAGES": "", "LC_ALL": ""], tags: ["de"]),
        Environment(variables: ["LANG": "en_US.UTF-8", "LANGUAGE": "de_AT:ja:en"], tags: ["de-AT", "ja", "en"]),
        Environment(variables: ["LANG": "en_US.UTF-8", "LANGUAGE": ""], tags: ["en-US"]),
        Environment(variables: ["LANG": "en_US.UTF-8", "LANGUAGE": "::"], tags: ["en-US"]),
        Environment(variables: ["LANG": "C", "LANGUAGE": "de"], tags: []),
        Environment(variables: ["LANG": "de", "LC_ALL": "POSIX", "LANGUAGE": "ja"], tags: []),
        Environment(variables: ["LANGUAGE": "de"], tags: ["de"]),
        Environment(variables: ["LANG": "C.UTF-8", "LANGUAGE": "de"], tags: ["de"]),
        Environment(variables: ["LANG": "sr_RS.UTF-8@latin"], tags: ["sr-Latn-RS"]),
        Environment(variables: ["LANG": "sr@latin"], tags: ["sr-Latn"]),
    ]

    @Test("The environment's languages are read as gettext reads them", arguments: environments)
    func environment(_ row: Environment) {
        #expect(LanguagePreferences(environment: row.variables).tags == row.tags)
    }

    static let greeting = LocalizedText([
        LocalizedText.Entry(tag: "fr", text: "Bonjour"), LocalizedText.Entry(tag: "en", text: "Hello"),
        LocalizedText.Entry(tag: "de", text: "Hallo"), LocalizedText.Entry(tag: "de-CH", text: "Grüezi"),
        LocalizedText.Entry(tag: "pt-BR", text: "Oi"),
    ])

    struct Choice: Sendable {
        var tags: [String]
        var text: String
    }

    static let choices = [
        Choice(tags: ["de-CH"], text: "Grüezi"), Choice(tags: ["DE-ch"], text: "Grüezi"),
        Choice(tags: ["de-AT"], text: "Hallo"), Choice(tags: ["de-Latn-CH"], text: "Hallo"),
        Choice(tags: ["pt"], text: "Oi"), Choice(tags: ["pt-PT"], text: "Oi"),
        Choice(tags: ["ja", "fr"], text: "Bonjour"),
        Choice(tags: ["ja"], text: "Hello"), Choice(tags: [], text: "Hello"), Choice(tags: ["d"], text: "Hello"),
    ]

    @Test("A text falls back to the language, its other regions, the next wish, then English", arguments: choices)
    func fallback(_ row: Choice) {
        #expect(Self.greeting.text(for: LanguagePreferences(row.tags)) == row.text)
    }

    @Test("Without English the first text is taken, and without any text the empty one")
    func first() {
        let text = LocalizedText([
            LocalizedText.Entry(tag: "ja", text: "はい"), LocalizedText.Entry(tag: "de", text: "ja"),
        ])
        #expect(text.text(for: LanguagePreferences(["fr"])) == "はい")
        #expect(LocalizedText([]).text(for: LanguagePreferences(["fr"])) == "")
    }

    @Test("A text that names no language is the same for everyone", arguments: ["de", "en", ""])
    func universal(_ tag: String) {
        let text: LocalizedText = "Aurora"
        #expect(text.text(for: LanguagePreferences([tag])) == "Aurora")
    }

    @Test("The direction follows the script where the tag names one, else the language")
    func direction() {
        for tag in ["ar", "ar-EG", "he", "fa-IR", "ur", "az-Arab", "AR"] {
            #expect(LanguagePreferences.isRightToLeft(tag), "\(tag)")
        }
        for tag in ["de", "en-US", "ja", "az", "ar-Latn", ""] {
            #expect(!LanguagePreferences.isRightToLeft(tag), "\(tag)")
        }
        #expect(LanguagePreferences(["ar", "en"]).isRightToLeft)
        #expect(!LanguagePreferences(["en", "ar"]).isRightToLeft)
        #expect(!LanguagePreferences([]).isRightToLeft)
    }

    @Test("Inserted text is isolated from the direction of the text around it")
    func isolates() {
        #expect(Bidi.isolated("Ada").unicodeScalars.map(\.value) == [0x2068, 0x41, 0x64, 0x61, 0x2069])
    }

    /// Every phrase, with its inserts. A new phrase doesn't compile below until it is thought of here.
    static let phrases: [Phrase] = [
        .signUp, .getStarted, .next, .finish, .skip, .back, .allow, .openSettings, .tryAgain, .continueWithout,
        .turnOn, .unlock, .required, .choiceRequired, .tooShort(minimum: 31), .tooLong(maximum: 32), .noPattern,
        .controlCharacters,
        .notANumber,
        .outOfRange(minimum: 33, maximum: 34), .outOfRange(minimum: 37, maximum: .max),
        .outOfRange(minimum: .min, maximum: 38), .offStep(minimum: 35, step: 36), .notAChoice(accepted: "red, blue"),
        .notAToggle, .yes, .no,
    ]

    static func inserts(of phrase: Phrase) -> [String] {
        switch phrase {
        case .signUp, .getStarted, .next, .finish, .skip, .back, .allow, .openSettings, .tryAgain, .continueWithout,
            .turnOn, .unlock, .required, .choiceRequired, .noPattern, .controlCharacters, .notANumber, .notAToggle,
            .yes, .no:
            []
        case .tooShort(let minimum): ["\(minimum)"]
        case .tooLong(let maximum): ["\(maximum)"]
        case .outOfRange(let minimum, .max): ["\(minimum)"]
        case .outOfRange(.min, let maximum): ["\(maximum)"]
        case .outOfRange(let minimum, let maximum): ["\(minimum)", "\(maximum)"]
        case .offStep(let minimum, let step): ["\(minimum)", "\(step)"]
        case .notAChoice(let accepted): [accepted]
        case .custom(let text): [text]
        }
    }

    @Test(
        "Every phrase is there in every language, with all its inserts", arguments: ["en", "de", "ar", "ja"], phrases)
    func phrase(_ tag: String, _ phrase: Phrase) {
        let text = phrase.text(for: LanguagePreferences([tag]))
        #expect(!text.isEmpty)
        #expect(!text.contains("%"))
        for insert in Self.inserts(of: phrase) { #expect(text.contains(insert)) }
        if tag != "en" { #expect(text != phrase.text(for: LanguagePreferences(["en"]))) }
        if tag == "ar" { #expect(text.unicodeScalars.contains { (0x600...0x6FF).contains($0.value) }) }
        if tag == "ja" { #expect(text.unicodeScalars.contains { $0.value > 0x3000 }) }
    }

    @Test("Two phrases that a page can show side by side read differently", arguments: ["en", "de", "ar", "ja"])
    func distinct(_ tag: String) {
        let texts = Self.phrases.map { $0.text(for: LanguagePreferences([tag])) }
        #expect(Set(texts).count == texts.count)
    }

    @Test("A reader of another language gets English phrases")
    func english() {
        #expect(Phrase.next.text(for: LanguagePreferences(["fr"])) == "Next")
        #expect(Phrase.next.text(for: LanguagePreferences([])) == "Next")
    }
}
