internal import Doorstep

/// Asking for the value of a field.
extension PlainShowing {
    /// Asks until the field holds a valid value, or the user goes elsewhere.
    nonisolated(nonsending) func fillIn(_ field: StepField) async throws(OnboardingStorageError) -> Reply<Void> {
        writer.gap()
        writer.paragraph(field.label)
        describe(field)
        if !hasExplainedBrackets, bracketed(field) != nil { explainBrackets() }
        if !hasExplainedCommands {
            hasExplainedCommands = true
            explainCommands(for: field)
        }
        while true {
            let current = pager.value(for: field.key)
            let line: String
            switch try await ask(.answerPrompt, default: bracketed(field)) {
            case .answer(let typed): line = typed
            case .turned: return .turned
            case .left: return .left
            }
            switch FieldEntry(line, languages: languages) {
            case .command(let command):
                if let reply = try run(command, in: field) { return reply }
            case .answer(let text):
                if let fault = take(text, current: current, for: field) {
                    writer.paragraph(fault.text(for: languages))
                } else {
                    return .answer(())
                }
            }
        }
    }

    /// Gives the pager what was typed; Enter alone keeps what the field holds.
    private func take(_ text: String, current: OnboardingInputValue?, for field: StepField) -> Phrase? {
        if text.allSatisfy(\.isWhitespace) { return field.fault(in: current) }
        switch field.value(from: text, languages: languages) {
        case .success(let value): return pager.setValue(value, for: field.key)?.phrase
        case .failure(let fault): return fault.phrase
        }
    }

    /// Does what a command asks for; nil where the field is then asked again.
    private func run(_ command: FieldEntry.Command, in field: StepField) throws(OnboardingStorageError) -> Reply<Void>?
    {
        switch command {
        case .quit:
            return .left
        case .help:
            describe(field)
            if bracketed(field) != nil { explainBrackets() }
            explainCommands(for: field)
            return nil
        case .clear:
            guard field.isOptional else {
                writer.paragraph((field.fault(in: nil) ?? .required).text(for: languages))
                return nil
            }
            pager.setValue(nil, for: field.key)
            return .answer(())
        case .back, .skip:
            let role: StepAction.Role = command == .back ? .back : .skip
            guard pager.actions.contains(where: { $0.role == role }) else {
                say(.notOnThisPage)
                return nil
            }
            try pager.perform(role)
            return .turned
        }
    }

    private func describe(_ field: StepField) {
        if let help = field.help { writer.paragraph(help) }
        if case .choice(let choices, _) = field.kind {
            for (index, choice) in choices.enumerated() { writer.paragraph(choice.label, first: "\(index + 1)) ") }
        }
        let phrases = [accepted(by: field), field.isOptional ? .mayBeEmpty : nil].compactMap { $0 }
        if !phrases.isEmpty { writer.paragraph(phrases.map { $0.text(for: languages) }.joined(separator: " ")) }
    }

    /// What a field accepts, apart from what its help has said already in the app's own words.
    private func accepted(by field: StepField) -> TerminalPhrase? {
        switch field.kind {
        case .text(let length, _, _) where Self.names(length, field.help): nil
        case .text(let length, _, _): .textLength(length)
        case .integer(let range, let step, _): .wholeNumber(range, step: step)
        case .choice: .fromTheList
        case .toggle: .oneOf(Phrase.yes.text(for: languages), Phrase.no.text(for: languages))
        }
    }

    /// Whether a help speaks of the length itself: one of its numbers is one of the bounds.
    private static func names(_ length: ClosedRange<Int>, _ help: String?) -> Bool {
        let numbers = (help ?? "").split { !($0.isASCII && $0.isNumber) }
        return numbers.contains { $0 == "\(length.lowerBound)" || $0 == "\(length.upperBound)" }
    }

    private func explainBrackets() {
        hasExplainedBrackets = true
        say(.enterTakesBrackets)
    }

    private func explainCommands(for field: StepField) {
        var commands: [(String, String)] = []
        for action in pager.actions where action.role == .skip || action.role == .back {
            commands.append((action.role == .skip ? ":skip" : ":back", action.title))
        }
        if field.isOptional { commands.append((":clear", TerminalPhrase.leaveEmpty.text(for: languages))) }
        commands.append((":quit", TerminalPhrase.quit.text(for: languages)))
        commands.append(("?", TerminalPhrase.help.text(for: languages)))
        let items = commands.map { "\(Direction.isolated($0.0, for: languages)) (\($0.1))" }
        say(.insteadOfAnswer(items.joined(separator: TerminalPhrase.listSeparator.text(for: languages))))
        say(.colonMakesAnswer)
    }

    /// What stands in brackets behind the question: the value that Enter takes.
    private func bracketed(_ field: StepField) -> String? {
        pager.value(for: field.key).flatMap { shown($0, in: field) }
    }

    /// What a value looks like in brackets.
    private func shown(_ value: OnboardingInputValue, in field: StepField) -> String? {
        switch value {
        case .integer(let number): return String(number)
        case .toggle(let isOn): return (isOn ? Phrase.yes : Phrase.no).text(for: languages)
        case .text(let text):
            if text.isEmpty { return nil }
            guard case .choice(let choices, _) = field.kind else { return PrintableText.singleLine(text) }
            return PrintableText.singleLine(choices.first { $0.value == text }?.label ?? text)
        }
    }
}
