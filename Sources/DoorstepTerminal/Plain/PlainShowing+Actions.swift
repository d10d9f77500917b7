internal import Doorstep

/// Asking what to do with a page.
extension PlainShowing {
    /// Asks until one of the page's actions is chosen, or the user goes elsewhere.
    nonisolated(nonsending) func chooseAction() async throws(OnboardingStorageError) -> Reply<StepAction> {
        try await choose(among: pager.actions)
    }

    /// Asks until one of these actions is chosen, or the user goes elsewhere.
    nonisolated(nonsending) func choose(
        among actions: [StepAction]
    ) async throws(OnboardingStorageError) -> Reply<StepAction> {
        writer.gap()
        list(actions)
        while true {
            let line: String
            switch try await ask(.choicePrompt, default: "1") {
            case .answer(let typed): line = typed
            case .turned: return .turned
            case .left: return .left
            }
            switch ActionEntry(line, among: actions, languages: languages) {
            case .action(let action): return .answer(action)
            case .quit: return .left
            case .help:
                say(.enterChooses(PrintableText.singleLine(actions.first?.title ?? "")))
                list(actions)
            case .unknown:
                say(.typeAChoice)
                list(actions)
            }
        }
    }

    /// The actions on one line where they fit it, else one a line.
    private func list(_ actions: [StepAction]) {
        var items = actions.enumerated().map { ("\($0.offset + 1)) ", PrintableText.singleLine($0.element.title)) }
        items.append(("q) ", TerminalPhrase.quit.text(for: languages)))
        let line = items.map { $0.0 + $0.1 }.joined(separator: "  ")
        if writer.fits(line) {
            writer.paragraph(line)
        } else {
            for item in items { writer.paragraph(item.1, first: item.0) }
        }
    }
}

/// What was typed at a list of actions.
enum ActionEntry: Equatable {
    case action(StepAction)
    case quit
    case help
    case unknown

    /// Reads a line: empty for the first action, a number in any script's digits, `q`, `?`, or a title, a role's
    /// English name or the beginning of just one of them.
    init(_ line: String, among actions: [StepAction], languages: LanguagePreferences) {
        var text = line.foldedForMatching
        // Whoever learned the commands of fields may use them here.
        if text.first == ":" || text.first == "：" { text.removeFirst() }
        switch text {
        case "":
            self = actions.first.map(ActionEntry.action) ?? .unknown
            return
        case "?", "？", "help":
            self = .help
            return
        case "q":
            self = .quit
            return
        default: break
        }
        if let number = Self.number(text) {
            self = actions.indices.contains(number - 1) ? .action(actions[number - 1]) : .unknown
            return
        }
        var named: [(name: String, entry: ActionEntry)] = []
        for action in actions {
            named.append((action.title.foldedForMatching, .action(action)))
            if let name = action.role.englishName { named.append((name, .action(action))) }
        }
        named.append((TerminalPhrase.quit.text(for: languages).foldedForMatching, .quit))
        named.append(("quit", .quit))

        if let exact = named.first(where: { $0.name == text }) {
            self = exact.entry
            return
        }
        let begun = named.filter { $0.name.hasPrefix(text) }.map(\.entry)
        self = begun.first.flatMap { first in begun.allSatisfy { $0 == first } ? first : nil } ?? .unknown
    }

    private static func number(_ text: String) -> Int? {
        var number = 0
        for character in text {
            guard let digit = character.wholeNumberValue, (0...9).contains(digit), number < 1000 else { return nil }
            number = number * 10 + digit
        }
        return number
    }
}

extension StepAction.Role {
    /// What the role is called whatever its title.
    fileprivate var englishName: String? {
        switch self {
        case .complete: "next"
        case .skip: "skip"
        case .back: "back"
        case .forward: "continue"
        case .perform: nil
        }
    }
}
