/// A file of `[group]` and `key=value` lines, as desktop entries, `/.flatpak-info` and geoclue.conf are.
///
/// The last of two equal keys wins, as in GLib. Locale suffixes and escapes are left as they stand.
struct KeyFile {
    private var groups: [String: [String: String]] = [:]

    init(_ text: String) {
        var group = ""
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmed
            if line.hasPrefix("#") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                group = String(line.dropFirst().dropLast())
            } else if let equals = line.firstIndex(of: "=") {
                groups[group, default: [:]][line[..<equals].trimmed] = line[line.index(after: equals)...].trimmed
            }
        }
    }

    /// The value of a key in a group, or nil where it isn't there.
    subscript(group: String, key: String) -> String? { groups[group]?[key] }
}

extension StringProtocol {
    /// The text without spaces and tabs at either end.
    var trimmed: String {
        func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
