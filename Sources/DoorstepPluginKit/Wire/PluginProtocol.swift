public import DoorstepJSON

/// The numbers of the line protocol between a host and a plugin that is a program.
public enum PluginProtocol {
    /// The version that this package speaks.
    public static let version = 1
    /// The most bytes of a line, its line end not counted: 1 MiB.
    public static let maximumLine = 1 << 20
    /// The method that hello's `features` names for plugins that make their own pages.
    public static let pageFeature = "page"
    /// What a parser of a line takes on.
    public static let limits = JSONLimits(depth: 64, bytes: maximumLine)

    /// Whether a word can be a kind: lower-case letters, digits and `-`, at most 64, beginning with a letter.
    public static func isKind(_ word: String) -> Bool {
        guard let first = word.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
        return word.utf8.count <= 64
            && word.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            }
    }
}
