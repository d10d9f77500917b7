internal import Doorstep

extension SuiteRestoration {
    /// Compares this import with a suite, nil for one that isn't there, and writes what differs if asked to.
    ///
    /// One thing after the other is looked up and written; neither side is held in memory.
    func merge(
        with suite: Connection?, keep: Keep, writes: Bool, lists: Bool
    ) throws(OnboardingStorageError) -> SuiteDifference {
        var merging = Merging(restoration: self, suite: suite, keep: keep, writes: writes, lists: lists)
        try merging.mergeOwners()
        if hasEvents { try merging.mergeEvents() }
        // An input follows the record of its step as the suite has it, so the records come last.
        try merging.mergeInputs()
        try merging.mergeRecords()
        if hasEvents { try merging.settleHistory() }
        merging.difference.changes.sort { $0.line < $1.line }
        return merging.difference
    }
}

/// An import that meets a suite, inside a transaction if it writes.
private struct Merging {
    let restoration: SuiteRestoration
    let suite: Connection?
    let keep: SuiteRestoration.Keep
    let writes: Bool
    let lists: Bool
    var difference = SuiteDifference()

    private var scratch: Connection { restoration.scratch }

    /// What becomes of an import's record.
    private enum Verdict {
        case equal, kept, changes
    }

    private func verdict(_ new: OnboardingRecord, beside old: OnboardingRecord?) -> Verdict {
        if new == old { return .equal }
        guard let old else { return .changes }
        switch keep {
        case .existing: return .kept
        case .newest: return old.at >= new.at ? .kept : .changes
        case .imported: return .changes
        }
    }

    private func record(
        of place: [SQLValue], in connection: Connection?
    ) throws(OnboardingStorageError) -> OnboardingRecord? {
        guard let connection else { return nil }
        var found: OnboardingRecord?
        try connection.query(
            "SELECT value, revision, origin, at, evidence FROM records WHERE prefix = ?1 AND step = ?2", place,
            "read a record"
        ) { (row) throws(OnboardingStorageError) in
            found = try row.record(at: 0, connection)
        }
        return found
    }

    // MARK: Apps

    func mergeOwners() throws(OnboardingStorageError) {
        guard let suite else { return }
        let registrar = Registrar(connection: suite)
        try restoration.forEachOwner { (owner) throws(OnboardingStorageError) in
            if try registrar.owner(implied: owner.registration) != nil { return }
            if writes { try registrar.ensure(owner.registration) }
        }
    }

    // MARK: History

    mutating func mergeEvents() throws(OnboardingStorageError) {
        try markKnownEvents()
        try scratch.run("DELETE FROM newest", SuiteRestoration.operation)
        var added = 0
        var last = Int64.min
        try scratch.query(
            """
            SELECT sequence, at, prefix, app, step, old, new, revision, origin, evidence, uid, program FROM events
            WHERE NOT is_known ORDER BY sequence
            """, [], SuiteRestoration.operation
        ) { (row) throws(OnboardingStorageError) in
            added += 1
            guard let suite, writes else { return }
            let event = try row.event(scratch)
            try Self.insert(event, behind: last, into: suite)
            last = suite.lastRow
            try scratch.execute(
                """
                INSERT INTO newest VALUES (?1, ?2, ?3)
                ON CONFLICT (prefix, step) DO UPDATE SET sequence = max(sequence, excluded.sequence)
                """, [.text(event.prefix), .text(event.step.rawValue), .integer(last)],
                SuiteRestoration.operation)
        }
        difference.events = added
    }

    /// Marks the events that the suite has, and those that stand on an earlier line, whatever their sequence.
    private func markKnownEvents() throws(OnboardingStorageError) {
        let content = "at, prefix, app, step, old, new, revision, origin, evidence, uid, program"
        try scratch.run(
            """
            UPDATE events SET is_known = 0;
            UPDATE events SET is_known = 1 WHERE line NOT IN (SELECT min(line) FROM events GROUP BY \(content))
            """, SuiteRestoration.operation)
        guard let suite else { return }
        try suite.query("SELECT 0, \(content) FROM history", [], "read the history") {
            (row) throws(OnboardingStorageError) in
            try scratch.execute(
                """
                UPDATE events SET is_known = 1 WHERE at = ?1 AND prefix = ?2 AND app = ?3 AND step = ?4 AND old IS ?5
                AND new IS ?6 AND revision = ?7 AND origin = ?8 AND evidence IS ?9 AND uid = ?10 AND program = ?11
                """, try row.event(suite).content, SuiteRestoration.operation)
        }
    }

    private static func isTaken(_ sequence: Int64, in suite: Connection) throws(OnboardingStorageError) -> Bool {
        var isTaken = false
        try suite.query("SELECT 1 FROM history WHERE sequence = ?1", [.integer(sequence)], "read the history") {
            (_) throws(OnboardingStorageError) in
            isTaken = true
        }
        return isTaken
    }

    /// Adds an event in its own place; where another has that, in the next one behind all. Those that come behind it in the
    /// import come behind it here.
    private static func insert(
        _ event: OnboardingEvent, behind last: Int64, into suite: Connection
    ) throws(OnboardingStorageError) {
        let hasPlace = try event.sequence > last ? !isTaken(event.sequence, in: suite) : false
        let sequence: SQLValue = hasPlace ? .integer(event.sequence) : .null
        try suite.execute(
            """
            INSERT INTO history (sequence, at, prefix, app, step, old, new, revision, origin, evidence, uid, program)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """, [sequence] + event.content, "import the history")
    }

