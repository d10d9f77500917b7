internal import CSQLite
package import Doorstep
internal import Glibc

/// What an import brings, already validated, kept in a file of its own: no import is too large for memory.
///
/// The file is beside the suite where that can be, is the caller's alone, and has no name; it is gone with this. Nothing in
/// the suite is locked while it is filled, however slowly the import comes.
public final class SuiteRestoration {
    /// Which record stays where the suite and the import both have one.
    public enum Keep: String, Sendable, CaseIterable {
        /// The suite's.
        case existing
        /// The import's.
        case imported
        /// The one that was recorded later; the suite's if both were at once.
        case newest
    }

    /// What each prefix's app is called in the history.
    package var apps: [String: String] = [:]
    /// Whether there are events.
    private(set) var hasEvents = false
    /// The file: nothing in it is ever committed.
    let scratch: Connection

    /// An import of nothing so far.
    package init(beside suite: OnboardingSuite) throws(OnboardingStorageError) {
        scratch = try Self.scratch(beside: suite.path)
        try scratch.run(Self.schema, Self.operation)
    }

    /// Adds whose a prefix is, of an app and a prefix that no other has; it stays with the suite where that says otherwise.
    package func add(_ owner: PrefixOwner) throws(OnboardingStorageError) {
        try scratch.execute(
            "INSERT INTO owners (app, prefix) VALUES (?1, ?2)", [.text(owner.app), .text(owner.prefix)], Self.operation)
    }

    /// The app of this import that has the name of another, or a prefix that overlaps its one; nil if there is none.
    package func rival(of owner: PrefixOwner) throws(OnboardingStorageError) -> String? {
        var rival: String?
        try scratch.query("SELECT app FROM owners WHERE app = ?1", [.text(owner.app)], Self.operation) {
            (row) throws(OnboardingStorageError) in
            rival = row.text(0)
        }
        if let rival { return rival }
        return try scratch.owners(in: "owners", overlapping: owner.prefix).first?.app
    }

    /// Hands over whose each prefix is, in the order in which that was added.
    package func forEachOwner(
        _ body: (PrefixOwner) throws(OnboardingStorageError) -> Void
    ) throws(OnboardingStorageError) {
        try scratch.query("SELECT app, prefix FROM owners ORDER BY rowid", [], Self.operation) {
            (row) throws(OnboardingStorageError) in
            try body(PrefixOwner(app: row.text(0), prefix: row.text(1)))
        }
    }

