import Testing

@testable import DoorstepTerminal

/// As much of a terminal as frames need: places, text, and renditions that are passed over.
struct FakeTerminal {
    private var buffer: CellBuffer
    private var column = 0
    private var row = 0

    init(columns: Int, rows: Int) {
        buffer = CellBuffer(columns: columns, rows: rows)
    }

    var lines: [String] { buffer.lines }

    mutating func take(_ bytes: some Sequence<UInt8>) {
        var text = Array(String(decoding: Array(bytes), as: UTF8.self))[...]
        while let character = text.popFirst() {
            guard character == "\u{1B}" else {
                let width = CellWidth.of(character)
                buffer.put(character, width: width, at: column, row, .plain)
                column += width
                continue
            }
            _ = text.popFirst()
            var parameters = ""
            while let next = text.popFirst() {
                if ("@"..."~").contains(next) {
                    act(next, parameters)
                    break
                }
                parameters.append(next)
            }
        }
    }

    private mutating func act(_ final: Character, _ parameters: String) {
        let numbers = parameters.split(separator: ";").compactMap { Int($0) }
        switch final {
        case "H": (row, column) = numbers.count == 2 ? (numbers[0] - 1, numbers[1] - 1) : (0, 0)
        case "J": buffer = CellBuffer(columns: buffer.columns, rows: buffer.rows)
        default: break
        }
    }
}
