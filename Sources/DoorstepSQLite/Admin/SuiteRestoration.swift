package import Doorstep

/// What an import brings, already validated.
public struct SuiteRestoration: Sendable {
    /// Which record stays where the suite and the import both have one.
    public enum Keep: String, Sendable, CaseIterable {
        /// The suite's.
        case existing
        /// The import's.
        case imported
        /// The one that was recorded later; the suite's if both were at once.
        case newest
    }

    /// Which apps have which prefixes; it stays with the suite where that says otherwise.
    package var owners: [PrefixOwner] = []
    /// The records.
    package var records: [StoredRecord] = []
    /// The inputs; they follow the record of their step.
    package var inputs: [StoredInput] = []
    /// The events, with the sequences that they had.
    package var events: [OnboardingEvent] = []
    /// What each prefix's app is called in the history.
    package var apps: [String: String] = [:]

    /// An import of nothing.
    package init() {}
}

/// What an import changes.
package struct SuiteDifference: Sendable {
    /// One record that changes.
    package struct Change: Sendable {
        /// The record as the import has it.
        package var new: StoredRecord
        /// What the suite has, or nil.
        package var old: OnboardingRecord?
    }

    /// The apps that get a prefix.
    package var owners: [PrefixOwner] = []
    /// The records that change.
    package var changes: [Change] = []
    /// How many records of the import are in the suite already, byte for byte.
    package var equal = 0
    /// How many records the suite keeps although the import has another.
    package var kept = 0
    /// The inputs that are written.
    package var inputs: [StoredInput] = []
    /// The events that are added.
    package var events: [OnboardingEvent] = []
}

extension OnboardingSuite {
    /// What an import would change; nothing is written.
    ///
    /// - Throws: ``OnboardingStorageError``.
    package func difference(
        of restoration: SuiteRestoration, keep: SuiteRestoration.Keep
    ) throws(OnboardingStorageError) -> SuiteDifference {
        try read("compare the import") { (connection) throws(OnboardingStorageError) in
            try connection.atOneMoment { () throws(OnboardingStorageError) in
                try Self.difference(of: restoration, keep: keep, connection)
            }
        } ?? restoration.difference(from: [], inputs: [], events: [], keep: keep)
    }

    /// Imports in one transaction, with one history row for each record that changes unless the import explains it.
    ///
    /// - Throws: ``OnboardingStorageError``; then nothing has changed.
    package func restore(
        _ restoration: SuiteRestoration, keep: SuiteRestoration.Keep
    ) throws(OnboardingStorageError) -> SuiteDifference {
        let difference = try write("import") { (connection) throws(OnboardingStorageError) -> SuiteDifference in
            let difference = try Self.difference(of: restoration, keep: keep, connection)
            var writer = ImportWriter(connection: connection, apps: restoration.apps)
            try writer.write(difference, explained: restoration.events)
            return difference
        }
        return difference ?? SuiteDifference()
    }

    private static func difference(
        of restoration: SuiteRestoration, keep: SuiteRestoration.Keep, _ connection: Connection
    ) throws(OnboardingStorageError) -> SuiteDifference {
        var difference = restoration.difference(
            from: try records(connection, AuditSQL.records), inputs: try inputs(connection),
            events: try events(connection, where: "true ORDER BY sequence"), keep: keep)
        difference.owners = []
        let registrar = Registrar(connection: connection)
        for owner in restoration.owners where try registrar.owner(implied: owner.registration) == nil {
            difference.owners.append(owner)
        }
        return difference
    }
}

extension SuiteRestoration {
    private struct Place: Hashable {
        var prefix: String
        var step: OnboardingStepID
    }

    /// What this import changes of a suite that holds these.
    func difference(
        from records: [StoredRecord], inputs stored: [StoredInput], events old: [OnboardingEvent], keep: Keep
    ) -> SuiteDifference {
        var difference = SuiteDifference()
        difference.owners = owners
        var standing: [Place: OnboardingRecord] = [:]
        for record in records { standing[Place(prefix: record.prefix, step: record.step)] = record.record }
        var keeps: Set<Place> = []
        for record in self.records {
            let place = Place(prefix: record.prefix, step: record.step)
            let old = standing[place]
            if old == record.record {
                difference.equal += 1
            } else if let old, keep == .existing || keep == .newest && old.at >= record.record.at {
                difference.kept += 1
                keeps.insert(place)
            } else {
                difference.changes.append(SuiteDifference.Change(new: record, old: old))
            }
        }
        let typed = Dictionary(grouping: stored) { Place(prefix: $0.prefix, step: $0.step) }
        for (place, inputs) in Dictionary(grouping: inputs, by: { Place(prefix: $0.prefix, step: $0.step) }) {
            let hasOwn = typed[place] != nil
            if Set(typed[place] ?? []) == Set(inputs) || keeps.contains(place) || hasOwn && keep == .existing {
                continue
            }
            difference.inputs += inputs
        }
        difference.inputs.sort { ($0.prefix, $0.step.rawValue, $0.key) < ($1.prefix, $1.step.rawValue, $1.key) }
        difference.events = newEvents(beside: old)
        return difference
    }

