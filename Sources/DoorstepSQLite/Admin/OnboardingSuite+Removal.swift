internal import CSQLite
package import Doorstep
internal import Glibc
internal import Synchronization

/// What is erased of a suite.
package enum SuiteErasure: Sendable, Hashable {
    /// The inputs of one app.
    case inputs(app: String, prefix: String)
    /// The records, inputs and history of one app.
    case app(String, prefix: String)
    /// The records, inputs and history of every app.
    case everything

    var kind: String {
        switch self {
        case .inputs: "inputs"
        case .app: "app"
        case .everything: "everything"
        }
    }

    var place: (app: String?, prefix: String?) {
        switch self {
        case .inputs(let app, let prefix), .app(let app, let prefix): (app, prefix)
        case .everything: (nil, nil)
        }
    }

    /// Which rows go, in SQL with the values of ``values``.
    fileprivate var filter: String { place.prefix == nil ? "" : " WHERE prefix = ?1" }
    fileprivate var values: [SQLValue] { place.prefix.map { [.text($0)] } ?? [] }
}

/// One pruning or erasure, as the suite keeps it for ever: the fact, without the values.
package struct SuiteRemoval: Sendable, Hashable {
    /// When it was made.
    package var at: OnboardingInstant
    /// `prune`, `inputs`, `app` or `everything`.
    package var kind: String
    /// The app concerned, or nil for all.
    package var app: String?
    /// How many records, inputs and events went.
    package var records: Int
    package var inputs: Int
    package var events: Int
    /// Who made it.
    package var uid: UInt32
    package var program: String
}

/// Whether what was erased is gone from the suite's file and its log as well.
package enum SuiteScrubbing: Sendable, Hashable {
    /// No byte of it is left there.
    case done
    /// A process that reads keeps the log from being emptied.
    case logHeld
    /// The file couldn't be rewritten.
    case failed(OnboardingStorageError)
}

extension OnboardingSuite {
    /// Erases in one transaction, then rewrites the file and empties the log, so that no erased value is left in them.
    ///
    /// - Returns: What went, and whether the file and its log hold nothing of it any more; nil where there is no suite.
    /// - Throws: ``OnboardingStorageError``; then nothing has changed.
    package func erase(
        _ erasure: SuiteErasure
    ) throws(OnboardingStorageError) -> (removal: SuiteRemoval, scrubbing: SuiteScrubbing)? {
        let removal = try write("erase", creates: false) { (connection) throws(OnboardingStorageError) in
            try Self.erase(erasure, connection)
        }
        guard let removal else { return nil }
        return (removal, scrub())
    }

    /// Counts what an erasure would remove, and changes nothing; nil where there is no suite.
    ///
    /// - Throws: ``OnboardingStorageError``.
    package func erasable(_ erasure: SuiteErasure) throws(OnboardingStorageError) -> SuiteRemoval? {
        try read("count what would be erased") { (connection) throws(OnboardingStorageError) in
            try connection.atOneMoment { () throws(OnboardingStorageError) in
                try Self.removal(of: Self.tables(erasure, connection), by: erasure, connection)
            }
        }
    }

    /// Removes the events up to the first one that isn't older than a moment, and keeps that fact.
    ///
    /// The clock can go backwards, so an event that is older but came later stays.
    ///
    /// - Returns: What went; nil where there is no suite.
    /// - Throws: ``OnboardingStorageError``; then nothing has changed.
    package func pruneHistory(before moment: OnboardingInstant) throws(OnboardingStorageError) -> SuiteRemoval? {
        let removal = try write("prune the history", creates: false) {
            (connection) throws(OnboardingStorageError) -> SuiteRemoval in
            let first = try Self.number(
                "SELECT min(sequence) FROM history WHERE at >= ?1", [.integer(moment.milliseconds)], connection)
            let last = try Self.number(
                "SELECT max(sequence) FROM history" + (first == nil ? "" : " WHERE sequence < ?1"),
                first.map { [.integer($0)] } ?? [], connection)
            guard let upTo = last else { return Self.removal(kind: "prune", app: nil, events: 0) }
            let events = try Self.number(
                "SELECT count(*) FROM history WHERE sequence <= ?1", [.integer(upTo)], connection)
            let removal = Self.removal(kind: "prune", app: nil, events: events ?? 0)
            try Self.keep(removal, prefix: nil, upTo: upTo, connection)
            try connection.execute(
                "DELETE FROM history WHERE sequence <= ?1", [.integer(upTo)], "prune the history")
            return removal
        }
        if let removal, removal.events > 0 { _ = scrub() }
        return removal
    }

