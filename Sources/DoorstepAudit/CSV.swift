/// Comma-separated values as RFC 4180 has them, with one addition that loses nothing: an absent value is empty, and an
/// empty text is `""`.
public enum CSV {
    /// One line of values, with its end.
    public static func line(_ values: [String?]) -> String {
        values.map { value in
            guard let value else { return "" }
            let isPlain = !value.isEmpty && !value.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
            return isPlain
                ? value
                : "\"" + value.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        }.joined(separator: ",") + "\n"
    }

    /// The rows of a text, each with the number of the line that it begins on; nil in a row is an absent value.
    ///
    /// - Returns: The rows, or the line of a quote that doesn't end or stands where none may.
    static func rows(_ bytes: [UInt8]) -> (rows: [(line: Int, values: [String?])], fault: Int?) {
        var rows: [(line: Int, values: [String?])] = []
        var values: [String?] = []
        var index = 0
        var line = 1
        var start = 1
        func end(_ index: Int) -> Bool { index >= bytes.count || bytes[index] == 0x0A || bytes[index] == 0x0D }
        while index < bytes.count {
            var value: String?
            if bytes[index] == 0x22 {
                var text: [UInt8] = []
                index += 1
                while true {
                    guard index < bytes.count else { return (rows, start) }
                    if bytes[index] == 0x22 {
                        guard index + 1 < bytes.count, bytes[index + 1] == 0x22 else { break }
                        index += 1
                    }
                    if bytes[index] == 0x0A { line += 1 }
                    text.append(bytes[index])
                    index += 1
                }
                index += 1
                guard end(index) || bytes[index] == 0x2C else { return (rows, line) }
                value = String(decoding: text, as: UTF8.self)
            } else {
                let first = index
                while !end(index), bytes[index] != 0x2C {
                    if bytes[index] == 0x22 { return (rows, line) }
                    index += 1
                }
                value = first == index ? nil : String(decoding: bytes[first..<index], as: UTF8.self)
            }
            values.append(value)
            if index < bytes.count, bytes[index] == 0x2C {
                index += 1
                if end(index) { values.append(nil) } else { continue }
            }
            if index < bytes.count, bytes[index] == 0x0D { index += 1 }
            if index < bytes.count, bytes[index] == 0x0A { index += 1 }
            rows.append((start, values))
            values = []
            line += 1
            start = line
        }
        return (rows, nil)
    }
}
