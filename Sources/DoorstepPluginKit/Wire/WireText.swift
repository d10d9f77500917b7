/// Texts that came from another program, made fit for a line of a table, a record, and a terminal.
enum WireText {
    /// The most characters of one line that are kept.
    static let maximumLength = 500

    /// One line without control characters, shortened.
    static func line(_ text: String, atMost length: Int = maximumLength) -> String {
        var clean = ""
        for scalar in text.unicodeScalars.prefix(length * 4) {
            clean.unicodeScalars.append(isControl(scalar) ? " " : scalar)
        }
        return clean.count > length ? clean.prefix(length) + "…" : clean
    }

    /// Whether a text holds a control character other than, where they are allowed, line ends.
    static func hasControls(_ text: String, allowsLineEnds: Bool) -> Bool {
        text.unicodeScalars.contains { isControl($0) && !(allowsLineEnds && $0 == "\n") }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Controls, line separators, and the marks that turn the rest of a line around.
        case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
