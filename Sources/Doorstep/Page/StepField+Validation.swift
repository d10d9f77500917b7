/// What a field accepts, and the sentence for what it doesn't.
extension StepField {
    /// What is wrong with a value, or nil for a valid one. Nil stands for "left empty", as does text without a character
    /// that can be seen; white space around text doesn't count.
    public func fault(in value: OnboardingInputValue?) -> Phrase? {
        guard let value = tidied(value) else { return isOptional ? nil : missing }
        switch (kind, value) {
        case (.text(let length, _, _), .text(let text)):
            return fault(inText: text, length: length)
        case (.integer(let range, let step, _), .integer(let number)):
            return Self.fault(in: number, range: range, step: step)
        case (.choice(let choices, _), .text(let chosen)):
            return choices.contains { $0.value == chosen } ? nil : .notAChoice(accepted: Self.list(choices))
        case (.toggle, .toggle):
            return nil
        case (.text, _): return .noPattern
        case (.integer, _): return .notANumber
        case (.choice(let choices, _), _): return .notAChoice(accepted: Self.list(choices))
        case (.toggle, _): return .notAToggle
        }
    }

    private var missing: Phrase {
        if case .choice = kind { return .choiceRequired }
        return .required
    }

    /// The value as it is stored: text without surrounding white space, nil for a text field left empty.
    func tidied(_ value: OnboardingInputValue?) -> OnboardingInputValue? {
        guard case .text = kind, case .text(let text)? = value else { return value }
        let trimmed = text.trimmed
        return trimmed.isEmpty ? nil : .text(trimmed)
    }

    /// The value that typed text stands for, or what is wrong with it.
    ///
    /// White space around it is dropped. A choice is named by its value, its label or its number from 1, a toggle by
    /// yes or no in English or one of the reader's languages. Digits of any script count.
    public func value(from typed: String, languages: LanguagePreferences) -> Result<OnboardingInputValue?, FieldFault> {
        let text = typed.trimmed
        let value: OnboardingInputValue?
        if text.isEmpty {
            value = nil
        } else {
            switch kind {
            case .text: value = .text(text)
            case .integer: value = Self.integer(text).map(OnboardingInputValue.integer)
            case .choice(let choices, _): value = Self.choice(text, among: choices).map(OnboardingInputValue.text)
            case .toggle: value = Self.toggle(text, languages: languages).map(OnboardingInputValue.toggle)
            }
            if value == nil { return .failure(FieldFault(key: key, phrase: unreadable(text))) }
        }
        if let phrase = fault(in: value) { return .failure(FieldFault(key: key, phrase: phrase)) }
        return .success(value)
    }

    private func fault(inText text: String, length: ClosedRange<Int>) -> Phrase? {
        for scalar in text.unicodeScalars where scalar.isControl {
            return .controlCharacters
        }
        let count = text.count
        if count < length.lowerBound { return .tooShort(minimum: length.lowerBound) }
        if count > length.upperBound { return .tooLong(maximum: length.upperBound) }
        if let pattern, !pattern.matches(text) { return .noPattern }
        return nil
    }

    /// What is wrong with a pattern for text, and what is accepted; nil for one that can be used.
    public static func fault(inPattern pattern: String) -> String? {
        do throws(FieldPattern.Fault) {
            _ = try FieldPattern(pattern)
            return nil
        } catch {
            return error.message
        }
    }

    private static func fault(in number: Int, range: ClosedRange<Int>, step: Int) -> Phrase? {
        guard range.contains(number) else {
            return .outOfRange(minimum: range.lowerBound, maximum: range.upperBound)
        }
        // The distance of two Ints can be more than an Int holds.
        let distance = UInt(bitPattern: number) &- UInt(bitPattern: range.lowerBound)
        if step > 1, !distance.isMultiple(of: UInt(step)) { return .offStep(minimum: range.lowerBound, step: step) }
        return nil
    }

    private func unreadable(_ text: String) -> Phrase {
        switch kind {
        case .text: return .noPattern
        case .integer(let range, _, _):
            // Digits only, but more than an Int holds: the range says more than "not a number".
            let digits = ["-", "−", "+"].contains(text.first) ? text.dropFirst() : text[...]
            guard !digits.isEmpty, digits.allSatisfy({ Self.digit($0) != nil }) else { return .notANumber }
            let isNegative = text.first == "-" || text.first == "−"
            // Where the range has no end on that side, what is wrong is that no number has so many digits here.
            if isNegative ? !range.hasLowerBound : !range.hasUpperBound {
                return .tooLong(maximum: StepField.longestNumber)
            }
            return .outOfRange(minimum: range.lowerBound, maximum: range.upperBound)
        case .choice(let choices, _): return .notAChoice(accepted: Self.list(choices))
        case .toggle: return .notAToggle
        }
    }

    private static func integer(_ text: String) -> Int? {
        var ascii = ""
        for character in text {
            switch character {
            case "-", "−": ascii += "-"
            case "+": ascii += "+"
            default:
                guard let digit = digit(character) else { return nil }
                ascii += String(digit)
            }
        }
        return Int(ascii)
    }

    private static func digit(_ character: Character) -> Int? {
        character.wholeNumberValue.flatMap { (0...9).contains($0) ? $0 : nil }
    }

    private static func choice(_ text: String, among choices: [StepChoice]) -> String? {
        if let exact = choices.first(where: { $0.value == text || $0.label == text }) { return exact.value }
        let folded = text.lowercased()
        if let alike = choices.first(where: { $0.value.lowercased() == folded || $0.label.lowercased() == folded }) {
            return alike.value
        }
        // Compared before anything is subtracted: the number may be the least that an Int holds.
        guard let number = integer(text), (1...).contains(number), number <= choices.count else { return nil }
        return choices[number - 1].value
    }

    private static func toggle(_ text: String, languages: LanguagePreferences) -> Bool? {
        let folded = text.lowercased()
        func names(_ phrase: Phrase, _ english: [String]) -> Bool {
            if english.contains(folded) { return true }
            for tag in languages.tags {
                let word = phrase.text(for: LanguagePreferences([tag])).lowercased()
                if folded == word || folded == String(word.prefix(1)) { return true }
            }
            return false
        }
        if names(.yes, ["yes", "y", "true", "on", "1"]) { return true }
        if names(.no, ["no", "n", "false", "off", "0"]) { return false }
        return nil
    }

    private static func list(_ choices: [StepChoice]) -> String {
        choices.map(\.label).joined(separator: ", ")
    }
}

extension String {
    /// The text without white space and line ends around it.
    var trimmed: String {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[start...last])
    }
}
