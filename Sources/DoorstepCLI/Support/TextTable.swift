internal import Doorstep
internal import DoorstepTerminal

/// Rows of texts under headings, aligned by their true width.
///
/// Where the line is too short for them, wide columns share what there is, and what is cut bears a mark; where that
/// leaves too little to read, each row is shown as a list.
struct TextTable {
    private let headings: [String]
    private var rows: [[String]] = []

    /// The fewest cells that the first column, which tells the rows apart, and any other are cut to.
    private static let minimumFirst = 24
    private static let minimum = 12

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
        guard let widths = Self.widths(wanted, within: columns) else { return list(columns: columns) }
        let cut = all.map { row in
            row.indices.map { Self.cut(row[$0], to: widths[$0], atStart: $0 == 0 || row[$0].isAbsolutePath) }
        }
        return lines(cut, widths: widths)
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

    /// The columns' widths on lines of so many cells: the first as wide as it wants if the others then still can be read,
    /// and those that are narrower than an even share keep what they want. Nil where no column could be read.
    static func widths(_ wanted: [Int], within columns: Int) -> [Int]? {
        let room = columns - 2 * max(0, wanted.count - 1)
        if wanted.reduce(0, +) <= room { return wanted }
        let others = wanted.dropFirst()
        let first = min(wanted[0], room - others.reduce(0) { $0 + min($1, minimum) })
        if first < min(wanted[0], minimumFirst) { return nil }
        var widths = wanted
        widths[0] = first
        var left = room - first
        // From the narrowest, so that what one doesn't need goes to the wider ones.
        let order = others.indices.sorted { wanted[$0] < wanted[$1] }
        for (place, column) in order.enumerated() {
            widths[column] = min(wanted[column], left / (order.count - place))
            left -= widths[column]
        }
        return widths
    }

    /// A text in so many cells. Names and paths of one family begin alike, so they are cut at their start.
    private static func cut(_ text: String, to width: Int, atStart: Bool) -> String {
        if CellWidth.of(text) <= width { return text }
        var kept: [Character] = []
        var room = width - 1
        for character in atStart ? Array(text.reversed()) : Array(text) {
            room -= CellWidth.of(character)
            if room < 0 { break }
            kept.append(character)
        }
        return atStart ? "…" + String(kept.reversed()) : String(kept) + "…"
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