    /// Adds a record that stands on a line, of which there is only one.
    package func add(_ stored: StoredRecord, line: Int) throws(OnboardingStorageError) {
        let record = stored.record
        try scratch.execute(
            "INSERT INTO records VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            [
                .integer(Int64(line)), .text(stored.prefix), .text(stored.step.rawValue), SQLValue(record.value),
                .integer(Int64(record.revision)), .text(record.origin.rawValue), .integer(record.at.milliseconds),
                SQLValue(record.evidence),
            ], Self.operation)
    }

    /// Adds an input, and answers whether there was none of its key before.
    package func add(_ input: StoredInput) throws(OnboardingStorageError) -> Bool {
        let (type, value) = input.value.stored
        try scratch.execute(
            "INSERT OR IGNORE INTO inputs VALUES (?1, ?2, ?3, ?4, ?5)",
            [.text(input.prefix), .text(input.step.rawValue), .text(input.key), .text(type), value], Self.operation)
        return scratch.changedRows > 0
    }

    /// Adds an event that stands on a line, with the sequence that it had.
    package func add(_ event: OnboardingEvent, line: Int) throws(OnboardingStorageError) {
        hasEvents = true
        try scratch.execute(
            "INSERT INTO events VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, 0)",
            [.integer(Int64(line)), .integer(event.sequence)] + event.content, Self.operation)
    }

    /// Ends the adding, and answers which lines bring what an earlier one has: the first so many of either kind.
    package func finish(
        limit: Int
    ) throws(OnboardingStorageError) -> (records: [Int], events: [Int]) {
        let records = try repeats(in: "records", of: ["prefix", "step"], limit)
        let events = try repeats(in: "events", of: ["sequence"], limit)
        if hasEvents {
            // Of all that tells two events apart: a history may have many of one step and moment.
            try scratch.run(
                """
                CREATE INDEX events_by_content ON events
                (prefix, step, at, evidence, program, uid, app, old, new, revision, origin)
                """, Self.operation)
        }
        return (records, events)
    }

    /// Gives a table its index. That one stands on two lines shows while it is made, and only then it is worth a search.
    private func repeats(
        in table: String, of columns: [String], _ limit: Int
    ) throws(OnboardingStorageError) -> [Int] {
        let place = "\(table)_by_key ON \(table) (\(columns.joined(separator: ", ")))"
        do throws(OnboardingStorageError) {
            try scratch.run("CREATE UNIQUE INDEX \(place)", Self.operation)
            return []
        } catch {
            guard error.code == .invalid else { throw error }
        }
        try scratch.run("CREATE INDEX \(place)", Self.operation)
        let same = columns.map { "earlier.\($0) = here.\($0)" }.joined(separator: " AND ")
        var lines: [Int] = []
        try scratch.query(
            """
            SELECT line FROM \(table) AS here WHERE EXISTS
            (SELECT 1 FROM \(table) AS earlier WHERE \(same) AND earlier.line < here.line) ORDER BY line LIMIT ?1
            """, [.integer(Int64(limit))], Self.operation
        ) { (row) throws(OnboardingStorageError) in
            lines.append(Int(row.integer(0)))
        }
        return lines
    }

    /// What the app of each prefix is called by the first event of it.
    package func namesInEvents() throws(OnboardingStorageError) -> [(prefix: String, app: String)] {
        var names: [(String, String)] = []
        try scratch.query(
            "SELECT prefix, app FROM events WHERE line IN (SELECT min(line) FROM events GROUP BY prefix)", [],
            Self.operation
        ) { (row) throws(OnboardingStorageError) in
            names.append((row.text(0), row.text(1)))
        }
        return names
    }

    /// Takes out the records that the closure names, with their inputs.
    package func removeRecords(
        where isUnwanted: (_ prefix: String, _ step: OnboardingStepID) -> Bool
    ) throws(OnboardingStorageError) {
        var unwanted: [(String, String)] = []
        try scratch.query("SELECT prefix, step FROM records ORDER BY line", [], Self.operation) {
            (row) throws(OnboardingStorageError) in
            let (prefix, step) = (row.text(0), row.text(1))
            if isUnwanted(prefix, OnboardingStepID(step)) { unwanted.append((prefix, step)) }
        }
        for (prefix, step) in unwanted {
            for table in ["records", "inputs"] {
                try scratch.execute(
                    "DELETE FROM \(table) WHERE prefix = ?1 AND step = ?2", [.text(prefix), .text(step)],
                    Self.operation)
            }
        }
    }

    static let operation = "keep the import for a moment"

    /// One transaction that never ends: what is in it can be read here, and is written to the file only as memory demands.
    private static let schema = """
        PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA cache_size = -4000;
        BEGIN;
        CREATE TABLE owners (app UNIQUE, prefix UNIQUE);
        CREATE TABLE records (line INTEGER PRIMARY KEY, prefix, step, value, revision, origin, at, evidence);
        CREATE TABLE inputs (prefix, step, key, type, value, PRIMARY KEY (prefix, step, key)) WITHOUT ROWID;
        CREATE TABLE events (line INTEGER PRIMARY KEY, sequence, at, prefix, app, step, old, new, revision, origin,
            evidence, uid, program, is_known);
        CREATE TABLE newest (prefix, step, sequence, PRIMARY KEY (prefix, step)) WITHOUT ROWID
        """

    /// A file without a name: one of ours beside the suite, or where none can be made there, one that SQLite makes.
    private static func scratch(beside path: String) throws(OnboardingStorageError) -> Connection {
        let creation = SuiteCreation(path: path)
        do throws(OnboardingStorageError) {
            try SuiteFile.requireSafeDirectory(SuiteFile.directory(of: path), path: path)
            let temporary = creation.temporary()
            defer { unlink(temporary) }
            try creation.createEmpty(temporary)
            return try Connection(path: temporary, mode: .scratch, shownAs: path)
        } catch {
            return try Connection(path: "", mode: .scratch, shownAs: path)
        }
    }
}

extension OnboardingEvent {
    /// What the event is but for its sequence: at, prefix, app, step, old, new, revision, origin, evidence, uid, program.
    var content: [SQLValue] {
        [
            .integer(at.milliseconds), .text(prefix), .text(app), .text(step.rawValue), SQLValue(old), SQLValue(new),
            .integer(Int64(revision)), .text(origin.rawValue), SQLValue(evidence), .integer(Int64(uid)),
            .text(program),
        ]
    }
}

extension OnboardingInputValue {
    /// The input as the columns type and value keep it.
    var stored: (type: String, value: SQLValue) {
        switch self {
        case .text(let text): ("text", .text(text))
        case .integer(let number): ("integer", .integer(Int64(number)))
        case .toggle(let isOn): ("toggle", SQLValue(isOn))
        }
    }
}
