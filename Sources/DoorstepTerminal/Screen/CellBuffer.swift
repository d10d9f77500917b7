/// One cell of a screen.
struct Cell: Sendable, Hashable {
    /// The character (grapheme cluster); empty behind a wide one.
    var text: String
    var style: CellStyle

    static let blank = Cell(text: " ", style: .plain)
}

/// A screen as data: rows of cells. A wide character fills its cell and empties the one behind it.
struct CellBuffer: Sendable, Hashable {
    let columns: Int
    let rows: Int
    private var cells: [Cell]

    init(columns: Int, rows: Int, style: CellStyle = .plain) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
        cells = Array(repeating: Cell(text: " ", style: style), count: self.columns * self.rows)
    }

    subscript(column: Int, row: Int) -> Cell {
        get { cells[row * columns + column] }
        set { cells[row * columns + column] = newValue }
    }

    /// Puts a character; one that the row has no room for, or that lies outside, is left out.
    mutating func put(_ character: Character, width: Int, at column: Int, _ row: Int, _ style: CellStyle) {
        guard row >= 0, row < rows, column >= 0, width > 0, column + width <= columns else { return }
        separate(column, row)
        if width > 1 { separate(column + 1, row) }
        self[column, row] = Cell(text: String(character), style: style)
        if width > 1 { self[column + 1, row] = Cell(text: "", style: style) }
    }

    mutating func fill(_ columns: Range<Int>, row: Int, _ style: CellStyle) {
        guard row >= 0, row < rows else { return }
        for column in columns.clamped(to: 0..<self.columns) { self[column, row] = Cell(text: " ", style: style) }
    }

    /// Takes away the wide character that a cell is part of.
    private mutating func separate(_ column: Int, _ row: Int) {
        if self[column, row].text.isEmpty, column > 0 { self[column - 1, row].text = " " }
        if column + 1 < columns, self[column + 1, row].text.isEmpty { self[column + 1, row].text = " " }
        if self[column, row].text.isEmpty { self[column, row].text = " " }
    }

    /// The rows as text, without the spaces at their ends.
    var lines: [String] {
        (0..<rows).map { row in
            var line = (0..<columns).map { self[$0, row].text }.joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// This screen while `next` slides over it: from the right by a share of the width, or from the left.
    func sliding(to next: CellBuffer, share: Double, fromRight: Bool) -> CellBuffer {
        guard next.columns == columns, next.rows == rows else { return next }
        let shift = min(columns, max(0, Int(Double(columns) * share)))
        var frame = next
        for row in 0..<rows {
            for column in 0..<columns {
                let source = fromRight ? column + shift : column - shift
                if fromRight {
                    frame[column, row] = source < columns ? self[source, row] : next[source - columns, row]
                } else {
                    frame[column, row] = source >= 0 ? self[source, row] : next[source + columns, row]
                }
            }
            frame.mendEdges(row)
        }
        return frame
    }

    /// Replaces halves of wide characters, which a slide may have cut, with spaces.
    private mutating func mendEdges(_ row: Int) {
        for column in 0..<columns {
            let text = self[column, row].text
            if text.isEmpty {
                let isBehindWide = column > 0 && CellWidth.of(self[column - 1, row].text) > 1
                if !isBehindWide { self[column, row].text = " " }
            } else if text.utf8.count > 1, CellWidth.of(text) > 1 {
                let hasRoom = column + 1 < columns && self[column + 1, row].text.isEmpty
                if !hasRoom { self[column, row].text = " " }
            }
        }
    }
}
