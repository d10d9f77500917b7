/// The languages a user reads, most wanted first, as BCP 47 tags.
///
/// They come from `LANGUAGE` (a list), else `LC_ALL`, `LC_MESSAGES` or `LANG`. As in gettext, a locale of `C` or `POSIX`
/// turns `LANGUAGE` off; unlike there, no locale at all doesn't, because whoever sets `LANGUAGE` alone means it. The
/// source of the rule is the gettext manual, "Locale Environment Variables".
public struct LanguagePreferences: Sendable, Hashable {
    /// The tags, most wanted first, for example `["de-AT", "en"]`; empty for the `C` locale.
    public let tags: [String]

    /// Preferences from tags, most wanted first; POSIX spellings such as `de_AT.UTF-8` are accepted.
    public init(_ tags: [String]) {
        self.tags = tags.compactMap(Self.tag)
    }

    /// The preferences that an environment asks for. An empty variable counts as unset.
    public init(environment: [String: String]) {
        func variable(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        let locale = variable("LC_ALL") ?? variable("LC_MESSAGES") ?? variable("LANG")
        let list = (variable("LANGUAGE") ?? "").split(separator: ":").map(String.init)
        let ignoresList = locale == "C" || locale == "POSIX"
        self.init(list.isEmpty || ignoresList ? [locale ?? "C"] : list)
    }

    /// Whether the first language is written from right to left.
    public var isRightToLeft: Bool {
        guard let first = tags.first else { return false }
        return Self.isRightToLeft(first)
    }

    /// Whether a language is written from right to left, by its script where the tag names one.
    public static func isRightToLeft(_ tag: String) -> Bool {
        let parts = tag.lowercased().split(separator: "-").map(String.init)
        if let script = parts.dropFirst().first(where: { $0.utf8.count == 4 }) {
            return ["arab", "hebr", "thaa", "syrc", "nkoo", "adlm"].contains(script)
        }
        return ["ar", "he", "fa", "ur", "ps", "sd", "ckb", "dv", "yi", "ug", "syr", "nqo"].contains(parts.first ?? "")
    }

    /// The BCP 47 form of a POSIX locale name, or nil for `C` and `POSIX`.
    private static func tag(_ locale: String) -> String? {
        let bare = locale.prefix { $0 != "." && $0 != "@" }
        if bare.isEmpty || bare == "C" || bare == "POSIX" { return nil }
        var tag = String(bare.map { $0 == "_" ? "-" : $0 })
        // A modifier can name the script: sr_RS@latin is sr-Latn-RS.
        if locale.hasSuffix("@latin") { tag.insert(contentsOf: "-Latn", at: tag.firstIndex(of: "-") ?? tag.endIndex) }
        return tag
    }
}
