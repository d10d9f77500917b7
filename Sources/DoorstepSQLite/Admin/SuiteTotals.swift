package import Doorstep
internal import Glibc

/// The answers of one prefix, counted by SQLite.
package struct PrefixTotals: Sendable, Hashable {
    /// The prefix.
    package var prefix: String
    /// How many records it has.
    package var records: Int
    /// How many of them are `true`.
    package var granted: Int
    /// How many of them are `false`.
    package var declined: Int
    /// When the first and the last of them were recorded.
    package var first: OnboardingInstant
    package var last: OnboardingInstant

    /// Totals from their parts.
    package init(
        prefix: String, records: Int, granted: Int, declined: Int, first: OnboardingInstant, last: OnboardingInstant
    ) {
        self.prefix = prefix
        self.records = records
        self.granted = granted
        self.declined = declined
        self.first = first
        self.last = last
    }
}

/// A suite at one look: another mark after every change that another connection makes.
package struct SuiteChangeMark: Sendable, Hashable {
    fileprivate var device: UInt64
    fileprivate var inode: UInt64
    /// Another number after each commit of another connection.
    package fileprivate(set) var version: Int64
    /// The sequence of the last event, or 0 for none.
    package fileprivate(set) var last: Int64

    /// Whether both looks were at the same file: it is kept open in between, so that no other one comes by its inode.
    package func isOfSameFile(as other: SuiteChangeMark) -> Bool { device == other.device && inode == other.inode }
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
                        declined: Int(row.integer(3)), first: OnboardingInstant(milliseconds: row.integer(4)),
                        last: OnboardingInstant(milliseconds: row.integer(5))))
            }
            return totals
        }
    }

    /// What tells whether a suite has changed, and whether it still is the same file; nil where there is no suite.
    ///
    /// - Throws: ``OnboardingStorageError``.
    package func changeMark() throws(OnboardingStorageError) -> SuiteChangeMark? {
        try read("look for changes") { (connection) throws(OnboardingStorageError) in
            var facts = stat()
            let isThere = stat(path, &facts) == 0
            return SuiteChangeMark(
                device: isThere ? UInt64(facts.st_dev) : 0, inode: isThere ? UInt64(facts.st_ino) : 0,
                version: try connection.integer("PRAGMA data_version", "look for changes") ?? 0,
                last: try connection.integer("SELECT max(sequence) FROM history", "look for changes") ?? 0)
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
