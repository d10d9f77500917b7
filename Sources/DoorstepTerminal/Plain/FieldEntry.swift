internal import Doorstep

/// What was typed at a field: a value, or a command in its place.
enum FieldEntry: Equatable {
    /// What can be asked for instead of giving a value.
    enum Command: String, CaseIterable {
        case back, skip, quit, clear, help
    }

    case answer(String)
    case command(Command)

    /// Reads a line: a colon and the name of a command in English or in the reader's language, or `?`. A colon before
    /// either makes it an answer; any other text that begins with a colon is one anyway.
    init(_ line: String, languages: LanguagePreferences) {
        let text = line.foldedForMatching
        if let command = Self.command(text, languages) {
            self = .command(command)
        } else if text.first == ":", Self.command(String(text.dropFirst()), languages) != nil {
            self = .answer(String(line.drop { $0.isWhitespace }.dropFirst()))
        } else {
            self = .answer(line)
        }
    }

    private static func command(_ text: String, _ languages: LanguagePreferences) -> Command? {
        if text == "?" || text == "？" { return .help }
        guard text.first == ":" || text.first == "：" else { return nil }
        let name = text.dropFirst()
        return Command.allCases.first { command in
            name == command.rawValue || name == command.title(for: languages).foldedForMatching
        }
    }
}

extension FieldEntry.Command {
    fileprivate func title(for languages: LanguagePreferences) -> String {
        switch self {
        case .back: Phrase.back.text(for: languages)
        case .skip: Phrase.skip.text(for: languages)
        case .quit: TerminalPhrase.quit.text(for: languages)
        case .clear: TerminalPhrase.leaveEmpty.text(for: languages)
        case .help: TerminalPhrase.help.text(for: languages)
        }
    }
}
