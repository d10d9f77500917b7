internal import DoorstepTerminal

/// Rows of texts under headings, aligned by their true width.
///
/// Where the line is too short for them, the columns that carry sentences go on below themselves. Nothing is cut: where
/// names and sentences don't stand beside each other, each row is shown as a list.
struct TextTable {
    private let headings: [String]
    private var rows: [[String]] = []

    /// A column of this width or less is no sentence, and stays whole.
    private static let widestWhole = 20

    init(_ headings: String...) {
        self.headings = headings
    }

    /// Adds a row; what can't be printed in its cells is dropped.
    mutating func add(_ cells: String...) { add(cells) }

    /// Adds a row; what can't be printed in its cells is dropped.
    mutating func add(_ cells: [String]) {
        rows.append(cells.map(PrintableText.singleLine))
    }

    /// A text on one line, without what can't be printed.
    static func singleLine(_ text: String) -> String { PrintableText.singleLine(text) }

    /// The table for lines of so many cells, or as wide as it wants to be; columns without a cell are left out.
    func text(columns: Int?) -> String {
        let shown = headings.indices.filter { column in rows.contains { !$0[column].isEmpty } }
        let all = ([headings] + rows).map { row in shown.map { row[$0] } }
        let wanted = shown.indices.map { column in all.map { CellWidth.of($0[column]) }.max() ?? 0 }
        guard let columns else { return lines(all, widths: wanted) }
        let least = shown.indices.map { column in
            min(wanted[column], max(Self.widestWhole, all.map { Self.longestWord($0[column]) }.max() ?? 0))
        }
        guard let widths = Self.widths(wanted, least: least, within: columns) else {
            return list(shown, columns: columns)
        }
        return lines(all.flatMap { Self.wrapped($0, widths) }, widths: widths)
    }

    private static func longestWord(_ text: String) -> Int {
        text.split(separator: " ").map { CellWidth.of(String($0)) }.max() ?? 0
    }

    /// A row as the rows that it takes when each cell goes on below itself.
    private static func wrapped(_ row: [String], _ widths: [Int]) -> [[String]] {
        let cells = zip(row, widths).map { text, width in
            CellWidth.of(text) <= width ? [text] : LineWrapper(columns: width).lines(of: text)
        }
        return (0..<(cells.map(\.count).max() ?? 0)).map { line in
            cells.map { $0.indices.contains(line) ? $0[line] : "" }
        }
    }

    private func lines(_ rows: [[String]], widths: [Int]) -> String {
        rows.map { row in
            var line = ""
            var padding = 0
            for (cell, width) in zip(row, widths) {
                // Written only before a cell, so that no line ends in spaces.
                if !cell.isEmpty { line += String(repeating: " ", count: padding) + cell }
                padding = (cell.isEmpty ? padding : 0) + width - CellWidth.of(cell) + 2
            }
            return line + "\n"
        }.joined()
    }

    /// The columns' widths on lines of so many cells, or nil where not even the least ones fit. What is left above those is
    /// shared evenly among the columns that want more.
    static func widths(_ wanted: [Int], least: [Int], within columns: Int) -> [Int]? {
        var left = columns - 2 * max(0, wanted.count - 1) - least.reduce(0, +)
        guard left >= 0 else { return nil }
        var widths = least
        let order = wanted.indices.sorted { wanted[$0] - least[$0] < wanted[$1] - least[$1] }
        // From the one that wants least, so that what one doesn't need goes to the others.
        for (place, column) in order.enumerated() {
            let more = min(left / (order.count - place), wanted[column] - least[column])
            widths[column] += more
            left -= more
        }
        return widths
    }

    /// Each row as its cells under one another, the first one shown as its heading.
    private func list(_ shown: [Int], columns: Int) -> String {
        let wrapper = LineWrapper(columns: columns)
        var lines: [String] = []
        for row in rows {
            for (place, column) in shown.enumerated() where place == 0 || !row[column].isEmpty {
                lines +=
                    place == 0
                    ? wrapper.lines(of: row[column], rest: "  ")
                    : wrapper.lines(
                        of: "\(headings[column].lowercased()): \(row[column])", first: "  ", rest: "    ")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
