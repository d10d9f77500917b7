internal import DoorstepTerminal

/// Rows of texts under headings, aligned by their true width; a row that doesn't fit the line is shown as a list.
struct TextTable {
    private let headings: [String]
    private var rows: [[String]] = []

    init(_ headings: String...) {
        self.headings = headings
    }

    /// Adds a row; what can't be printed in its cells is dropped.
    mutating func add(_ cells: String...) {
        rows.append(cells.map(PrintableText.singleLine))
    }

    /// A text on one line, without what can't be printed.
    static func singleLine(_ text: String) -> String { PrintableText.singleLine(text) }

    /// The table for lines of so many cells, or as wide as it wants to be; columns without a cell are left out.
    func text(columns: Int?) -> String {
        let shown = headings.indices.filter { column in rows.contains { !$0[column].isEmpty } }
        let all = ([headings] + rows).map { row in shown.map { row[$0] } }
        let widths = shown.indices.map { column in all.map { CellWidth.of($0[column]) }.max() ?? 0 }
        let total = widths.reduce(0, +) + 2 * max(0, shown.count - 1)
        if let columns, total > columns { return list(columns: columns) }
        return all.map { row in
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

    /// Each row as its cells under one another, the first as its heading.
    private func list(columns: Int) -> String {
        let wrapper = LineWrapper(columns: columns)
        var lines: [String] = []
        for row in rows {
            lines += wrapper.lines(of: row[0], rest: "  ")
            for (heading, cell) in zip(headings, row).dropFirst() where !cell.isEmpty {
                lines += wrapper.lines(of: "\(heading.lowercased()): \(cell)", first: "  ", rest: "    ")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
