public import DoorstepJSON
internal import Words

/// The options that every permission check accepts: which grants count, and how long it may take.
public struct CheckOptions: Sendable, Hashable {
    /// Which grants satisfy the step.
    public var acceptance: GrantAcceptance
    /// How long the check may take, or nil for the pass's own limit.
    public var timeout: Duration?

    /// Reads `accept`, `acceptModes` and `timeout`.
    public init(from reader: JSONReader) {
        acceptance = GrantAcceptance()
        if let bases = reader.words("accept", of: GrantBasis.self) { acceptance.bases = Set(bases) }
        if let modes = reader.words("acceptModes", of: GrantMode.self) { acceptance.modes = Set(modes) }
        timeout = reader.duration("timeout")
    }

    /// The lines of help on these options.
    public static let help = [
        PluginOption(
            "accept", "list of \(GrantBasis.allCases.map(\.rawValue).joined(separator: ", "))",
            "on what a grant must rest to count; all by default"),
        PluginOption(
            "acceptModes", "list of \(GrantMode.allCases.map(\.rawValue).joined(separator: ", "))",
            "how far a grant must go to count; always, whileInUse and muted by default"),
        PluginOption("timeout", "duration, such as \"2s\"", "how long the check may take"),
    ]
}

extension JSONReader {
    /// A list of words of one kind, at least one, or nil where it is left out.
    public func words<Word: RawRepresentable<String> & CaseIterable>(_ key: String, of type: Word.Type) -> [Word]? {
        let accepted = Word.allCases.map(\.rawValue)
        return optionalStrings(key, count: 1...accepted.count) { word in
            if accepted.contains(word) { return nil }
            let nearest = nearestSpelling(of: word, among: accepted)
            return "\(quoted(word)) is unknown\(JSONFault.hint(nearest, accepted: accepted))"
        }?.compactMap(Word.init)
    }

    /// A duration such as `"500ms"`, `"2s"` or `"1m"`, above zero, or nil where it is left out.
    public func duration(_ key: String) -> Duration? {
        optionalString(key) { text in
            Duration(option: text) == nil
                ? "this is not a duration; accepted are a whole number above 0 and its unit, such as \"500ms\", \"2s\" or \"1m\", up to a day"
                : nil
        }.flatMap { Duration(option: $0) }
    }
}

extension Duration {
    /// A duration from a whole number and its unit (`ms`, `s`, `m`), above zero and at most a day; nil for anything else.
    package init?(option text: String) {
        guard !text.contains("."), !text.hasSuffix("h"), let duration = Duration(words: text), duration > .zero,
            duration <= .seconds(86_400)
        else { return nil }
        self = duration
    }
}
