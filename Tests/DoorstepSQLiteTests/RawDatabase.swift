import CSQLite
import Testing

/// A connection of plain SQLite beside the suite's own, to look at the file and to get in its way.
final class RawDatabase {
    private var handle: OpaquePointer?

    init(_ path: String) throws {
        try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs statements; the result code.
    @discardableResult func run(_ sql: String) -> Int32 {
        sqlite3_exec(handle, sql, nil, nil, nil)
    }

    /// The rows that a statement answers, each with its columns joined by bars, as the `sqlite3` shell shows them.
    func rows(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        try #require(
            sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK,
            "\(String(cString: sqlite3_errmsg(handle)))")
        defer { sqlite3_finalize(statement) }
        var rows: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            let columns = (0..<sqlite3_column_count(statement)).map { column in
                sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
            }
            rows.append(columns.joined(separator: "|"))
        }
        return rows
    }
}