    /// The events that aren't there yet, with new sequences where theirs are taken.
    private func newEvents(beside old: [OnboardingEvent]) -> [OnboardingEvent] {
        var taken = Set(old.map(\.sequence))
        var known = Set(old.map(\.unnumbered))
        var last = max(old.last?.sequence ?? 0, events.map(\.sequence).max() ?? 0)
        var new: [OnboardingEvent] = []
        for event in events {
            if !known.insert(event.unnumbered).inserted { continue }
            var event = event
            if !taken.insert(event.sequence).inserted {
                last += 1
                event.sequence = last
                taken.insert(last)
            }
            new.append(event)
        }
        return new
    }
}

extension OnboardingEvent {
    /// The event without its place in the history, to find the same one in another.
    var unnumbered: OnboardingEvent {
        var event = self
        event.sequence = 0
        return event
    }
}

/// Writes an import inside an open transaction.
private struct ImportWriter {
    let connection: Connection
    let apps: [String: String]

    mutating func write(
        _ difference: SuiteDifference, explained events: [OnboardingEvent]
    ) throws(OnboardingStorageError) {
        for owner in difference.owners {
            _ = try Registrar(connection: connection).ensure(implied: owner.registration)
        }
        for event in difference.events { try insert(event) }
        var latest: [String: OnboardingEvent] = [:]
        for event in events { latest["\(event.prefix)\u{0}\(event.step)"] = event }
        for change in difference.changes {
            let record = change.new
            try put(record)
            let event = latest["\(record.prefix)\u{0}\(record.step)"]
            if let event, event.new == record.record.value, event.at == record.record.at { continue }
            try explain(change)
        }
        var cleared: Set<String> = []
        for input in difference.inputs {
            if cleared.insert("\(input.prefix)\u{0}\(input.step)").inserted {
                try connection.execute(
                    "DELETE FROM inputs WHERE prefix = ?1 AND step = ?2",
                    [.text(input.prefix), .text(input.step.rawValue)], "replace the inputs")
            }
            let (type, value) = input.value.stored
            try connection.execute(
                "INSERT INTO inputs (prefix, step, key, type, value) VALUES (?1, ?2, ?3, ?4, ?5)",
                [.text(input.prefix), .text(input.step.rawValue), .text(input.key), .text(type), value],
                "save the inputs")
        }
    }

    private func put(_ stored: StoredRecord) throws(OnboardingStorageError) {
        let record = stored.record
        try connection.execute(
            """
            INSERT INTO records (prefix, step, value, revision, origin, at, evidence) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT (prefix, step) DO UPDATE SET value = excluded.value, revision = excluded.revision,
            origin = excluded.origin, at = excluded.at, evidence = excluded.evidence
            """,
            [
                .text(stored.prefix), .text(stored.step.rawValue), SQLValue(record.value),
                .integer(Int64(record.revision)), .text(record.origin.rawValue), .integer(record.at.milliseconds),
                SQLValue(record.evidence),
            ], "import a record")
    }

    private func explain(_ change: SuiteDifference.Change) throws(OnboardingStorageError) {
        let record = change.new
        try insert(
            OnboardingEvent(
                sequence: 0, at: .now, prefix: record.prefix,
                app: apps[record.prefix] ?? String(record.prefix.dropLast()), step: record.step,
                old: change.old?.value, new: record.record.value, revision: record.record.revision, origin: .import,
                evidence: record.record.evidence, uid: RecordWriter.user, program: RecordWriter.program))
    }

    private func insert(_ event: OnboardingEvent) throws(OnboardingStorageError) {
        try connection.execute(
            """
            INSERT INTO history (sequence, prefix, step, at, app, old, new, revision, origin, evidence, uid, program)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
            """,
            [
                event.sequence > 0 ? .integer(event.sequence) : .null, .text(event.prefix),
                .text(event.step.rawValue), .integer(event.at.milliseconds), .text(event.app), SQLValue(event.old),
                SQLValue(event.new), .integer(Int64(event.revision)), .text(event.origin.rawValue),
                SQLValue(event.evidence), .integer(Int64(event.uid)), .text(event.program),
            ], "import the history")
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
