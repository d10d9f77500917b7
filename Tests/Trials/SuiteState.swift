import CSQLite
import Glibc

/// What a suite holds as SQLite itself reads it, without what differs from run to run.
///
/// A suite that doesn't exist and one without answers are the same.
struct SuiteState: Hashable, CustomStringConvertible {
    /// The rows, one a line.
    private(set) var lines: [String] = []

    var description: String { lines.isEmpty ? "nothing" : lines.joined(separator: "; ") }

    /// The answers by prefix and step, `true` or `false`.
    private(set) var answers: [String: [String: Bool]] = [:]

    /// The rows of the history.
    private(set) var events = 0

    private static let queries = [
        "SELECT 'app', app, prefix, commit_mode FROM apps ORDER BY app",
        "SELECT 'step', app, position, step, revision FROM flow_steps ORDER BY app, position",
        "SELECT 'record', prefix, step, value, revision, origin FROM records ORDER BY prefix, step",
        "SELECT 'input', prefix, step, key, type, value FROM inputs ORDER BY prefix, step, key",
        "SELECT 'event', prefix, step, old, new, revision, origin FROM history ORDER BY sequence",
    ]
    private static let laterQueries = [
        "page_events": "SELECT 'page', prefix, step, event FROM page_events ORDER BY sequence",
        "removals": "SELECT 'removal', kind, app, records, inputs, events FROM removals ORDER BY number",
    ]
    /// The newest event of each step against its record; nothing may come of it.
    private static let disagreements = """
        SELECT h.prefix || h.step || ' has ' || ifnull(r.value, 'no record') || ' after ' || ifnull(h.new, 'a clearing')
        FROM history AS h LEFT JOIN records AS r ON r.prefix = h.prefix AND r.step = h.step
        WHERE h.sequence = (SELECT max(sequence) FROM history WHERE prefix = h.prefix AND step = h.step)
        AND h.new IS NOT r.value
        """
    private static let unexplained = """
        SELECT prefix || step || ' has no history' FROM records AS r WHERE NOT EXISTS (
        SELECT 1 FROM history WHERE prefix = r.prefix AND step = r.step)
        """

    /// Reads the suite, which must be sound: its pages, its references, and records that agree with the history.
    ///
    /// - Parameter isPruned: Whether records may be older than the history.
    init(of path: String, isPruned: Bool = false) throws(Finding) {
        if access(path, F_OK) != 0 { return }
        var handle: OpaquePointer?
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let handle else {
            throw Finding("\(path) can't be opened")
        }
        defer { sqlite3_close(handle) }
        sqlite3_busy_timeout(handle, 10_000)
        let integrity = try Self.rows("PRAGMA integrity_check", handle)
        if integrity != [["ok"]] { throw Finding("the suite is damaged: \(integrity)") }
        var checks = ["PRAGMA foreign_key_check", Self.disagreements]
        if !isPruned { checks.append(Self.unexplained) }
        for check in checks {
            let faults = try Self.rows(check, handle)
            if !faults.isEmpty { throw Finding("the suite contradicts itself: \(faults)") }
        }
        let tables = Set(try Self.rows("SELECT name FROM sqlite_schema WHERE type = 'table'", handle).map { $0[0] })
        let later = Self.laterQueries.filter { tables.contains($0.key) }.sorted { $0.key < $1.key }
        for query in Self.queries + later.map(\.value) {
            for row in try Self.rows(query, handle) {
                lines.append(row.joined(separator: " "))
                if row[0] == "record" { answers[row[1], default: [:]][row[2]] = row[3] == "1" }
                if row[0] == "event" { events += 1 }
            }
        }
    }

    private static func rows(_ sql: String, _ handle: OpaquePointer) throws(Finding) -> [[String]] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Finding("\(sql): \(String(cString: sqlite3_errmsg(handle)))")
        }
        var rows: [[String]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                rows.append(
                    (0..<sqlite3_column_count(statement)).map { column in
                        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
                    })
            case SQLITE_DONE: return rows
            default: throw Finding("\(sql): \(String(cString: sqlite3_errmsg(handle)))")
            }
        }
    }
}
