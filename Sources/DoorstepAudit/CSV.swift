/// Comma-separated values as RFC 4180 has them, with one addition that loses nothing: an absent value is empty, and an
/// empty text is `""`.
public enum CSV {
    /// One line of values, with its end.
    public static func line(_ values: [String?]) -> String {
        values.map { value in
            guard let value else { return "" }
            let isPlain = !value.isEmpty && !value.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
            if isPlain { return value }
            // By scalars: a quote under a mark is another character, but a quote to whoever reads it.
            let parts = value.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
            return "\"" + parts.map { String($0) }.joined(separator: "\"\"") + "\""
        }.joined(separator: ",") + "\n"
    }

    /// The most values of a row that are kept: more than any row that is read here has.
    static let widest = 64

    /// A row with the number of the line that it begins on; nil is an absent value.
    struct Row {
        var line: Int
        /// The values, of many only the first ``CSV/widest``.
        var values: [String?] = []
        /// How many values there are.
        var count = 0

        mutating func append(_ value: String?) {
            if count < CSV.widest { values.append(value) }
            count += 1
        }
    }

    /// Hands over one row after the other, until the closure answers that it wants no more.
    ///
    /// - Returns: The line of a quote that doesn't end or stands where none may, or of a value that is too long.
    static func forEachRow(
        of source: inout ImportSource, _ take: (Row) throws(SuiteImport.Failure) -> Bool
    ) throws(SuiteImport.Failure) -> Int? {
        var row = Row(line: 1)
        var line = 1
        while let first = try source.peek() {
            var text: [UInt8] = []
            if first == 0x22 {
                _ = try source.next()
                while true {
                    guard let byte = try source.next(), text.count < ImportSource.longestLine else { return row.line }
                    if byte == 0x22 {
                        guard try source.peek() == 0x22 else { break }
                        _ = try source.next()
                    }
                    if byte == 0x0A { line += 1 }
                    text.append(byte)
                }
                let follows = try source.peek()
                guard follows == 0x2C || isEnd(follows) else { return line }
                row.append(String(decoding: text, as: UTF8.self))
            } else {
                while let byte = try source.peek(), byte != 0x2C, !isEnd(byte) {
                    if byte == 0x22 || text.count >= ImportSource.longestLine { return line }
                    text.append(byte)
                    _ = try source.next()
                }
                row.append(text.isEmpty ? nil : String(decoding: text, as: UTF8.self))
            }
            if try source.peek() == 0x2C {
                _ = try source.next()
                if try !isEnd(source.peek()) { continue }
                row.append(nil)
            }
            if try source.peek() == 0x0D { _ = try source.next() }
            if try source.peek() == 0x0A { _ = try source.next() }
            if try !take(row) { return nil }
            line += 1
            row = Row(line: line)
        }
        return nil
    }

    private static func isEnd(_ byte: UInt8?) -> Bool {
        byte == nil || byte == 0x0A || byte == 0x0D
    }
}
