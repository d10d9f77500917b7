internal import Doorstep
internal import DoorstepJSON
internal import DoorstepRegistry
internal import DoorstepSQLite

/// What a child that reads somebody else's suite tells its parent: one JSON object a line.
enum SuiteWire {
    static func lines(_ contents: SuiteContents, emit: (String) -> Bool) -> Bool {
        for app in contents.apps {
            let kept = app.registration
            var object: JSONObject = [
                "app": .string(kept.app), "prefix": .string(kept.prefix), "commit": .string(kept.commit.rawValue),
                "welcome": .bool(kept.welcome != nil),
            ]
            if let source = kept.source {
                object["source"] = [
                    .string(source.path), .integer(Int(source.device)), .integer(Int(source.inode)),
                    .integer(Int(source.size)), .integer(Int(source.modified)), .integer(Int(source.changed)),
                ]
            }
            object["steps"] = .array(
                zip(kept.allSteps, app.records).map { step, record in
                    var object: JSONObject = [
                        "id": .string(step.id.rawValue), "required": .bool(step.isRequired),
                        "skippable": .bool(step.isSkippable), "revision": .integer(step.revision),
                    ]
                    if let record { object["record"] = json(record) }
                    return .object(object)
                })
            if !emit(JSONValue.object(object).serialized(.compact)) { return false }
        }
        for stray in contents.strays {
            let object: JSONObject = [
                "prefix": .string(stray.prefix), "step": .string(stray.step.rawValue), "record": json(stray.record),
            ]
            if !emit(JSONValue.object(object).serialized(.compact)) { return false }
        }
        return emit("{\"end\":true}")
    }

    static func lines(_ totals: [PrefixTotals], emit: (String) -> Bool) -> Bool {
        for prefix in totals {
            let object: JSONObject = [
                "prefix": .string(prefix.prefix), "records": .integer(prefix.records),
                "true": .integer(prefix.granted), "false": .integer(prefix.declined),
                "first": .integer(Int(prefix.first.milliseconds)), "last": .integer(Int(prefix.last.milliseconds)),
            ]
            if !emit(JSONValue.object(object).serialized(.compact)) { return false }
        }
        return emit("{\"end\":true}")
    }

    static func line(_ error: OnboardingStorageError) -> String {
        let object: JSONObject = ["error": .string(error.code.rawValue), "message": .string(error.message)]
        return JSONValue.object(object).serialized(.compact)
    }

    /// What came of one line.
    enum Part {
        case app(SuiteContents.App)
        case stray(StoredRecord)
        case totals(PrefixTotals)
        case failure(OnboardingStorageError)
        case end
    }

    /// One line, or nil for what no child of ours writes.
    static func part(_ bytes: [UInt8]) -> Part? {
        guard let object = try? JSONValue(parsing: bytes).object else { return nil }
        if object["end"]?.bool == true { return .end }
        if let code = object["error"]?.string.flatMap(OnboardingStorageError.Code.init(rawValue:)) {
            return .failure(OnboardingStorageError(code, object["message"]?.string ?? ""))
        }
        guard let prefix = object["prefix"]?.string else { return nil }
        if let totals = totals(object, of: prefix) { return .totals(totals) }
        guard let app = object["app"]?.string else {
            guard let step = object["step"]?.string, let record = object["record"].flatMap(record) else { return nil }
            return .stray(StoredRecord(prefix: prefix, step: OnboardingStepID(step), record: record))
        }
        guard let commit = object["commit"]?.string.flatMap(OnboardingCommitMode.init(rawValue:)),
            let steps = object["steps"]?.array
        else { return nil }
        var found = SuiteContents.App(
            registration: FlowRegistration(app: app, prefix: prefix, source: source(object["source"]), commit: commit),
            records: [])
        for (place, step) in steps.enumerated() {
            guard let step = step.object, let id = step["id"]?.string else { return nil }
            let config = OnboardingStepConfig(
                id: OnboardingStepID(id), isRequired: step["required"]?.bool ?? false,
                isSkippable: step["skippable"]?.bool ?? false, revision: step["revision"]?.integer ?? 1)
            if place == 0, object["welcome"]?.bool == true {
                found.registration.welcome = config
            } else {
                found.registration.steps.append(config)
            }
            found.records.append(step["record"].flatMap(record))
        }
        return .app(found)
    }

    private static func totals(_ object: JSONObject, of prefix: String) -> PrefixTotals? {
        guard let records = object["records"]?.integer, let granted = object["true"]?.integer,
            let declined = object["false"]?.integer, let first = object["first"]?.integer,
            let last = object["last"]?.integer
        else { return nil }
        return PrefixTotals(
            prefix: prefix, records: records, granted: granted, declined: declined,
            first: OnboardingInstant(milliseconds: Int64(first)), last: OnboardingInstant(milliseconds: Int64(last)))
    }

    private static func source(_ value: JSONValue?) -> ManifestIdentity? {
        guard let parts = value?.array, parts.count == 6, let path = parts[0].string else { return nil }
        let numbers = parts.dropFirst().compactMap { $0.integer.map(Int64.init) }
        guard numbers.count == 5 else { return nil }
        return ManifestIdentity(
            path: path, device: numbers[0], inode: numbers[1], size: numbers[2], modified: numbers[3],
            changed: numbers[4])
    }

    private static func json(_ record: OnboardingRecord) -> JSONValue {
        var object: JSONObject = [
            "value": .bool(record.value), "revision": .integer(record.revision),
            "origin": .string(record.origin.rawValue), "at": .integer(Int(record.at.milliseconds)),
        ]
        if let evidence = record.evidence { object["evidence"] = .string(evidence) }
        return .object(object)
    }

    private static func record(_ value: JSONValue) -> OnboardingRecord? {
        guard let object = value.object, let answer = object["value"]?.bool, let revision = object["revision"]?.integer,
            let origin = object["origin"]?.string.flatMap(OnboardingOrigin.init(rawValue:)),
            let at = object["at"]?.integer
        else { return nil }
        return OnboardingRecord(
            value: answer, revision: revision, origin: origin, at: OnboardingInstant(milliseconds: Int64(at)),
            evidence: object["evidence"]?.string)
    }
}
