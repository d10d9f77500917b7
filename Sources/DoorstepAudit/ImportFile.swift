internal import Doorstep
internal import DoorstepJSON
internal import DoorstepSQLite

/// An import file that is read line by line into a restoration, with every mistake.
struct ImportFile {
    /// The moments that anything can be of: those of the years 1 to 9999.
    static let moments = -62_135_596_800_000...253_402_300_799_999
    /// What a property list begins with.
    private static let propertyListStarts = ["bplist00", "<?xml", "<!DOCTYPE plist", "<plist"]
    /// The most mistakes that are told.
    static let faultLimit = 50

    private let restoration: SuiteRestoration
    private var found: [(line: Int, message: String)] = []

    /// The mistakes in the order of their lines.
    var faults: [String] {
        found.sorted { $0.line < $1.line }.prefix(Self.faultLimit).map { "line \($0.line): \($0.message)" }
    }

    /// Reads an export of ours: CSV if it begins with our header, else JSON Lines.
    init(_ source: consuming ImportSource, into restoration: SuiteRestoration) throws(SuiteImport.Failure) {
        self.restoration = restoration
        for start in Self.propertyListStarts where try source.begins(with: start.utf8) {
            fault("this looks like a property list; one is imported with --from plist and --app", 1)
            return
        }
        if try source.begins(with: "kind,".utf8) {
            try readCSV(&source)
        } else {
            try readLines(&source)
        }
        do throws(OnboardingStorageError) {
            let repeats = try restoration.finish(limit: Self.faultLimit)
            for line in repeats.records { fault(Self.repeats(.record), line) }
            for line in repeats.events { fault(Self.repeats(.event), line) }
        } catch {
            throw .storage(error)
        }
    }

    /// Whether there are more mistakes than are told, so that reading on tells nothing.
    private var isHopeless: Bool { found.count >= Self.faultLimit }

    private mutating func readLines(_ source: inout ImportSource) throws(SuiteImport.Failure) {
        var isHeader = true
        var number = 0
        while !isHopeless, let line = try source.line() {
            number += 1
            if line.isEmpty || line.elementsEqual([0x0D]) { continue }
            let value: JSONValue
            do throws(JSONSyntaxError) {
                value = try JSONValue(parsing: line)
            } catch {
                fault("this is not JSON: \(error.message), in column \(error.column)", number)
                // Behind a line that should have said what this is, nothing is worth a word.
                if isHeader { return }
                continue
            }
            if !isHeader {
                try read(JSONReader(value), line: number)
                continue
            }
            isHeader = false
            if value.object?["doorstep"]?.string != "export" {
                fault(
                    "this is no export of doorstep: its first line must be {\"doorstep\":\"export\",\"format\":1}",
                    number)
                return
            }
            if value.object?["format"]?.integer != 1 {
                fault("this export has a format that this doorstep doesn't know; accepted: 1", number)
                return
            }
        }
        if isHeader { fault("the file is empty", 1) }
    }

    private mutating func readCSV(_ source: inout ImportSource) throws(SuiteImport.Failure) {
        let header = SuiteExport.columns
        let broken = try CSV.forEachRow(of: &source) { (row) throws(SuiteImport.Failure) in
            if row.line == 1 {
                if row.count == header.count, row.values == header { return true }
                fault("the first line must be \(header.joined(separator: ","))", 1)
                return false
            }
            if row.count != header.count {
                fault("this row has \(row.count) values; it must have \(header.count)", row.line)
                return !isHopeless
            }
            var texts: [String: String] = [:]
            for (name, value) in zip(header, row.values) { texts[name] = value }
            try read(JSONReader(.object(Self.object(texts))), line: row.line)
            return !isHopeless
        }
        if let broken { fault("a quoted value doesn't end, or a quote stands where none may", broken) }
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

    private enum Kind: String, CaseIterable { case app, record, input, event }

    private static func repeats(_ kind: Kind) -> String { "the same \(kind.rawValue) stands on an earlier line" }

    private mutating func read(_ reader: JSONReader, line: Int) throws(SuiteImport.Failure) {
        let kind = reader.choice("kind", of: Kind.self, default: .record)
        if !reader.has("kind") {
            reader.fault("this key is missing; it must be app, record, input or event", at: "kind")
        }
        let prefix = reader.string("prefix", check: FlowRegistration.fault(ofPrefix:))
        let step = kind == .app ? "" : OnboardingStepID(reader.string("step") { OnboardingStepID($0).fault })
        do throws(OnboardingStorageError) {
            switch kind {
            case .app:
                let owner = try owner(reader, prefix: prefix)
                if isFaultless(reader, line) { try restoration.add(owner) }
            case .record:
                let record = Self.record(reader)
                if isFaultless(reader, line) {
                    try restoration.add(StoredRecord(prefix: prefix, step: step, record: record), line: line)
                }
            case .input:
                let name = reader.string("key") {
                    $0.isEmpty || $0.utf8.count > 255 ? "a key has 1 to 255 bytes" : nil
                }
                let value = Self.input(reader)
                guard isFaultless(reader, line), let value else { return }
                let isNew = try restoration.add(StoredInput(prefix: prefix, step: step, key: name, value: value))
                if !isNew { fault(Self.repeats(.input), line) }
            case .event:
                let event = Self.event(reader, prefix: prefix, step: step)
                if isFaultless(reader, line) { try restoration.add(event, line: line) }
            }
        } catch {
            throw .storage(error)
        }
    }

    /// Ends the reading of a line, and tells its mistakes.
    private mutating func isFaultless(_ reader: JSONReader, _ line: Int) -> Bool {
        let faults = reader.finish()
        for found in faults { fault(found.description, line) }
        return faults.isEmpty
    }

    private func owner(_ reader: JSONReader, prefix: String) throws(OnboardingStorageError) -> PrefixOwner {
        let owner = PrefixOwner(app: reader.string("app", check: FlowRegistration.fault(ofApp:)), prefix: prefix)
        if let other = try restoration.rival(of: owner) {
            reader.fault("its app or prefix overlaps those of \"\(other)\" on an earlier line")
        }
        return owner
    }

    private static func record(_ reader: JSONReader) -> OnboardingRecord {
        let record = OnboardingRecord(
            value: reader.bool("value"), revision: reader.integer("revision", in: 1...1_000_000_000),
            origin: reader.choice("origin", of: OnboardingOrigin.self, default: .import), at: instant(reader),
            evidence: reader.optionalString("evidence"))
        if record.origin == .policy { reader.fault("a suite never holds a policy's answer", at: "origin") }
        return record
    }

    private static func instant(_ reader: JSONReader) -> OnboardingInstant {
        let moment = reader.integer("at")
        if !moments.contains(moment) {
            reader.fault(
                "this moment is in none of the years 1 to 9999; accepted are milliseconds since 1970 from \(moments.lowerBound) to \(moments.upperBound)",
                at: "at")
        }
        return OnboardingInstant(milliseconds: Int64(moment))
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
            sequence: Int64(reader.integer("sequence", in: 1...Int(OnboardingEvent.largestSequence))),
            at: instant(reader),
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
        found.append((line, message))
    }
}
