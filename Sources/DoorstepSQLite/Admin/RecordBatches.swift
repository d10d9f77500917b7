internal import Doorstep

/// Writes an import's records and the history of them inside an open transaction, many by one statement: SQLite takes
/// about as long to begin and end one as to write a row.
struct RecordBatches {
    /// How many rows a statement writes.
    private static let size = 32

    let suite: Connection
    /// What each prefix's app is called in the history.
    let apps: [String: String]
    private var records: [[SQLValue]] = []
    private var events: [[SQLValue]] = []
    private let at = OnboardingInstant.now

    init(suite: Connection, apps: [String: String]) {
        self.suite = suite
        self.apps = apps
    }

    /// Writes a record soon, with a history row unless the import brings the one that explains it.
    mutating func write(_ change: SuiteDifference.Change, isExplained: Bool) throws(OnboardingStorageError) {
        let (stored, record) = (change.new, change.new.record)
        records.append([
            .text(stored.prefix), .text(stored.step.rawValue), SQLValue(record.value),
            .integer(Int64(record.revision)), .text(record.origin.rawValue), .integer(record.at.milliseconds),
            SQLValue(record.evidence),
        ])
        if records.count == Self.size { try Self.put(&records, with: Self.manyRecords, into: suite) }
        if isExplained { return }
        try add(
            OnboardingEvent(
                sequence: 0, at: at, prefix: stored.prefix,
                app: apps[stored.prefix] ?? String(stored.prefix.dropLast()), step: stored.step,
                old: change.old?.value, new: record.value, revision: record.revision, origin: .import,
                evidence: record.evidence, uid: RecordWriter.user, program: RecordWriter.program))
    }

    /// Writes a history row soon that leads from an event to what the suite has of its step, be it a record or none.
    mutating func write(
        eventAfter last: OnboardingEvent, _ record: OnboardingRecord?
    ) throws(OnboardingStorageError) {
        try add(
            OnboardingEvent(
                sequence: 0, at: at, prefix: last.prefix, app: last.app, step: last.step, old: last.new,
                new: record?.value, revision: record?.revision ?? last.revision, origin: .import,
                evidence: record?.evidence, uid: RecordWriter.user, program: RecordWriter.program))
    }

    private mutating func add(_ event: OnboardingEvent) throws(OnboardingStorageError) {
        events.append(event.content)
        if events.count == Self.size { try Self.put(&events, with: Self.manyEvents, into: suite) }
    }

    /// Writes what is left.
    mutating func finish() throws(OnboardingStorageError) {
        for record in records {
            var one = [record]
            try Self.put(&one, with: Self.oneRecord, into: suite)
        }
        for event in events {
            var one = [event]
            try Self.put(&one, with: Self.oneEvent, into: suite)
        }
        records = []
        events = []
    }

    private static func put(
        _ rows: inout [[SQLValue]], with sql: String, into suite: Connection
    ) throws(OnboardingStorageError) {
        try suite.execute(sql, rows.flatMap { $0 }, "import the records")
        rows.removeAll(keepingCapacity: true)
    }

    private static let oneRecord = recordSQL(1)
    private static let manyRecords = recordSQL(size)
    private static let oneEvent = eventSQL(1)
    private static let manyEvents = eventSQL(size)

    private static func recordSQL(_ count: Int) -> String {
        """
        INSERT INTO records (prefix, step, value, revision, origin, at, evidence) VALUES \(places(count, of: 7))
        ON CONFLICT (prefix, step) DO UPDATE SET value = excluded.value, revision = excluded.revision,
        origin = excluded.origin, at = excluded.at, evidence = excluded.evidence
        """
    }

    private static func eventSQL(_ count: Int) -> String {
        """
        INSERT INTO history (at, prefix, app, step, old, new, revision, origin, evidence, uid, program)
        VALUES \(places(count, of: 11))
        """
    }

    private static func places(_ rows: Int, of columns: Int) -> String {
        let row = "(" + String(repeating: "?, ", count: columns - 1) + "?)"
        return Array(repeating: row, count: rows).joined(separator: ", ")
    }
}
