internal import CSQLite
package import Doorstep

/// Everything that an audit reads of one suite: kept flows with their records, and the records that no kept flow has.
package struct SuiteContents: Sendable {
    /// One app as the suite knows it.
    package struct App: Sendable {
        /// The kept definition.
        package var registration: FlowRegistration
        /// The record of the welcome, where there is one, and of each step, in the definition's order.
        package var records: [OnboardingRecord?]

        /// An app from its parts.
        package init(registration: FlowRegistration, records: [OnboardingRecord?]) {
            self.registration = registration
            self.records = records
        }
    }

    /// The registered apps in order of their names.
    package var apps: [App] = []
    /// The records of steps or apps that no kept definition has, in order of their prefixes and IDs.
    package var strays: [StoredRecord] = []

    /// Empty contents, as of a suite that doesn't exist.
    package init() {}
}

/// A record with the place where it is kept.
package struct StoredRecord: Sendable, Hashable {
    /// The prefix of its app.
    package var prefix: String
    /// Its step.
    package var step: OnboardingStepID
    /// What is kept.
    package var record: OnboardingRecord

    /// A record from its parts.
    package init(prefix: String, step: OnboardingStepID, record: OnboardingRecord) {
        self.prefix = prefix
        self.step = step
        self.record = record
    }
}

/// An input with the place where it is kept: personal data.
package struct StoredInput: Sendable, Hashable {
    /// The prefix of its app.
    package var prefix: String
    /// Its step.
    package var step: OnboardingStepID
    /// Its key.
    package var key: String
    /// What the user typed or chose.
    package var value: OnboardingInputValue

    /// An input from its parts.
    package init(prefix: String, step: OnboardingStepID, key: String, value: OnboardingInputValue) {
        self.prefix = prefix
        self.step = step
        self.key = key
        self.value = value
    }
}

extension OnboardingSuite {
    /// Reads what an audit needs, as of one moment; nil where there is no suite.
    ///
    /// - Throws: ``OnboardingStorageError``.
    package func contents() throws(OnboardingStorageError) -> SuiteContents? {
        try read("read the suite") { (connection) throws(OnboardingStorageError) in
            try connection.atOneMoment { () throws(OnboardingStorageError) in
                var contents = SuiteContents()
                try Self.readApps(connection, into: &contents)
                try Self.readSteps(connection, into: &contents)
                contents.strays = try Self.records(connection, AuditSQL.strays)
                return contents
            }
        }
    }

    /// Whose each prefix is, in order of the apps' names; nil where there is no suite.
    ///
    /// - Throws: ``OnboardingStorageError``.
    package func prefixOwners() throws(OnboardingStorageError) -> [PrefixOwner]? {
        try read("read the apps") { (connection) throws(OnboardingStorageError) in
            var owners: [PrefixOwner] = []
            try connection.query("SELECT app, prefix FROM apps ORDER BY app", [], "read the apps") {
                (row) throws(OnboardingStorageError) in
                owners.append(PrefixOwner(app: row.text(0), prefix: row.text(1)))
            }
            return owners
        }
    }

    /// Every record, in order of prefixes and IDs; nil where there is no suite.
    ///
    /// - Throws: ``OnboardingStorageError``.
    package func storedRecords() throws(OnboardingStorageError) -> [StoredRecord]? {
        try read("read the records") { (connection) throws(OnboardingStorageError) in
            try Self.records(connection, AuditSQL.records)
        }
    }

    /// Every input, in order; nil where there is no suite. It is personal data: read it only where somebody asked.
    ///
    /// - Throws: ``OnboardingStorageError``.
    package func storedInputs() throws(OnboardingStorageError) -> [StoredInput]? {
        try read("read the inputs") { (connection) throws(OnboardingStorageError) in try Self.inputs(connection) }
    }

    static func records(
        _ connection: Connection, _ sql: String
    ) throws(OnboardingStorageError) -> [StoredRecord] {
        var records: [StoredRecord] = []
        try connection.query(sql, [], "read the records") { (row) throws(OnboardingStorageError) in
            records.append(
                StoredRecord(
                    prefix: row.text(5), step: OnboardingStepID(row.text(6)),
                    record: try row.record(at: 0, connection)))
        }
        return records
    }

