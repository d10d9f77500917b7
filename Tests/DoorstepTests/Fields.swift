import Doorstep
import Testing

@Suite("Fields")
struct Fields {
    static let english = LanguagePreferences(["en"])

    func typed(
        _ text: String, _ kind: StepField.Kind, optional: Bool = false, _ languages: LanguagePreferences = english
    )
        -> Result<OnboardingInputValue?, FieldFault>
    {
        StepField(key: "key", label: "Label", kind: kind, isOptional: optional).value(from: text, languages: languages)
    }

    func fault(_ phrase: Phrase) -> Result<OnboardingInputValue?, FieldFault> {
        .failure(FieldFault(key: "key", phrase: phrase))
    }

    func text(_ length: ClosedRange<Int>, _ pattern: String? = nil) -> StepField.Kind {
        .text(length: length, pattern: pattern, initial: nil)
    }

    func integer(_ range: ClosedRange<Int>, step: Int = 1) -> StepField.Kind {
        .integer(range: range, step: step, initial: nil)
    }

    @Test(
        "Characters are counted as a person counts them", arguments: ["👩‍👩‍👧‍👦🇩🇪👍🏽", "e\u{301}o\u{308}n\u{303}", "กำน้ำ", "سلم"])
    func graphemes(_ word: String) {
        let count = word.count
        #expect(word.unicodeScalars.count >= count)
        #expect(typed(word, text(count...count)) == .success(.text(word)))
        #expect(typed(word, text((count + 1)...99)) == fault(.tooShort(minimum: count + 1)))
        #expect(typed(word, text(0...(count - 1))) == fault(.tooLong(maximum: count - 1)))
    }

    @Test("A family emoji is one character")
    func family() {
        #expect(typed("👩‍👩‍👧‍👦", text(1...1)) == .success(.text("👩‍👩‍👧‍👦")))
    }

    @Test("White space around text is dropped, and blank text is left empty", arguments: ["", " ", "\u{3000}\t", "\n"])
    func blank(_ blank: String) {
        #expect(typed(blank + "Ada" + blank, text(3...3)) == .success(.text("Ada")))
        #expect(typed(blank, text(0...3)) == fault(.required))
        #expect(typed(blank, text(3...3), optional: true) == .success(nil))
        let field = StepField(key: "key", label: "", kind: text(0...3))
        #expect(field.fault(in: .text(blank)) == .required)
        #expect(field.fault(in: .text(blank + "Ada" + blank)) == nil)
    }

    @Test("Nothing given is a fault unless the field is optional")
    func nothing() {
        let kinds: [(StepField.Kind, Phrase)] = [
            (text(1...2), .required), (integer(0...1), .required), (.choice([], initial: nil), .choiceRequired),
            (.toggle(initial: false), .required),
        ]
        for (kind, phrase) in kinds {
            #expect(StepField(key: "k", label: "", kind: kind).fault(in: nil) == phrase)
            #expect(StepField(key: "k", label: "", kind: kind, isOptional: true).fault(in: nil) == nil)
        }
    }

    @Test("Control characters are refused", arguments: ["a\u{0}b", "a\u{1B}[31mb", "a\nb", "a\u{7F}b", "a\u{85}b"])
    func control(_ word: String) {
        #expect(typed(word, text(1...20)) == fault(.controlCharacters))
        #expect(typed(word, text(1...20), optional: true) == fault(.controlCharacters))
    }

