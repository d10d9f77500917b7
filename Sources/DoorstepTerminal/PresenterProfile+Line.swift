internal import Doorstep

extension PresenterProfile.Entry {
    /// The entry on one line for a reader of these languages.
    func line(for languages: LanguagePreferences) -> String {
        "\(label): \(Direction.isolated(PrintableText.singleLine(value), for: languages))"
    }
}
