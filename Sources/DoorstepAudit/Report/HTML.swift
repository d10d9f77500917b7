/// HTML that is put together from texts which stay texts.
struct HTML {
    private(set) var text = ""

    /// Adds markup of ours as it is.
    mutating func raw(_ markup: String) { text += markup }

    /// Adds an element with a text.
    mutating func element(_ name: String, _ attributes: String = "", _ contents: String) {
        text += "<\(name)\(attributes.isEmpty ? "" : " " + attributes)>\(Self.escaped(contents))</\(name)>"
    }

    /// Adds a text that was written by others: its direction stays its own.
    mutating func foreign(_ name: String, _ attributes: String = "", _ contents: String) {
        text += "<\(name)\(attributes.isEmpty ? "" : " " + attributes)><bdi>\(Self.escaped(contents))</bdi></\(name)>"
    }

    /// A text for contents and quoted attributes. What no document may hold is shown by a sign for it.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\n", "\t": escaped += " "
            case _ where scalar.properties.generalCategory == .control: escaped += "\u{FFFD}"
            // Marks that turn the direction of what follows could make one text look like another.
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
