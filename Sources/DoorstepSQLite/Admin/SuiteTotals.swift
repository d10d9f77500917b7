package import Doorstep

/// The answers of one prefix, counted by SQLite.
package struct PrefixTotals: Sendable, Hashable {
    /// The prefix.
    package var prefix: String
    /// How many records it has.
    package var records: Int
    /// How many of them are `true`.
    package var granted: Int
    /// When the first and the last of them were recorded.
    package var first: OnboardingInstant
    package var last: OnboardingInstant
}

extension OnboardingSuite {
    /// Counts the answers by prefix, without reading them one by one; nil where there is no suite.
    ///
    /// - Throws: ``OnboardingStorageError``.
    package func totals() throws(OnboardingStorageError) -> [PrefixTotals]? {
        try read("count the records") { (connection) throws(OnboardingStorageError) in
            var totals: [PrefixTotals] = []
            try connection.query(AuditSQL.totals, [], "count the records") { (row) throws(OnboardingStorageError) in
                totals.append(
                    PrefixTotals(
                        prefix: row.text(0), records: Int(row.integer(1)), granted: Int(row.integer(2)),
                        first: OnboardingInstant(milliseconds: row.integer(3)),
                        last: OnboardingInstant(milliseconds: row.integer(4))))
            }
            return totals
        }
    }

    /// The number that changes with every change that another connection makes, and the last event's sequence.
    ///
    /// - Throws: ``OnboardingStorageError``.
    package func changeMark() throws(OnboardingStorageError) -> (version: Int64, last: Int64)? {
        try read("look for changes") { (connection) throws(OnboardingStorageError) in
            let version = try connection.integer("PRAGMA data_version", "look for changes") ?? 0
            return (version, try connection.integer("SELECT max(sequence) FROM history", "look for changes") ?? 0)
        }
    }

    /// The changes after a sequence, oldest first, at most so many.
    ///
    /// - Throws: ``OnboardingStorageError``.
    package func events(after sequence: Int64, limit: Int64 = -1) throws(OnboardingStorageError) -> [OnboardingEvent] {
        try read("read the history") { (connection) throws(OnboardingStorageError) in
            try Self.events(
                connection, where: "sequence > ?1 ORDER BY sequence LIMIT ?2", [.integer(sequence), .integer(limit)])
        } ?? []
    }

    static func events(
        _ connection: Connection, where condition: String, _ values: [SQLValue] = []
    ) throws(OnboardingStorageError) -> [OnboardingEvent] {
        var events: [OnboardingEvent] = []
        try connection.query(
            """
            SELECT sequence, at, prefix, app, step, old, new, revision, origin, evidence, uid, program FROM history
            WHERE \(condition)
            """, values, "read the history"
        ) { (row) throws(OnboardingStorageError) in
            events.append(try row.event(connection))
        }
        return events
    }
}

extension Row {
    /// The event in the columns sequence, at, prefix, app, step, old, new, revision, origin, evidence, uid, program.
    func event(_ connection: Connection) throws(OnboardingStorageError) -> OnboardingEvent {
        OnboardingEvent(
            sequence: integer(0), at: OnboardingInstant(milliseconds: integer(1)), prefix: text(2), app: text(3),
            step: OnboardingStepID(text(4)), old: optionalFlag(5), new: optionalFlag(6), revision: Int(integer(7)),
            origin: try origin(8, connection), evidence: optionalText(9),
            uid: UInt32(truncatingIfNeeded: integer(10)), program: text(11))
    }
}
