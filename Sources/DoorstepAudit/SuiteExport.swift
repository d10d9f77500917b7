internal import Doorstep
internal import DoorstepJSON
public import DoorstepSQLite

/// Writes what a suite holds as JSON Lines or CSV; what is imported again gives the same bytes.
public struct SuiteExport: Sendable {
    /// The form of an export.
    public enum Form: String, Sendable, CaseIterable {
        /// JSON Lines: a header, then one object a line.
        case jsonl
        /// CSV with one header for all kinds of rows.
        case csv
    }

    /// The form.
    public var form: Form
    /// Whether records are written.
    public var records: Bool
    /// Whether the history is written.
    public var history: Bool
    /// Whether inputs are written: personal data.
    public var inputs: Bool

    /// An export of these.
    public init(form: Form, records: Bool = true, history: Bool = true, inputs: Bool = false) {
        self.form = form
        self.records = records
        self.history = history
        self.inputs = inputs
    }

    /// The columns of a CSV export.
    static let columns = [
        "kind", "sequence", "at", "prefix", "app", "step", "key", "type", "value", "old", "revision", "origin",
        "evidence",
        "uid", "program",
    ]

    /// Hands over the lines, each with its end: whose each prefix is, records, then inputs, then the history from its beginning.
    ///
    /// - Throws: `OnboardingStorageError`, or what `emit` throws.
    public func write(_ suite: OnboardingSuite, emit: (String) throws -> Void) throws {
        switch form {
        case .jsonl: try emit("{\"doorstep\":\"export\",\"format\":1}\n")
        case .csv: try emit(CSV.line(Self.columns))
        }
        if records {
            for owner in try suite.prefixOwners() ?? [] { try emit(line(owner)) }
            for record in try suite.storedRecords() ?? [] { try emit(line(record)) }
        }
        if inputs {
            for input in try suite.storedInputs() ?? [] { try emit(line(input)) }
        }
        if history {
            // A page at a time: a history can be larger than memory.
            var last: Int64 = 0
            while true {
                let events = try suite.events(after: last, limit: 10_000)
                for event in events { try emit(line(event)) }
                guard let end = events.last else { return }
                last = end.sequence
            }
        }
    }

    private func line(_ owner: PrefixOwner) -> String {
        switch form {
        case .jsonl: Self.line(["kind": "app", "prefix": .string(owner.prefix), "app": .string(owner.app)])
        case .csv: csv(["kind": "app", "prefix": owner.prefix, "app": owner.app])
        }
    }

    private func line(_ stored: StoredRecord) -> String {
        let record = stored.record
        switch form {
        case .jsonl:
            var object: JSONObject = [
                "kind": "record", "prefix": .string(stored.prefix), "step": .string(stored.step.rawValue),
                "value": .bool(record.value), "revision": .integer(record.revision),
                "origin": .string(record.origin.rawValue), "at": .integer(Int(record.at.milliseconds)),
            ]
            if let evidence = record.evidence { object["evidence"] = .string(evidence) }
            return Self.line(object)
        case .csv:
            return csv([
                "kind": "record", "prefix": stored.prefix, "step": stored.step.rawValue, "value": "\(record.value)",
                "revision": "\(record.revision)", "origin": record.origin.rawValue, "at": "\(record.at.milliseconds)",
                "evidence": record.evidence,
            ])
        }
    }

    private func line(_ input: StoredInput) -> String {
        let (type, value): (String, JSONValue) =
            switch input.value {
            case .text(let text): ("text", .string(text))
            case .integer(let number): ("integer", .integer(number))
            case .toggle(let isOn): ("toggle", .bool(isOn))
            }
        switch form {
        case .jsonl:
            return Self.line([
                "kind": "input", "prefix": .string(input.prefix), "step": .string(input.step.rawValue),
                "key": .string(input.key), "type": .string(type), "value": value,
            ])
        case .csv:
            let text = value.string ?? value.serialized(.compact)
            return csv([
                "kind": "input", "prefix": input.prefix, "step": input.step.rawValue, "key": input.key, "type": type,
                "value": text,
            ])
        }
    }

    private func line(_ event: OnboardingEvent) -> String {
        switch form {
        case .jsonl:
            var object: JSONObject = [
                "kind": "event", "sequence": .integer(Int(event.sequence)), "at": .integer(Int(event.at.milliseconds)),
                "prefix": .string(event.prefix), "app": .string(event.app), "step": .string(event.step.rawValue),
                "old": event.old.map(JSONValue.bool) ?? .null, "new": event.new.map(JSONValue.bool) ?? .null,
                "revision": .integer(event.revision), "origin": .string(event.origin.rawValue),
            ]
            if let evidence = event.evidence { object["evidence"] = .string(evidence) }
            object["uid"] = .integer(Int(event.uid))
            object["program"] = .string(event.program)
            return Self.line(object)
        case .csv:
            return csv([
                "kind": "event", "sequence": "\(event.sequence)", "at": "\(event.at.milliseconds)",
                "prefix": event.prefix, "app": event.app, "step": event.step.rawValue, "old": event.old.map { "\($0)" },
                "value": event.new.map { "\($0)" }, "revision": "\(event.revision)", "origin": event.origin.rawValue,
                "evidence": event.evidence, "uid": "\(event.uid)", "program": event.program,
            ])
        }
    }

    private static func line(_ object: JSONObject) -> String { JSONValue.object(object).serialized(.compact) + "\n" }

    private func csv(_ values: [String: String?]) -> String {
        CSV.line(Self.columns.map { values[$0] ?? nil })
    }
}
