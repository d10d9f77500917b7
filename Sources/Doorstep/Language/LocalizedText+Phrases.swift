/// Texts that Doorstep itself brings, with places for what is put into them.
extension LocalizedText {
    /// A phrase: each language that Doorstep brings must be there, or it doesn't compile.
    package static func phrase(en: String, de: String, ar: String, ja: String) -> LocalizedText {
        LocalizedText([
            Entry(tag: "en", text: en), Entry(tag: "de", text: de), Entry(tag: "ar", text: ar),
            Entry(tag: "ja", text: ja),
        ])
    }

    /// The text for a reader with `%1`, `%2` … replaced by the inserts, each once.
    package func text(for languages: LanguagePreferences, inserting inserts: [String]) -> String {
        var text = text(for: languages)
        // From the last one, so that a "%1" in what is put in stays as it is.
        for (index, insert) in inserts.enumerated().reversed() {
            guard let range = text.firstRange(of: "%\(index + 1)") else { continue }
            text.replaceSubrange(range, with: insert)
        }
        return text
    }
}
