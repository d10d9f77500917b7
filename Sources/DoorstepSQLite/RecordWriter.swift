internal import Doorstep
internal import Glibc

/// Applies changes to one app's records and inputs inside an open write transaction, with their history.
struct RecordWriter {
    let connection: Connection
    let app: String
    let prefix: String
    /// Whether an input that was stored is gone.
    private(set) var hasErased = false
    private let at = OnboardingInstant.now

    init(connection: Connection, app: String, prefix: String) {
        self.connection = connection
        self.app = app
        self.prefix = prefix
    }

    /// Erases every input of the app.
    mutating func eraseInputs() throws(OnboardingStorageError) {
        try connection.execute("DELETE FROM inputs WHERE prefix = ?1", [.text(prefix)], "erase the inputs")
        if connection.changedRows > 0 { hasErased = true }
    }

    /// Applies one change if its condition holds.
    mutating func apply(_ change: OnboardingChange) throws(OnboardingStorageError) {
        let old = try record(of: change.step)
        guard change.applies(to: old) else { return }
        let revision: Int
        let new: Bool?
        switch change.action {
        case .clear:
            new = nil
            revision = old?.revision ?? 1
            try connection.execute(
                "DELETE FROM records WHERE prefix = ?1 AND step = ?2", key(change.step), "clear a record")
        case .record(let value, let answered):
            new = value
            revision = answered
            try connection.execute(
                """
                INSERT INTO records (prefix, step, value, revision, origin, at, evidence) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                ON CONFLICT (prefix, step) DO UPDATE SET value = excluded.value, revision = excluded.revision,
                origin = excluded.origin, at = excluded.at, evidence = excluded.evidence
                """,
                key(change.step) + [
                    SQLValue(value), .integer(Int64(answered)), .text(change.origin.rawValue),
                    .integer(at.milliseconds), SQLValue(change.evidence),
                ], "save an answer")
        }
        try connection.execute(
            """
            INSERT INTO history (prefix, step, at, app, old, new, revision, origin, evidence, uid, program)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """,
            key(change.step) + [
                .integer(at.milliseconds), .text(app), SQLValue(old?.value), SQLValue(new), .integer(Int64(revision)),
                .text(change.origin.rawValue), SQLValue(change.evidence), .integer(Int64(Self.user)),
                .text(Self.program),
            ], "write the history")
        if let inputs = change.inputs { try replaceInputs(of: change.step, with: inputs) }
    }

    /// The records of the changed steps as they stand now.
    func records(of changes: [OnboardingChange]) throws(OnboardingStorageError)
        -> [OnboardingStepID: OnboardingRecord]
    {
        var records: [OnboardingStepID: OnboardingRecord] = [:]
        for change in changes where records[change.step] == nil {
            records[change.step] = try record(of: change.step)
        }
        return records
    }

    private func record(of step: OnboardingStepID) throws(OnboardingStorageError) -> OnboardingRecord? {
        var found: OnboardingRecord?
        try connection.query(
            "SELECT value, revision, origin, at, evidence FROM records WHERE prefix = ?1 AND step = ?2", key(step),
            "read a record"
        ) { (row) throws(OnboardingStorageError) in
            found = try row.record(at: 0, connection)
        }
        return found
    }

    private mutating func replaceInputs(
        of step: OnboardingStepID, with inputs: [String: OnboardingInputValue]
    ) throws(OnboardingStorageError) {
        try connection.execute(
            "DELETE FROM inputs WHERE prefix = ?1 AND step = ?2", key(step), "replace the inputs")
        if connection.changedRows > 0 { hasErased = true }
        for (name, value) in inputs {
            let (type, stored) = value.stored
            try connection.execute(
                "INSERT INTO inputs (prefix, step, key, type, value) VALUES (?1, ?2, ?3, ?4, ?5)",
                key(step) + [.text(name), .text(type), stored], "save the inputs")
        }
    }

    private func key(_ step: OnboardingStepID) -> [SQLValue] {
        [.text(prefix), .text(step.rawValue)]
    }

    /// The effective user ID of the running process.
    static var user: UInt32 { geteuid() }

    /// The file name of the running program.
    static let program: String = {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        if count > 0 {
            let bytes = buffer.prefix(count).map { UInt8(bitPattern: $0) }
            return SuiteFile.name(of: String(decoding: bytes, as: UTF8.self))
        }
        return CommandLine.arguments.first.map { SuiteFile.name(of: $0) } ?? ""
    }()
}

extension Row {
    /// The record in the columns value, revision, origin, at, evidence that begin here.
    func record(at column: Int32, _ connection: Connection) throws(OnboardingStorageError) -> OnboardingRecord {
        OnboardingRecord(
            value: flag(column), revision: Int(integer(column + 1)), origin: try origin(column + 2, connection),
            at: OnboardingInstant(milliseconds: integer(column + 3)), evidence: optionalText(column + 4))
    }

    /// The origin in a column.
    func origin(_ column: Int32, _ connection: Connection) throws(OnboardingStorageError) -> OnboardingOrigin {
        if let origin = OnboardingOrigin(rawValue: text(column)) { return origin }
        throw connection.damaged("a record has an origin that doesn't exist")
    }

    /// The input in the columns type, value that begin here.
    func input(at column: Int32, _ connection: Connection) throws(OnboardingStorageError) -> OnboardingInputValue {
        switch text(column) {
        case "text": return .text(text(column + 1))
        case "integer": return .integer(Int(integer(column + 1)))
        case "toggle": return .toggle(flag(column + 1))
        default: throw connection.damaged("an input has a type that doesn't exist")
        }
    }
}

extension Connection {
    /// The error for contents that no writer of ours makes.
    func damaged(_ what: String) -> OnboardingStorageError {
        OnboardingStorageError(
            .damaged, "suite \"\(path)\" is damaged: \(what); restore it from a backup, or move it away to start afresh"
        )
    }
}
