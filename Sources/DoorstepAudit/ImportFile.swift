internal import Doorstep
internal import DoorstepJSON
internal import DoorstepSQLite

/// What an import file holds, line by line, with every mistake.
struct ImportFile {
    /// The greatest place in a history: behind the greatest of all numbers there would be none for the next change.
    static let largestSequence = 1_000_000_000_000_000
    /// The most mistakes that are told.
    static let faultLimit = 50

    private(set) var restoration = SuiteRestoration()
    private(set) var faults: [String] = []
    private var seen: Set<String> = []

    /// Reads an export of ours: CSV if it begins with our header, else JSON Lines.
    init(_ bytes: [UInt8]) {
        if bytes.starts(with: "kind,".utf8) {
            readCSV(bytes)
        } else {
            readLines(bytes)
        }
    }

    private mutating func readLines(_ bytes: [UInt8]) {
        var isHeader = true
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty || line.elementsEqual([0x0D]) { continue }
            do throws(JSONSyntaxError) {
                let value = try JSONValue(parsing: Array(line))
                if isHeader {
                    isHeader = false
                    if value.object?["doorstep"]?.string == "export" {
                        if value.object?["format"]?.integer != 1 {
                            fault("this export has a format that this doorstep doesn't know; accepted: 1", index + 1)
                            return
                        }
                        continue
                    }
                    fault(
                        "this is no export of doorstep: its first line must be {\"doorstep\":\"export\",\"format\":1}",
                        index + 1)
                    return
                }
                let reader = JSONReader(value)
                read(reader, line: index + 1)
            } catch {
                fault("this is not JSON: \(error.description)", index + 1)
            }
        }
        if isHeader { fault("the file is empty", 1) }
    }

    private mutating func readCSV(_ bytes: [UInt8]) {
        let (rows, broken) = CSV.rows(bytes)
        if let broken { fault("a quoted value doesn't end, or a quote stands where none may", broken) }
        guard let header = rows.first?.values.map({ $0 ?? "" }), header == SuiteExport.columns else {
            fault("the first line must be \(SuiteExport.columns.joined(separator: ","))", 1)
            return
        }
        for row in rows.dropFirst() {
            if row.values.count != header.count {
                fault("this row has \(row.values.count) values; it must have \(header.count)", row.line)
                continue
            }
            var texts: [String: String] = [:]
            for (name, value) in zip(header, row.values) { texts[name] = value }
            read(JSONReader(.object(Self.object(texts))), line: row.line)
        }
    }

    /// A CSV row as the object that the same line has in JSON Lines.
    private static func object(_ texts: [String: String]) -> JSONObject {
        let kind = texts["kind"] ?? ""
        func answer(_ text: String?) -> JSONValue {
            switch text {
            case "true": true
            case "false": false
            case nil: .null
            case let text?: .string(text)
            }
        }
        func number(_ text: String) -> JSONValue { Int(text).map(JSONValue.integer) ?? .string(text) }
        var object = JSONObject()
        for (name, text) in texts where name != "value" && name != "old" {
            object[name] = ["sequence", "at", "revision", "uid"].contains(name) ? number(text) : .string(text)
        }
        switch kind {
        case "record": object["value"] = answer(texts["value"])
        case "event":
            object["old"] = answer(texts["old"])
            object["new"] = answer(texts["value"])
        case "input":
            let text = texts["value"] ?? ""
            switch texts["type"] {
            case "integer": object["value"] = number(text)
            case "toggle": object["value"] = answer(text)
            default: object["value"] = .string(text)
            }
        default: break
        }
        return object
    }

    private mutating func read(_ reader: JSONReader, line: Int) {
        enum Kind: String, CaseIterable { case app, record, input, event }
        let kind = reader.choice("kind", of: Kind.self, default: .record)
        if !reader.has("kind") {
            reader.fault("this key is missing; it must be app, record, input or event", at: "kind")
        }
        let prefix = reader.string("prefix", check: FlowRegistration.fault(ofPrefix:))
        let step = kind == .app ? "" : OnboardingStepID(reader.string("step") { OnboardingStepID($0).fault })
        var key = "\(kind.rawValue)\u{0}\(prefix)\u{0}\(step)"
        switch kind {
        case .app:
            let owner = PrefixOwner(app: reader.string("app", check: FlowRegistration.fault(ofApp:)), prefix: prefix)
            if let other = restoration.owners.first(where: { $0.app == owner.app || $0.overlaps(owner) }) {
                reader.fault("its app or prefix overlaps those of \"\(other.app)\" on an earlier line")
            }
            restoration.owners.append(owner)
        case .record:
            let record = OnboardingRecord(
                value: reader.bool("value"), revision: reader.integer("revision", in: 1...1_000_000_000),
                origin: reader.choice("origin", of: OnboardingOrigin.self, default: .import), at: Self.instant(reader),
                evidence: reader.optionalString("evidence"))
            if record.origin == .policy { reader.fault("a suite never holds a policy's answer", at: "origin") }
            restoration.records.append(StoredRecord(prefix: prefix, step: step, record: record))
        case .input:
            let name = reader.string("key") { $0.isEmpty || $0.utf8.count > 255 ? "a key has 1 to 255 bytes" : nil }
            key += "\u{0}\(name)"
            if let value = Self.input(reader) {
                restoration.inputs.append(StoredInput(prefix: prefix, step: step, key: name, value: value))
            }
        case .event:
            let event = Self.event(reader, prefix: prefix, step: step)
            key = "event\u{0}\(event.sequence)"
            restoration.events.append(event)
        }
        let found = reader.finish()
        for found in found { fault(found.description, line) }
        if found.isEmpty, !seen.insert(key).inserted {
            fault("the same \(kind.rawValue) stands on an earlier line", line)
        }
    }

    private static func instant(_ reader: JSONReader) -> OnboardingInstant {
        OnboardingInstant(milliseconds: Int64(reader.integer("at")))
    }

    private static func event(_ reader: JSONReader, prefix: String, step: OnboardingStepID) -> OnboardingEvent {
        func answer(_ key: String) -> Bool? {
            reader.optionalValue(key) { value in
                value.isNull || value.bool != nil ? nil : "this is \(value.typeName); it must be true, false or null"
            }?.bool
        }
        let (old, new) = (answer("old"), answer("new"))
        if old == nil, new == nil { reader.fault("an event has an old answer or a new one") }
        return OnboardingEvent(
            sequence: Int64(reader.integer("sequence", in: 1...Self.largestSequence)), at: instant(reader),
            prefix: prefix,
            app: reader.string("app") { $0.isEmpty ? "an app's name has at least one byte" : nil }, step: step,
            old: old,
            new: new, revision: reader.integer("revision", in: 1...1_000_000_000),
            origin: reader.choice("origin", of: OnboardingOrigin.self, default: .import),
            evidence: reader.optionalString("evidence"),
            uid: UInt32(reader.integer("uid", in: 0...Int(UInt32.max))), program: reader.string("program"))
    }

    /// The value of an input; a fault never repeats it.
    private static func input(_ reader: JSONReader) -> OnboardingInputValue? {
        enum Kind: String, CaseIterable { case text, integer, toggle }
        let kind = reader.choice("type", of: Kind.self, default: .text)
        let value = reader.value("value")
        switch kind {
        case .text: if let text = value.string { return .text(text) }
        case .integer: if let number = value.integer { return .integer(number) }
        case .toggle: if let isOn = value.bool { return .toggle(isOn) }
        }
        reader.fault("this is \(value.typeName), which no input of the type \(kind.rawValue) is", at: "value")
        return nil
    }

    private mutating func fault(_ message: String, _ line: Int) {
        if faults.count < Self.faultLimit { faults.append("line \(line): \(message)") }
    }
}
