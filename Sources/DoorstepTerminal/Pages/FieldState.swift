internal import Doorstep

/// What the keyboard has made of one field so far.
struct FieldState: Sendable, Hashable {
    var field: StepField
    var value: OnboardingInputValue?
    /// The text of a text field, or the digits typed at a number.
    var editor: TextEditor
    /// What was typed to find a choice.
    var search = ""

    init(_ field: StepField, value: OnboardingInputValue?) {
        self.field = field
        self.value = value
        switch (field.kind, value) {
        case (.text, .text(let text)): editor = TextEditor(text)
        default: editor = TextEditor()
        }
    }

    /// Does what a key means in this field; false for one that means nothing here, and goes to the page.
    mutating func take(_ key: Key, isRightToLeft: Bool) -> Bool {
        switch field.kind {
        case .text: return takeText(key, isRightToLeft: isRightToLeft)
        case .integer(let range, let step, let initial):
            return takeNumber(key, range, step: step, initial: initial, isRightToLeft: isRightToLeft)
        case .choice(let choices, _): return takeChoice(key, choices)
        case .toggle: return takeToggle(key)
        }
    }

    private mutating func takeText(_ key: Key, isRightToLeft: Bool) -> Bool {
        let before = editor.characters
        guard editor.take(key, isRightToLeft: isRightToLeft) else { return false }
        if editor.characters != before { value = editor.characters.isEmpty ? nil : .text(editor.text) }
        return true
    }

    private mutating func takeNumber(
        _ key: Key, _ range: ClosedRange<Int>, step: Int, initial: Int?, isRightToLeft: Bool
    ) -> Bool {
        let typed = editor.characters
        func moved(_ steps: Int) -> Int {
            guard case .integer(let number)? = value else { return range.start(upwards: steps > 0) }
            let clamped = min(max(number, range.lowerBound), range.upperBound)
            let (distance, isTooFar) = step.multipliedReportingOverflow(by: steps)
            let (sum, isOver) = clamped.addingReportingOverflow(distance)
            let wanted = isTooFar || isOver ? (steps > 0 ? range.upperBound : range.lowerBound) : sum
            return snapped(min(max(wanted, range.lowerBound), range.upperBound), range, step)
        }
        switch key {
        case .left: value = .integer(moved(isRightToLeft ? 1 : -1))
        case .right: value = .integer(moved(isRightToLeft ? -1 : 1))
        case .character("+"): value = .integer(moved(1))
        case .character("-") where range.lowerBound >= 0 || !typed.isEmpty: value = .integer(moved(-1))
        case .pageUp: value = .integer(moved(10))
        case .pageDown: value = .integer(moved(-10))
        case .home where range.hasLowerBound: value = .integer(range.lowerBound)
        case .end where range.hasUpperBound: value = .integer(snapped(range.upperBound, range, step))
        case .character(let character):
            guard character == "-" && typed.isEmpty || character.wholeNumberValue.map({ (0...9).contains($0) }) == true
            else { return false }
            // More digits than an Int holds are none.
            if typed.count < StepField.longestNumber {
                editor.insert(character.wholeNumberValue.map(String.init) ?? "-")
            }
            readDigits()
            return true
        case .paste(let text):
            let digits = text.compactMap(\.wholeNumberValue).filter { (0...9).contains($0) }
            editor = TextEditor(
                (text.contains("-") ? "-" : "") + digits.prefix(StepField.longestNumber).map(String.init).joined())
            readDigits()
            return true
        case .backspace, .deleteWord, .control("u"), .control("w"):
            editor = digits
            let isWhole = key != .backspace
            _ = editor.take(isWhole ? .control("u") : .backspace, isRightToLeft: false)
            readDigits()
            return true
        default: return false
        }
        editor = TextEditor()
        return true
    }

    /// What is typed at a number, else the digits of what it holds.
    var digits: TextEditor {
        guard editor.characters.isEmpty, case .integer(let number)? = value else { return editor }
        return TextEditor(String(number))
    }

