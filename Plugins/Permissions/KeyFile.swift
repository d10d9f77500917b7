/// A file of `[group]` and `key=value` lines, as desktop entries, `/.flatpak-info` and geoclue.conf are.
///
/// The last of two equal keys wins, as in GLib. Locale suffixes and escapes are left as they stand.
struct KeyFile {
    private var groups: [String: [String: String]] = [:]

    init(_ text: String) {
        var group = ""
        // Byte by byte: some are hundreds of lines, and only ASCII has a meaning in them.
        for line in text.utf8.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            let line = Self.trimmed(line)
            if line.first == UInt8(ascii: "#") { continue }
            if line.first == UInt8(ascii: "["), line.last == UInt8(ascii: "]") {
                group = String(Substring(line.dropFirst().dropLast()))
            } else if let equals = line.firstIndex(of: UInt8(ascii: "=")) {
                let key = Self.trimmed(line[..<equals])
                let value = Self.trimmed(line[line.index(after: equals)...])
                groups[group, default: [:]][String(Substring(key))] = String(Substring(value))
            }
        }
    }

    private static func trimmed(_ line: Substring.UTF8View) -> Substring.UTF8View {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        var line = line.drop(while: isBlank)
        while let last = line.last, isBlank(last) { line.removeLast() }
        return line
    }

    /// The value of a key in a group, or nil where it isn't there.
    subscript(group: String, key: String) -> String? { groups[group]?[key] }
}
