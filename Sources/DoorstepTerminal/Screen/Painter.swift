/// Draws text into a screen for one direction of reading: columns count from the side where reading begins.
struct Painter {
    private(set) var buffer: CellBuffer
    let isRightToLeft: Bool
    let glyphs: Glyphs

    init(columns: Int, rows: Int, style: CellStyle, isRightToLeft: Bool, glyphs: Glyphs) {
        buffer = CellBuffer(columns: columns, rows: rows, style: style)
        self.isRightToLeft = isRightToLeft
        self.glyphs = glyphs
    }

    /// The cell on the screen for a cell counted from the reader's side.
    func column(_ column: Int, width: Int = 1) -> Int {
        isRightToLeft ? buffer.columns - column - width : column
    }

    /// Draws one line of text; what is wider than `width` is cut with a mark.
    ///
    /// - Parameter base: The direction of the text, where it isn't the reader's.
    mutating func put(
        _ text: String, at start: Int, _ row: Int, _ style: CellStyle, width: Int = .max, base: Bool? = nil
    ) {
        let fitted = clipped(text, to: min(width, buffer.columns - start))
        let total = CellWidth.of(fitted)
        var place = column(start, width: total)
        for placed in VisualOrder.of(fitted, isRightToLeft: base ?? isRightToLeft) {
            let cells = CellWidth.of(placed.character)
            buffer.put(glyphs.drawn(placed.character), width: cells, at: place, row, style)
            place += cells
        }
    }

    /// Draws one sign, which has no direction.
    mutating func sign(_ character: Character, at start: Int, _ row: Int, _ style: CellStyle) {
        buffer.put(character, width: 1, at: column(start), row, style)
    }

    mutating func fill(_ columns: Range<Int>, row: Int, _ style: CellStyle) {
        let start = column(columns.lowerBound, width: columns.count)
        buffer.fill(start..<start + columns.count, row: row, style)
    }

    /// The text as far as it fits, with a mark where it doesn't.
    private func clipped(_ text: String, to width: Int) -> String {
        if text.utf8.count <= width || CellWidth.of(text) <= width { return text }
        var kept = ""
        var room = width - 1
        for character in text {
            let cells = CellWidth.of(character)
            if cells > room { break }
            kept.append(character)
            room -= cells
        }
        return width > 0 ? kept + String(glyphs.cut) : ""
    }
}