    /// The nearest value that counts up from the lower bound in whole steps.
    private func snapped(_ number: Int, _ range: ClosedRange<Int>, _ step: Int) -> Int {
        guard step > 1 else { return number }
        let distance = UInt(bitPattern: number) &- UInt(bitPattern: range.lowerBound)
        return number - Int(distance % UInt(step))
    }

    private mutating func readDigits() {
        value = Int(editor.text).map(OnboardingInputValue.integer)
    }

    private mutating func takeChoice(_ key: Key, _ choices: [StepChoice]) -> Bool {
        let chosen = chosenIndex
        switch key {
        case .up:
            guard let chosen, chosen > 0 else { return false }
            choose(chosen - 1, choices)
        case .down:
            guard (chosen ?? -1) + 1 < choices.count else { return false }
            choose((chosen ?? -1) + 1, choices)
        case .pageUp: choose(max(0, (chosen ?? 0) - 8), choices)
        case .pageDown: choose(min(choices.count - 1, (chosen ?? 0) + 8), choices)
        case .home: choose(0, choices)
        case .end: choose(choices.count - 1, choices)
        case .backspace where !search.isEmpty:
            search.removeLast()
            find(choices)
            return true
        case .backspace, .delete:
            guard field.isOptional else { return true }
            value = nil
        case .character(" ") where search.isEmpty:
            choose(chosen ?? 0, choices)
        case .character(let character):
            search.append(character)
            if !find(choices) {
                // What no choice begins with begins a new search.
                search = String(character)
                if !find(choices) { search = "" }
            }
            return true
        default: return false
        }
        search = ""
        return true
    }

    /// Chooses the first choice that begins with what was typed, else one with a word that does.
    @discardableResult
    private mutating func find(_ choices: [StepChoice]) -> Bool {
        let wanted = search.foldedForMatching
        guard !wanted.isEmpty else { return true }
        let labels = choices.map(\.label.foldedForMatching)
        let index =
            labels.firstIndex { $0.hasPrefix(wanted) }
            ?? labels.firstIndex { $0.split(whereSeparator: \.isWhitespace).contains { $0.hasPrefix(wanted) } }
        guard let index else { return false }
        value = .text(choices[index].value)
        return true
    }

    mutating func choose(_ index: Int, _ choices: [StepChoice]) {
        if choices.indices.contains(index) { value = .text(choices[index].value) }
    }

    /// Which choice is taken.
    var chosenIndex: Int? {
        guard case .choice(let choices, _) = field.kind, case .text(let chosen)? = value else { return nil }
        return choices.firstIndex { $0.value == chosen }
    }

    private mutating func takeToggle(_ key: Key) -> Bool {
        var isOn = false
        if case .toggle(let flag)? = value { isOn = flag }
        switch key {
        case .character(" "), .left, .right: value = .toggle(!isOn)
        case .character("y"), .character("+"): value = .toggle(true)
        case .character("n"), .character("-"): value = .toggle(false)
        default: return false
        }
        return true
    }

    /// Puts a slider where it was clicked: a share of its length.
    mutating func slide(to share: Double) {
        guard case .integer(let range, let step, _) = field.kind else { return }
        let length = Double(range.upperBound) - Double(range.lowerBound)
        let wanted = Double(range.lowerBound) + length * min(max(share, 0), 1)
        guard let number = Int(exactly: wanted.rounded()) else { return }
        value = .integer(snapped(min(max(number, range.lowerBound), range.upperBound), range, step))
        editor = TextEditor()
    }
}

extension ClosedRange<Int> {
    /// Where a number that isn't given yet begins to count: at the bound that there is, else at nought.
    fileprivate func start(upwards isUpwards: Bool) -> Int {
        if hasLowerBound, isUpwards || !hasUpperBound { return lowerBound }
        return hasUpperBound ? upperBound : 0
    }
}
