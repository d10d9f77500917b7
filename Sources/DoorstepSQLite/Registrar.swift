internal import Doorstep

/// Keeps the apps and their flows inside an open transaction.
struct Registrar {
    let connection: Connection

    /// Makes the kept definition what the registration says, and writes only what differs.
    func ensure(_ registration: FlowRegistration) throws(OnboardingStorageError) {
        let kept = try self.registration(of: registration.app)
        if let kept, kept == registration, FlowRegistration.isSame(kept.prefix, registration.prefix) { return }
        if let kept { try requireNothingLeft(by: registration, under: kept.prefix) }
        try requireFreePrefix(registration)
        let source = registration.source
        try connection.execute(
            """
            INSERT INTO apps (app, prefix, commit_mode, source_path, source_device, source_inode, source_size,
            source_modified_ns, source_changed_ns) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (app) DO UPDATE SET prefix = excluded.prefix, commit_mode = excluded.commit_mode,
            source_path = excluded.source_path, source_device = excluded.source_device,
            source_inode = excluded.source_inode, source_size = excluded.source_size,
            source_modified_ns = excluded.source_modified_ns, source_changed_ns = excluded.source_changed_ns
            """,
            [
                .text(registration.app), .text(registration.prefix), .text(registration.commit.rawValue),
                SQLValue(source?.path), integer(source?.device), integer(source?.inode), integer(source?.size),
                integer(source?.modified), integer(source?.changed),
            ], "register an app")
        if let kept, kept.welcome == registration.welcome, kept.steps == registration.steps { return }
        try connection.execute("DELETE FROM flow_steps WHERE app = ?1", [.text(registration.app)], "register an app")
        if let welcome = registration.welcome { try insert(welcome, at: 0, of: registration.app) }
        for (offset, step) in registration.steps.enumerated() {
            try insert(step, at: offset + 1, of: registration.app)
        }
    }

    /// Keeps an app that is named by its prefix alone, without touching what is kept already; the app's name.
    func ensure(implied registration: FlowRegistration) throws(OnboardingStorageError) -> String {
        if let app = try owner(implied: registration) { return app }
        try ensure(registration)
        return registration.app
    }

    /// The app that has the prefix of an app that is named by that alone; nil where the prefix is free.
    ///
    /// - Throws: ``OnboardingStorageError``, with the code `invalid` where it can't be had.
    func owner(implied registration: FlowRegistration) throws(OnboardingStorageError) -> String? {
        if let app = try app(withPrefix: registration.prefix) { return app }
        if let kept = try self.registration(of: registration.app) {
            throw OnboardingStorageError(
                .invalid,
                "the prefix \"\(registration.prefix)\" stands for an app \"\(registration.app)\", and that one is registered with the prefix \"\(kept.prefix)\"; use its prefix, or register an app with another name"
            )
        }
        _ = try abandoned(besides: registration)
        return nil
    }

    /// Removes an app's definition and answers whether there was one; while answers stand under its prefix, the prefix
    /// stays the app's.
    func remove(_ app: String) throws(OnboardingStorageError) -> Bool {
        guard let kept = try registration(of: app) else { return false }
        guard try holdsAnswers(kept.prefix) else {
            try connection.execute("DELETE FROM apps WHERE app = ?1", [.text(app)], "unregister an app")
            return true
        }
        let owner = FlowRegistration(app: app, prefix: kept.prefix)
        if kept == owner { return false }
        try ensure(owner)
        return true
    }

    /// The kept definition of one app.
    func registration(of app: String) throws(OnboardingStorageError) -> FlowRegistration? {
        try snapshot(of: app)?.registration
    }

    /// The kept definition of one app and its steps' records, in one statement.
    func snapshot(of app: String) throws(OnboardingStorageError) -> FlowSnapshot? {
        try snapshots("WHERE apps.app = ?1", [.text(app)]).first
    }

    /// Every kept definition with its steps' records, in order of the apps' names.
    func snapshots() throws(OnboardingStorageError) -> [FlowSnapshot] {
        try snapshots("", [])
    }

    private func snapshots(
        _ filter: String, _ values: [SQLValue]
    ) throws(OnboardingStorageError) -> [FlowSnapshot] {
        let sql = """
            SELECT apps.app, apps.prefix, apps.commit_mode, apps.source_path, apps.source_device, apps.source_inode,
            apps.source_size, apps.source_modified_ns, apps.source_changed_ns, s.position, s.step, s.is_required,
            s.is_skippable, s.revision, r.value, r.revision, r.origin, r.at, r.evidence
            FROM apps LEFT JOIN flow_steps AS s ON s.app = apps.app
            LEFT JOIN records AS r ON r.prefix = apps.prefix AND r.step = s.step
            \(filter) ORDER BY apps.app, s.position
            """
        var snapshots: [FlowSnapshot] = []
        try connection.query(sql, values, "read the registered flows") { (row) throws(OnboardingStorageError) in
            let app = row.text(0)
            if snapshots.last?.registration.app != app {
                guard let commit = OnboardingCommitMode(rawValue: row.text(2)) else {
                    throw connection.damaged("an app has a commit mode that doesn't exist")
                }
                let source = row.optionalText(3).map { path in
                    ManifestIdentity(
                        path: path, device: row.integer(4), inode: row.integer(5), size: row.integer(6),
                        modified: row.integer(7), changed: row.integer(8))
                }
                let registration = FlowRegistration(app: app, prefix: row.text(1), source: source, commit: commit)
                snapshots.append(FlowSnapshot(registration: registration, records: [:]))
            }
            if row.isNull(9) { return }
            let step = OnboardingStepConfig(
                id: OnboardingStepID(row.text(10)), isRequired: row.flag(11), isSkippable: row.flag(12),
                revision: Int(row.integer(13)))
            let last = snapshots.count - 1
            if row.integer(9) == 0 {
                snapshots[last].registration.welcome = step
            } else {
                snapshots[last].registration.steps.append(step)
            }
            if !row.isNull(14) { snapshots[last].records[step.id] = try row.record(at: 14, connection) }
        }
        return snapshots
    }

    private func insert(
        _ step: OnboardingStepConfig, at position: Int, of app: String
    ) throws(OnboardingStorageError) {
        try connection.execute(
            """
            INSERT INTO flow_steps (app, position, step, is_required, is_skippable, revision)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """,
            [
                .text(app), .integer(Int64(position)), .text(step.id.rawValue), SQLValue(step.isRequired),
                SQLValue(step.isSkippable), .integer(Int64(step.revision)),
            ], "register an app")
    }

    private func integer(_ number: Int64?) -> SQLValue {
        number.map { .integer($0) } ?? .null
    }
}
