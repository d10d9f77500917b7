/// Turns screens into what a terminal must be sent, and nothing more than what changed.
///
/// Widths are never trusted: after a character that terminals disagree about, the cursor is put in its place again.
struct FrameWriter {
    let depth: ColourDepth
    private var shown: CellBuffer?
    private var cursor: ScreenPoint?

    init(depth: ColourDepth) {
        self.depth = depth
    }

    /// Forgets what the terminal shows, so that the next frame is drawn whole.
    mutating func forget() {
        shown = nil
        cursor = nil
    }

    /// The bytes that turn what is shown into a frame; empty for one that is shown already.
    mutating func bytes(for frame: CellBuffer, cursor wanted: ScreenPoint?) -> [UInt8] {
        var output = ""
        var pen = Pen(depth: depth)
        let isWhole = shown?.columns != frame.columns || shown?.rows != frame.rows
        for row in 0..<frame.rows {
            var column = 0
            while column < frame.columns {
                let cell = frame[column, row]
                let width = column + 1 < frame.columns && frame[column + 1, row].text.isEmpty ? 2 : 1
                if !isWhole, let shown, isSame(shown, frame, column, row, width) {
                    column += width
                    continue
                }
                output += pen.draw(cell, at: ScreenPoint(column: column, row: row), width: width)
                column += width
            }
        }
        defer {
            shown = frame
            cursor = wanted
        }
        if output.isEmpty && wanted == cursor && !isWhole { return [] }
        let place = wanted.map { "\u{1B}[\($0.row + 1);\($0.column + 1)H\u{1B}[?25h" } ?? ""
        if output.isEmpty { return Array((wanted == nil ? "\u{1B}[?25l" : place).utf8) }
        // Between these a terminal that knows them (mode 2026) shows nothing half drawn.
        return Array("\u{1B}[?2026h\u{1B}[?25l\(output)\u{1B}[0m\(place)\u{1B}[?2026l".utf8)
    }

    private func isSame(_ old: CellBuffer, _ new: CellBuffer, _ column: Int, _ row: Int, _ width: Int) -> Bool {
        old[column, row] == new[column, row] && (width == 1 || old[column + 1, row] == new[column + 1, row])
    }
}

/// A cell's place, from 0.
struct ScreenPoint: Sendable, Hashable {
    var column: Int
    var row: Int
}

/// What the terminal's cursor and rendition are while a frame is written.
private struct Pen {
    let depth: ColourDepth
    private var place: ScreenPoint?
    private var style: CellStyle?

    init(depth: ColourDepth) {
        self.depth = depth
    }

    mutating func draw(_ cell: Cell, at point: ScreenPoint, width: Int) -> String {
        var output = ""
        if place != point { output += "\u{1B}[\(point.row + 1);\(point.column + 1)H" }
        if style != cell.style {
            output += "\u{1B}[\(parameters(of: cell.style))m"
            style = cell.style
        }
        output += cell.text
        let isCertain = cell.text.utf8.count == 1 || (cell.text.unicodeScalars.count == 1 && width == 1)
        place = isCertain ? ScreenPoint(column: point.column + 1, row: point.row) : nil
        return output
    }

    private func parameters(of style: CellStyle) -> String {
        var parts = ["0"]
        if style.isBold { parts.append("1") }
        if style.isUnderlined { parts.append("4") }
        if style.isReversed { parts.append("7") }
        if depth != .none {
            if let front = style.front { parts.append(depth.parameters(for: front, isBackground: false)) }
            if let back = style.back { parts.append(depth.parameters(for: back, isBackground: true)) }
        }
        return parts.joined(separator: ";")
    }
}
