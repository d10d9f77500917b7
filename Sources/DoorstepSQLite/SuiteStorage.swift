internal import Doorstep
internal import Synchronization

/// One app's records and inputs in a suite.
final class SuiteStorage: OnboardingStorage {
    private let suite: OnboardingSuite
    private let registration: FlowRegistration
    /// Whether the registration is made up from a prefix, so that one which is there already is left alone.
    private let isImplied: Bool
    /// What a commit has made sure of: the app's name, and through which connection, because the suite behind another
    /// one may be another file.
    private let ensured = Mutex<(app: String, connection: Int)?>(nil)

    init(suite: OnboardingSuite, registration: FlowRegistration, isImplied: Bool) {
        self.suite = suite
        self.registration = registration
        self.isImplied = isImplied
    }

    func records() throws(OnboardingStorageError) -> [OnboardingStepID: OnboardingRecord] {
        let prefix = registration.prefix
        return try suite.read("read the records") { (connection) throws(OnboardingStorageError) in
            var records: [OnboardingStepID: OnboardingRecord] = [:]
            try connection.query(
                """
                SELECT value, revision, origin, at, evidence, step, (SELECT app FROM apps WHERE prefix = ?1) FROM records
                WHERE prefix = ?1
                """, [.text(prefix)], "read the records"
            ) { (row) throws(OnboardingStorageError) in
                if records.isEmpty { try self.requireOwner(row.optionalText(6)) }
                records[OnboardingStepID(row.text(5))] = try row.record(at: 0, connection)
            }
            return records
        } ?? [:]
    }

    func inputs() throws(OnboardingStorageError) -> [OnboardingStepID: [String: OnboardingInputValue]] {
        let prefix = registration.prefix
        return try suite.read("read the inputs") { (connection) throws(OnboardingStorageError) in
            var inputs: [OnboardingStepID: [String: OnboardingInputValue]] = [:]
            try connection.query(
                """
                SELECT step, key, type, value, (SELECT app FROM apps WHERE prefix = ?1) FROM inputs WHERE prefix = ?1
                """, [.text(prefix)], "read the inputs"
            ) { (row) throws(OnboardingStorageError) in
                if inputs.isEmpty { try self.requireOwner(row.optionalText(4)) }
                inputs[OnboardingStepID(row.text(0)), default: [:]][row.text(1)] = try row.input(at: 2, connection)
            }
            return inputs
        } ?? [:]
    }

    func mark() throws(OnboardingStorageError) -> OnboardingStorageMark? {
        try suite.mark()
    }

    func commit(_ changes: [OnboardingChange], eraseInputs: Bool) throws(OnboardingStorageError)
        -> [OnboardingStepID: OnboardingRecord]
    {
        var onlyClears = true
        for change in changes {
            if let fault = change.fault { throw OnboardingStorageError(.invalid, fault) }
            if change.action != .clear { onlyClears = false }
        }
        if changes.isEmpty && !eraseInputs { return [:] }
        let known = ensured.withLock { $0 }
        // Where nothing is, there is nothing to clear or erase.
        let outcome = try suite.write("save the answers", creates: !onlyClears) {
            (connection) throws(OnboardingStorageError) in
            let app = try ensureRegistered(connection, known: known)
            var writer = RecordWriter(connection: connection, app: app, prefix: registration.prefix)
            if eraseInputs { try writer.eraseInputs() }
            for change in changes { try writer.apply(change) }
            return Outcome(
                app: app, connection: connection.number, erased: writer.hasErased,
                records: try writer.records(of: changes))
        }
        guard let outcome else { return [:] }
        ensured.withLock { $0 = (outcome.app, outcome.connection) }
        if outcome.erased { suite.emptyLog() }
        return outcome.records
    }

    private struct Outcome: Sendable {
        let app: String
        let connection: Int
        let erased: Bool
        let records: [OnboardingStepID: OnboardingRecord]
    }

    /// Makes sure that the prefix is the app's; the app's name.
    ///
    /// What an earlier commit has made sure of still holds unless somebody else has taken the prefix since.
    private func ensureRegistered(
        _ connection: Connection, known: (app: String, connection: Int)?
    ) throws(OnboardingStorageError) -> String {
        let registrar = Registrar(connection: connection)
        if let known, known.connection == connection.number,
            try registrar.app(withPrefix: registration.prefix) == known.app
        {
            return known.app
        }
        if isImplied { return try registrar.ensure(implied: registration) }
        try registrar.ensure(registration)
        return registration.app
    }

    /// Refuses to show one app what another has under the same prefix.
    private func requireOwner(_ app: String?) throws(OnboardingStorageError) {
        guard !isImplied, let app, app != registration.app else { return }
        throw Registrar.overlap(of: registration, with: registration.prefix, of: app, holdsAnswers: true)
    }
}