    static func inputs(_ connection: Connection) throws(OnboardingStorageError) -> [StoredInput] {
        var inputs: [StoredInput] = []
        try connection.query(
            "SELECT prefix, step, key, type, value FROM inputs ORDER BY prefix, step, key", [], "read the inputs"
        ) { (row) throws(OnboardingStorageError) in
            inputs.append(try row.storedInput(connection))
        }
        return inputs
    }

    private static func readApps(
        _ connection: Connection, into contents: inout SuiteContents
    ) throws(OnboardingStorageError) {
        var apps: [SuiteContents.App] = []
        try connection.query(AuditSQL.apps, [], "read the apps") { (row) throws(OnboardingStorageError) in
            guard let commit = OnboardingCommitMode(rawValue: row.text(2)) else {
                throw connection.damaged("an app has a commit mode that doesn't exist")
            }
            let source = row.optionalText(3).map { path in
                ManifestIdentity(
                    path: path, device: row.integer(4), inode: row.integer(5), size: row.integer(6),
                    modified: row.integer(7), changed: row.integer(8))
            }
            apps.append(
                SuiteContents.App(
                    registration: FlowRegistration(
                        app: row.text(0), prefix: row.text(1), source: source, commit: commit), records: []))
        }
        contents.apps = apps
    }

    /// Both statements are in the order of the apps' names, so the steps are dealt out in one walk.
    private static func readSteps(
        _ connection: Connection, into contents: inout SuiteContents
    ) throws(OnboardingStorageError) {
        var apps = contents.apps
        var index = 0
        try connection.query(AuditSQL.steps, [], "read the steps") { (row) throws(OnboardingStorageError) in
            while index < apps.count, !row.isEqual(10, apps[index].registration.app) { index += 1 }
            guard index < apps.count else { throw connection.damaged("a step belongs to no app") }
            let step = OnboardingStepConfig(
                id: OnboardingStepID(row.text(6)), isRequired: row.flag(7), isSkippable: row.flag(8),
                revision: Int(row.integer(9)))
            let record = row.isNull(0) ? nil : try row.record(at: 0, connection)
            if row.integer(5) == 0 {
                apps[index].registration.welcome = step
            } else {
                apps[index].registration.steps.append(step)
            }
            apps[index].records.append(record)
        }
        contents.apps = apps
    }
}

extension Row {
    /// The input in the columns prefix, step, key, type, value.
    func storedInput(_ connection: Connection) throws(OnboardingStorageError) -> StoredInput {
        StoredInput(
            prefix: text(0), step: OnboardingStepID(text(1)), key: text(2), value: try input(at: 3, connection))
    }
}

/// The statements of an audit; the benchmark runs the same ones through the C API.
package enum AuditSQL {
    /// The kept apps.
    package static let apps = """
        SELECT app, prefix, commit_mode, source_path, source_device, source_inode, source_size, source_modified_ns,
        source_changed_ns FROM apps ORDER BY app
        """
    /// Each kept step with its record.
    package static let steps = """
        SELECT r.value, r.revision, r.origin, r.at, r.evidence, s.position, s.step, s.is_required, s.is_skippable,
        s.revision, s.app FROM flow_steps AS s JOIN apps AS a ON a.app = s.app
        LEFT JOIN records AS r ON r.prefix = a.prefix AND r.step = s.step ORDER BY s.app, s.position
        """
    /// The records that no kept step has.
    package static let strays = """
        SELECT value, revision, origin, at, evidence, prefix, step FROM records AS r WHERE NOT EXISTS (
        SELECT 1 FROM apps AS a JOIN flow_steps AS s ON s.app = a.app WHERE a.prefix = r.prefix AND s.step = r.step)
        ORDER BY prefix, step
        """
    /// Every record.
    package static let records = """
        SELECT value, revision, origin, at, evidence, prefix, step FROM records ORDER BY prefix, step
        """
    /// The answers by prefix, counted and not added up: a suite without its checks can hold any value.
    package static let totals = """
        SELECT prefix, count(*), count(nullif(value, 0)), count(*) - count(nullif(value, 0)), min(at), max(at)
        FROM records GROUP BY prefix
        """
}

extension Connection {
    /// Runs reads that belong together on one state of the file.
    func atOneMoment<Answer>(
        _ body: () throws(OnboardingStorageError) -> Answer
    ) throws(OnboardingStorageError) -> Answer {
        try run("BEGIN", "begin to read")
        let answer: Answer
        do throws(OnboardingStorageError) {
            answer = try body()
        } catch {
            sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
            throw error
        }
        try run("COMMIT", "end reading")
        return answer
    }
}
