internal import CSQLite

/// A value bound to a statement.
enum SQLValue: Hashable {
    case null
    case integer(Int64)
    case text(String)

    init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }

    init(_ flag: Bool?) {
        self = flag.map { .integer($0 ? 1 : 0) } ?? .null
    }

    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let number): return sqlite3_bind_int64(statement, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                // Without an address SQLite binds NULL; empty text has to stay text.
                guard let start = bytes.baseAddress, let count = Int32(exactly: bytes.count) else {
                    return bytes.isEmpty ? doorstep_bind_text(statement, index, "", 0) : SQLITE_TOOBIG
                }
                return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    doorstep_bind_text(statement, index, $0, count)
                }
            }
        }
    }
}

/// The row that a statement stands on; valid only inside the call that hands it over.
struct Row {
    fileprivate let statement: OpaquePointer

    init(statement: OpaquePointer) {
        self.statement = statement
    }

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    func isInteger(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_INTEGER
    }

    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(statement, column)
    }

    func flag(_ column: Int32) -> Bool {
        integer(column) != 0
    }

    func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Whether the column holds exactly these bytes, without making a text of it.
    func isEqual(_ column: Int32, _ text: String) -> Bool {
        guard let start = sqlite3_column_text(statement, column) else { return false }
        let count = Int(sqlite3_column_bytes(statement, column))
        return text.utf8.elementsEqual(UnsafeBufferPointer(start: start, count: count))
    }

    func optionalText(_ column: Int32) -> String? {
        isNull(column) ? nil : text(column)
    }

    func optionalFlag(_ column: Int32) -> Bool? {
        isNull(column) ? nil : flag(column)
    }
}