    /// Every pruning and erasure, newest first; nil where there is no suite.
    ///
    /// - Throws: ``OnboardingStorageError``.
    package func removals() throws(OnboardingStorageError) -> [SuiteRemoval]? {
        try read("read the removals") { (connection) throws(OnboardingStorageError) in
            var removals: [SuiteRemoval] = []
            // A suite that nothing newer has written to yet has no such table, and none were made.
            guard try connection.hasTable("removals") else { return removals }
            try connection.query(
                "SELECT at, kind, app, records, inputs, events, uid, program FROM removals ORDER BY number DESC", [],
                "read the removals"
            ) { (row) throws(OnboardingStorageError) in
                removals.append(
                    SuiteRemoval(
                        at: OnboardingInstant(milliseconds: row.integer(0)), kind: row.text(1),
                        app: row.optionalText(2), records: Int(row.integer(3)), inputs: Int(row.integer(4)),
                        events: Int(row.integer(5)), uid: UInt32(truncatingIfNeeded: row.integer(6)),
                        program: row.text(7)))
            }
            return removals
        }
    }

    private static func erase(
        _ erasure: SuiteErasure, _ connection: Connection
    ) throws(OnboardingStorageError) -> SuiteRemoval {
        let tables = try tables(erasure, connection)
        let removal = try removal(of: tables, by: erasure, connection)
        let last = tables.count > 1 ? try number("SELECT max(sequence) FROM history", [], connection) ?? 0 : 0
        try keep(removal, prefix: erasure.place.prefix, upTo: last, connection)
        for table in tables {
            try connection.execute("DELETE FROM \(table)\(erasure.filter)", erasure.values, "erase")
        }
        return removal
    }

    /// The tables that an erasure removes rows of.
    private static func tables(
        _ erasure: SuiteErasure, _ connection: Connection
    ) throws(OnboardingStorageError) -> [String] {
        if case .inputs = erasure { return ["inputs"] }
        // Newer tables keep facts of showings; they are erased where they exist.
        return ["inputs", "records", "history"] + (try connection.hasTable("page_events") ? ["page_events"] : [])
    }

    private static func removal(
        of tables: [String], by erasure: SuiteErasure, _ connection: Connection
    ) throws(OnboardingStorageError) -> SuiteRemoval {
        var counts: [String: Int64] = [:]
        for table in tables {
            counts[table] = try number("SELECT count(*) FROM \(table)\(erasure.filter)", erasure.values, connection)
        }
        var removal = removal(kind: erasure.kind, app: erasure.place.app, events: counts["history"] ?? 0)
        removal.records = Int(counts["records"] ?? 0)
        removal.inputs = Int(counts["inputs"] ?? 0)
        return removal
    }

    private static func removal(kind: String, app: String?, events: Int64) -> SuiteRemoval {
        SuiteRemoval(
            at: .now, kind: kind, app: app, records: 0, inputs: 0, events: Int(events), uid: geteuid(),
            program: RecordWriter.program)
    }

    private static func keep(
        _ removal: SuiteRemoval, prefix: String?, upTo: Int64, _ connection: Connection
    ) throws(OnboardingStorageError) {
        try connection.execute(
            """
            INSERT INTO removals (at, kind, prefix, app, up_to, records, inputs, events, uid, program)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """,
            [
                .integer(removal.at.milliseconds), .text(removal.kind), SQLValue(prefix), SQLValue(removal.app),
                // No event of ours is numbered below 1, but a suite may hold anything.
                .integer(max(0, upTo)), .integer(Int64(removal.records)), .integer(Int64(removal.inputs)),
                .integer(Int64(removal.events)), .integer(Int64(removal.uid)), .text(removal.program),
            ], "keep the removal")
    }

    static func number(
        _ sql: String, _ values: [SQLValue], _ connection: Connection
    ) throws(OnboardingStorageError) -> Int64? {
        var found: Int64?
        try connection.query(sql, values, "count") { (row) throws(OnboardingStorageError) in
            if !row.isNull(0) { found = row.integer(0) }
        }
        return found
    }

    /// Rewrites the file without free pages and empties its log.
    ///
    /// `secure_delete` overwrites what is deleted, but not what balancing a tree has left behind on a page.
    private func scrub() -> SuiteScrubbing {
        state.withLock { state in
            guard let connection = state.opened?.connection else { return .logHeld }
            var failure: OnboardingStorageError?
            do throws(OnboardingStorageError) {
                try connection.run("VACUUM", "rewrite the file")
            } catch {
                failure = error
            }
            let isEmpty = connection.emptyLog(waitMilliseconds: self.busyMilliseconds)
            if let failure, failure.code != .busy { return .failed(failure) }
            return isEmpty && failure == nil ? .done : .logHeld
        }
    }
}

extension Connection {
    /// Whether a table is there: reads have to understand suites that nothing newer has written to yet.
    func hasTable(_ name: String) throws(OnboardingStorageError) -> Bool {
        var found = false
        try query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1", [.text(name)], "look at its tables")
        {
            (_) throws(OnboardingStorageError) in
            found = true
        }
        return found
    }
}
