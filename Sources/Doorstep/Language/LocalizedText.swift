/// One text in one or more languages.
///
/// A text that names no language is the same for everyone.
public struct LocalizedText: Sendable, Hashable, ExpressibleByStringLiteral {
    /// One language's text.
    public struct Entry: Sendable, Hashable {
        /// A BCP 47 tag, for example `de` or `pt-BR`; empty for a text that is the same for everyone.
        public var tag: String
        /// The text in that language.
        public var text: String

        /// A text in one language.
        public init(tag: String, text: String) {
            self.tag = tag
            self.text = text
        }
    }

    /// The texts in the order in which they were written; the order decides only when nothing else does.
    public let entries: [Entry]

    /// A text in several languages.
    public init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// A text that is the same for everyone.
    public init(_ text: String) {
        self.entries = [Entry(tag: "", text: text)]
    }

    /// A text that is the same for everyone.
    public init(stringLiteral value: String) {
        self.init(value)
    }

    /// The text for a reader: each wanted tag and then its shorter forms (`de-AT`, `de`), the first other region of a
    /// wanted language, then `en`, then the first text. Empty only without any text.
    ///
    /// The lookup is RFC 4647's, section 3.4.
    public func text(for languages: LanguagePreferences) -> String {
        for tag in languages.tags {
            if let text = lookup(tag) { return text }
        }
        return lookup("en") ?? entries.first?.text ?? ""
    }

    private func lookup(_ wanted: String) -> String? {
        var range = wanted.lowercased()
        while true {
            if let match = entries.first(where: { $0.tag.lowercased() == range }) { return match.text }
            guard let dash = range.lastIndex(of: "-") else { break }
            range = String(range[..<dash])
        }
        return entries.first { $0.tag.lowercased().hasPrefix(range + "-") }?.text
    }
}