    @Test("A pattern has to match the whole text")
    func pattern() {
        let code = text(1...20, "[a-z]+[0-9]?")
        #expect(typed(" ada1 ", code) == .success(.text("ada1")))
        for wrong in ["1ada", "ada12", "ada 1", "Ada"] { #expect(typed(wrong, code) == fault(.noPattern)) }
        #expect(typed("cat", text(1...9, "dog|cat")) == .success(.text("cat")))
        #expect(typed("catx", text(1...9, "dog|cat")) == fault(.noPattern))
        #expect(StepField(key: "k", label: "", kind: code).fault(in: .text(" ada1 ")) == nil)
    }

    @Test("A pattern that isn't one lets nothing through", arguments: ["(", "[", "*", "a{2,1}"])
    func brokenPattern(_ pattern: String) {
        #expect(typed("a", text(1...9, pattern)) == fault(.noPattern))
    }

    @Test("The length is judged before the pattern, so that no long text is matched")
    func lengthFirst() {
        let word = String(repeating: "a", count: 10_000)
        #expect(typed(word, text(1...8, "(a+)+b")) == fault(.tooLong(maximum: 8)))
    }

    @Test("Digits of any script are numbers", arguments: ["42", "٤٢", "۴۲", "४२", "４２", " 42 ", "+42"])
    func digits(_ digits: String) {
        #expect(typed(digits, integer(0...99)) == .success(.integer(42)))
    }

    @Test("Both minus signs are read", arguments: ["-7", "−7", "-٧"])
    func minus(_ number: String) {
        #expect(typed(number, integer(-9...9)) == .success(.integer(-7)))
    }

    @Test(
        "What is no whole number is called that",
        arguments: ["4.2", "four", "4 2", "1e3", "-", "+", "--4", "½", "0x10", "十"])
    func noNumber(_ word: String) {
        #expect(typed(word, integer(0...99)) == fault(.notANumber))
    }

    @Test(
        "A number too big for the machine is out of range",
        arguments: ["99999999999999999999", "-99999999999999999999", "−99999999999999999999"])
    func huge(_ number: String) {
        #expect(typed(number, integer(0...99)) == fault(.outOfRange(minimum: 0, maximum: 99)))
    }

    @Test(
        "A bound that isn't there is not named",
        arguments: [
            ("0", 1...Int.max, "Please give a number of at least 1."),
            ("10", .min...9, "Please give a number of at most 9."),
            ("99999999999999999999", 1...Int.max, "Please use at most 18 characters."),
            ("-99999999999999999999", 1...Int.max, "Please give a number of at least 1."),
            ("-99999999999999999999", .min...9, "Please use at most 18 characters."),
            ("99999999999999999999", .min...9, "Please give a number of at most 9."),
            ("99999999999999999999", .min ... .max, "Please use at most 18 characters."),
        ])
    func openRanges(_ number: String, _ range: ClosedRange<Int>, _ sentence: String) throws {
        guard case .failure(let fault) = typed(number, integer(range)) else {
            Issue.record("\(number) was taken")
            return
        }
        #expect(fault.phrase.text(for: LanguagePreferences(["en"])) == sentence)
        let longest = String(repeating: "1", count: StepField.longestNumber)
        #expect(typed(longest, integer(1...Int.max)) == .success(.integer(111_111_111_111_111_111)))
    }

    @Test("The least and the greatest Int are judged without a trap", arguments: [1, 2, 3, 7, Int.max, 0, -1, Int.min])
    func extremes(step: Int) {
        let all = StepField(key: "k", label: "", kind: integer(.min ... .max, step: step))
        #expect(all.fault(in: .integer(.min)) == nil)
        let distance = UInt.max
        let fits = step <= 1 || distance.isMultiple(of: UInt(step))
        #expect(all.fault(in: .integer(.max)) == (fits ? nil : .offStep(minimum: .min, step: step)))
        let small = StepField(key: "k", label: "", kind: integer(0...10))
        #expect(small.fault(in: .integer(.min)) == .outOfRange(minimum: 0, maximum: 10))
        #expect(small.fault(in: .integer(.max)) == .outOfRange(minimum: 0, maximum: 10))
    }

    @Test(
        "Steps are counted from the lower bound",
        arguments: [(-5, true), (-2, true), (0, false), (1, true), (10, true), (9, false)])
    func steps(_ number: Int, _ fits: Bool) {
        let field = StepField(key: "k", label: "", kind: integer(-5...10, step: 3))
        #expect(field.fault(in: .integer(number)) == (fits ? nil : .offStep(minimum: -5, step: 3)))
    }

    static let colours = [
        StepChoice(value: "r", label: "Red"), StepChoice(value: "b", label: "Blau"),
        StepChoice(value: "1", label: "One"),
    ]

    @Test(
        "A choice is named by its value, its label or its number",
        arguments: [
            ("r", "r"), ("Red", "r"), ("RED", "r"), ("blau", "b"), ("B", "b"), ("2", "b"), ("٢", "b"), ("3", "1"),
            ("1", "1"),
        ])
    func choice(_ word: String, _ value: String) {
        #expect(typed(word, .choice(Self.colours, initial: nil)) == .success(.text(value)))
    }

    @Test(
        "What is none of the choices is told what they are",
        arguments: ["0", "4", "-1", "green", "\(Int.min)", "\(Int.max)", "99999999999999999999"])
    func noChoice(_ word: String) {
        #expect(typed(word, .choice(Self.colours, initial: nil)) == fault(.notAChoice(accepted: "Red, Blau, One")))
    }

    @Test("A choice's stored value is one of its values, never a label")
    func choiceValue() {
        let field = StepField(key: "k", label: "", kind: .choice(Self.colours, initial: "r"))
        #expect(field.fault(in: .text("b")) == nil)
        #expect(field.fault(in: .text("Blau")) == .notAChoice(accepted: "Red, Blau, One"))
        #expect(field.initialValue == .text("r"))
    }

    @Test(
        "A toggle is answered in English or in a language of the reader",
        arguments: [
            ("en", "Yes", true), ("en", "n", false), ("de", "ja", true), ("de", "J", true), ("de", "Nein", false),
            ("de", "yes", true), ("ar", "نعم", true), ("ar", "ن", true), ("ar", "لا", false), ("ja", "はい", true),
            ("ja", "は", true), ("ja", "いいえ", false), ("ja", "off", false), ("de", "1", true), ("fr", "no", false),
        ])
    func toggle(_ tag: String, _ word: String, _ value: Bool) {
        #expect(typed(word, .toggle(initial: false), LanguagePreferences([tag])) == .success(.toggle(value)))
    }

    @Test("A toggle knows each of the reader's languages, and no other")
    func toggleLanguages() {
        let kind = StepField.Kind.toggle(initial: false)
        #expect(typed("はい", kind, LanguagePreferences(["de", "ja"])) == .success(.toggle(true)))
        #expect(typed("はい", kind, LanguagePreferences(["de"])) == fault(.notAToggle))
        #expect(typed("maybe", kind) == fault(.notAToggle))
    }

    @Test("A value of another kind is a fault, not a trap")
    func kinds() {
        let values: [OnboardingInputValue] = [.text("x"), .integer(1), .toggle(true)]
        let kinds = [text(1...9), integer(0...9), .toggle(initial: true)]
        let faults: [Phrase] = [.noPattern, .notANumber, .notAToggle]
        for (row, kind) in kinds.enumerated() {
            let field = StepField(key: "k", label: "", kind: kind)
            for (column, value) in values.enumerated() {
                #expect(field.fault(in: value) == (row == column ? nil : faults[row]))
            }
        }
        let choice = StepField(key: "k", label: "", kind: .choice(Self.colours, initial: nil))
        #expect(choice.fault(in: .toggle(true)) == .notAChoice(accepted: "Red, Blau, One"))
    }

    @Test("A field starts with its initial value")
    func initial() {
        func value(_ kind: StepField.Kind) -> OnboardingInputValue? {
            StepField(key: "k", label: "", kind: kind).initialValue
        }
        #expect(value(.text(length: 0...9, pattern: nil, initial: "Ada")) == .text("Ada"))
        #expect(value(text(0...9)) == nil)
        #expect(value(.integer(range: 0...9, step: 1, initial: 4)) == .integer(4))
        #expect(value(integer(0...9)) == nil)
        #expect(value(.choice(Self.colours, initial: nil)) == nil)
        #expect(value(.toggle(initial: true)) == .toggle(true))
    }

    @Test("A fault never repeats what the user typed", arguments: ["secret!", "s3cr3t\u{1}"])
    func discreet(_ secret: String) {
        for kind in [
            text(1...3), text(1...99, "x"), integer(0...9), .choice(Self.colours, initial: nil), .toggle(initial: true),
        ] {
            guard case .failure(let fault) = typed(secret, kind) else { continue }
            for tag in ["en", "de", "ar", "ja"] {
                #expect(!fault.phrase.text(for: LanguagePreferences([tag])).contains(secret))
            }
        }
    }
}
