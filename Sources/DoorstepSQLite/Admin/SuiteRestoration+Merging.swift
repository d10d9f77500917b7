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
        for owner in restoration.owners where try registrar.owner(implied: owner.registration) == nil {
            if writes { _ = try registrar.ensure(implied: owner.registration) }
        }
    }

    // MARK: History

    mutating func mergeEvents() throws(OnboardingStorageError) {
        try markKnownEvents()
        var last = try scratch.integer("SELECT max(sequence) FROM events", SuiteRestoration.operation) ?? 0
        if let suite {
            last = max(last, try suite.integer("SELECT max(sequence) FROM history", "read the history") ?? 0)
        }
        var added = 0
        try scratch.query(
            """
            SELECT sequence, at, prefix, app, step, old, new, revision, origin, evidence, uid, program FROM events
            WHERE NOT is_known ORDER BY line
            """, [], SuiteRestoration.operation
        ) { (row) throws(OnboardingStorageError) in
            added += 1
            guard let suite, writes else { return }
            var event = try row.event(scratch)
            if try Self.isTaken(event.sequence, in: suite) {
                last += 1
                event.sequence = last
            }
            try Self.insert(event, into: suite)
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

    private static func insert(_ event: OnboardingEvent, into suite: Connection) throws(OnboardingStorageError) {
        try suite.execute(
            """
            INSERT INTO history (sequence, at, prefix, app, step, old, new, revision, origin, evidence, uid, program)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """, [event.sequence > 0 ? .integer(event.sequence) : .null] + event.content, "import the history")
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
        let place: [SQLValue] = [.text(inputs[0].prefix), .text(inputs[0].step.rawValue)]
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
        if let new = try record(of: place, in: scratch), verdict(new, beside: try record(of: place, in: suite)) == .kept
        {
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
        // Without events there is nothing to look for.
        let event = "events AS e ON e.line = (SELECT max(line) FROM events WHERE prefix = r.prefix AND step = r.step)"
        try scratch.query(
            """
            SELECT r.value, r.revision, r.origin, r.at, r.evidence, r.prefix, r.step, r.line,
            \(restoration.hasEvents ? "e.new, e.at" : "NULL, NULL") FROM records AS r INDEXED BY records_by_key
            \(restoration.hasEvents ? "LEFT JOIN " + event : "") ORDER BY r.prefix, r.step
            """, [], SuiteRestoration.operation
        ) { (row) throws(OnboardingStorageError) in
            let new = StoredRecord(
                prefix: row.text(5), step: OnboardingStepID(row.text(6)), record: try row.record(at: 0, scratch))
            let old = try record(of: [.text(new.prefix), .text(new.step.rawValue)], in: suite)
            switch verdict(new.record, beside: old) {
            case .equal: found.equal += 1
            case .kept: found.kept += 1
            case .changes:
                found.changed += 1
                let change = SuiteDifference.Change(new: new, old: old, line: Int(row.integer(7)))
                if lists { found.changes.append(change) }
                if !writes { return }
                let isExplained =
                    row.optionalFlag(8) == new.record.value && row.integer(9) == new.record.at.milliseconds
                try writer?.write(change, isExplained: isExplained)
            }
        }
        if writes { try writer?.finish() }
        difference = found
    }
}

extension StoredInput {
    /// Whether two inputs are of the same step.
    fileprivate func isBeside(_ other: StoredInput) -> Bool {
        step == other.step && prefix.utf8.elementsEqual(other.prefix.utf8)
    }
}
