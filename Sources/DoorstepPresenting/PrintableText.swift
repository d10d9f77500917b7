/// Text that is safe to send to a terminal, whatever an app's manifest or a user's keyboard put into it.
public enum PrintableText {
    /// The text without escape sequences, control characters and marks that reverse the order of what follows.
    ///
    /// A line end of any kind becomes a line feed and a tab a space. Whole escape sequences go, so nothing of a colour
    /// code stays behind; one that never ends loses its first two characters only. Isolates and direction marks stay:
    /// right-to-left text needs them. Bidirectional embeddings and overrides go: they can make a line read as something
    /// else.
    public static func cleaned(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            switch scalar.value {
            case 0x0D:
                if index + 1 == scalars.count || scalars[index + 1].value != 0x0A { result.append("\n") }
                index += 1
            case 0x0A, 0x0B, 0x0C, 0x85, 0x2028, 0x2029:
                result.append("\n")
                index += 1
            case 0x09:
                result.append(" ")
                index += 1
            case 0x1B, 0x90, 0x98, 0x9B, 0x9D...0x9F:
                index = end(ofSequenceAt: index, in: scalars)
            case 0x202A...0x202E:
                index += 1
            default:
                if scalar.properties.generalCategory != .control { result.append(scalar) }
                index += 1
            }
        }
        return String(result)
    }

    /// The text on one line: cleaned, with line ends as spaces.
    public static func singleLine(_ text: String) -> String {
        String(String.UnicodeScalarView(cleaned(text).unicodeScalars.map { $0 == "\n" ? " " : $0 }))
    }

    /// Where an escape sequence (ECMA-48) ends: the index after its last scalar.
    private static func end(ofSequenceAt start: Int, in scalars: [Unicode.Scalar]) -> Int {
        var index = start + 1
        var introducer = scalars[start].value
        if introducer == 0x1B {
            guard index < scalars.count, (0x20...0x7E).contains(scalars[index].value) else { return index }
            introducer = scalars[index].value + 0x40
            index += 1
        }
        switch introducer {
        case 0x9B:
            var last = index
            while last < scalars.count, (0x20...0x3F).contains(scalars[last].value) { last += 1 }
            return last < scalars.count && (0x40...0x7E).contains(scalars[last].value) ? last + 1 : index
        case 0x90, 0x98, 0x9D, 0x9E, 0x9F:
            for last in index..<max(index, scalars.count) {
                if scalars[last].value == 0x07 || scalars[last].value == 0x9C { return last + 1 }
                let next = last + 1 < scalars.count ? scalars[last + 1] : " "
                if scalars[last].value == 0x1B, next == "\\" { return last + 2 }
            }
            return index
        case 0x60...0x6F:
            // An intermediate (ESC SP to ESC /) is followed by one more character, as in "ESC ( B".
            return min(index + 1, scalars.count)
        default:
            return index
        }
    }
}