    /// The newest event of a step in the suite.
    private func newestEvent(
        of place: [SQLValue], in suite: Connection
    ) throws(OnboardingStorageError) -> OnboardingEvent? {
        var newest: OnboardingEvent?
        try suite.query(
            """
            SELECT sequence, at, prefix, app, step, old, new, revision, origin, evidence, uid, program FROM history
            WHERE prefix = ?1 AND step = ?2 ORDER BY sequence DESC LIMIT 1
            """, place, "read the history"
        ) { (row) throws(OnboardingStorageError) in
            newest = try row.event(suite)
        }
        return newest
    }

    /// Whether the history explains a record by an event that came with this import and is the newest of its step.
    private func isExplained(_ new: StoredRecord, by sequence: Int64) throws(OnboardingStorageError) -> Bool {
        guard let suite, let event = try newestEvent(of: new.place, in: suite) else { return false }
        return event.sequence == sequence && event.new == new.record.value && event.at == new.record.at
    }

    /// Adds an event for each step whose newest one came with this import and tells another answer than the suite has: it
    /// kept its own record, or has none.
    func settleHistory() throws(OnboardingStorageError) {
        guard let suite, writes else { return }
        var writer = RecordBatches(suite: suite, apps: restoration.apps)
        try scratch.query(
            "SELECT prefix, step, sequence FROM newest ORDER BY prefix, step", [], SuiteRestoration.operation
        ) {
            (row) throws(OnboardingStorageError) in
            let place: [SQLValue] = [.text(row.text(0)), .text(row.text(1))]
            guard let newest = try newestEvent(of: place, in: suite), newest.sequence == row.integer(2) else { return }
            let record = try record(of: place, in: suite)
            if newest.new != record?.value { try writer.write(eventAfter: newest, record) }
        }
        try writer.finish()
    }

    // MARK: Inputs

    mutating func mergeInputs() throws(OnboardingStorageError) {
        var step: [StoredInput] = []
        var written = 0
        try scratch.query(
            "SELECT prefix, step, key, type, value FROM inputs ORDER BY prefix, step, key", [],
            SuiteRestoration.operation
        ) { (row) throws(OnboardingStorageError) in
            let input = try row.storedInput(scratch)
            if let last = step.last, !input.isBeside(last) {
                written += try merge(step)
                step = []
            }
            step.append(input)
        }
        if !step.isEmpty { written += try merge(step) }
        difference.inputs = written
    }

    /// Merges the inputs of one step, and answers how many are written.
    private func merge(_ inputs: [StoredInput]) throws(OnboardingStorageError) -> Int {
        let place = inputs[0].place
        var own: [StoredInput] = []
        if let suite {
            try suite.query(
                "SELECT prefix, step, key, type, value FROM inputs WHERE prefix = ?1 AND step = ?2", place,
                "read the inputs"
            ) { (row) throws(OnboardingStorageError) in
                own.append(try row.storedInput(suite))
            }
        }
        if Set(own) == Set(inputs) || !own.isEmpty && keep == .existing { return 0 }
        let old = try record(of: place, in: suite)
        if let new = try record(of: place, in: scratch) {
            if verdict(new, beside: old) == .kept { return 0 }
        } else if keep != .imported, old != nil || !own.isEmpty {
            // Without a record nothing says that these are newer than what the suite has of the step.
            return 0
        }
        guard let suite, writes else { return inputs.count }
        try suite.execute("DELETE FROM inputs WHERE prefix = ?1 AND step = ?2", place, "replace the inputs")
        for input in inputs {
            let (type, value) = input.value.stored
            try suite.execute(
                "INSERT INTO inputs (prefix, step, key, type, value) VALUES (?1, ?2, ?3, ?4, ?5)",
                place + [.text(input.key), .text(type), value], "save the inputs")
        }
        return inputs.count
    }

    // MARK: Records

    /// In the order in which the suite keeps them, so that writing many goes through its file once.
    mutating func mergeRecords() throws(OnboardingStorageError) {
        var found = difference
        var writer = suite.map { RecordBatches(suite: $0, apps: restoration.apps) }
        try scratch.query(
            """
            SELECT r.value, r.revision, r.origin, r.at, r.evidence, r.prefix, r.step, r.line, newest.sequence
            FROM records AS r INDEXED BY records_by_key
            LEFT JOIN newest ON newest.prefix = r.prefix AND newest.step = r.step ORDER BY r.prefix, r.step
            """, [], SuiteRestoration.operation
        ) { (row) throws(OnboardingStorageError) in
            let new = StoredRecord(
                prefix: row.text(5), step: OnboardingStepID(row.text(6)), record: try row.record(at: 0, scratch))
            let old = try record(of: new.place, in: suite)
            switch verdict(new.record, beside: old) {
            case .equal: found.equal += 1
            case .kept: found.kept += 1
            case .changes:
                found.changed += 1
                let change = SuiteDifference.Change(new: new, old: old, line: Int(row.integer(7)))
                if lists { found.changes.append(change) }
                if !writes { return }
                let isExplained = try row.isNull(8) ? false : isExplained(new, by: row.integer(8))
                try writer?.write(change, isExplained: isExplained)
            }
        }
        if writes { try writer?.finish() }
        difference = found
    }
}

extension StoredRecord {
    /// The record's prefix and step.
    fileprivate var place: [SQLValue] { [.text(prefix), .text(step.rawValue)] }
}

extension StoredInput {
    /// The prefix and step of the input's record.
    fileprivate var place: [SQLValue] { [.text(prefix), .text(step.rawValue)] }

    /// Whether two inputs are of the same step.
    fileprivate func isBeside(_ other: StoredInput) -> Bool {
        step == other.step && prefix.utf8.elementsEqual(other.prefix.utf8)
    }
}
