/// Reads the members of one object and collects every mistake instead of stopping at the first.
///
///     let manifest = try JSONReader.read(value) { reader in
///         Manifest(
///             app: reader.string("app"),
///             commit: reader.choice("commit", of: Commit.self, default: .eachStep),
///             steps: reader.array("steps") { Step(id: $0.string("id"), required: $0.bool("required", default: false)) })
///     }
///
/// A mistake yields a placeholder (an empty string, the range's lower bound, an empty array …) so that reading goes on;
/// ``read(_:at:_:)`` never lets a placeholder out. Checks of one's own belong in a `check` closure, which runs only on
/// values that were really there and returns what is wrong with one, or nil. Keys that nobody asked for are mistakes,
/// found by ``finish()``. `null` is a value like any other, so an optional member is left out, not null.
///
/// A reader of a missing or wrong object reads as empty and stays silent: one mistake is reported once.
public final class JSONReader {
    /// Where the object stands in its document.
    public let path: JSONPath
    /// The members; empty when the value is no object.
    public let object: JSONObject

    let report: Report
    let isSilent: Bool
    private var children: [JSONReader] = []
    /// The keys that were asked for, in the order a message lists them, and the required ones that were missing.
    private var known: [String] = []
    /// The same, once they are so many that looking through them takes longer than hashing.
    private var knownSet: Set<String> = []
    private static let few = 16
    private var missing: [String: JSONFault] = [:]
    private var allowsUnknownKeys = false
    private var isFinished = false

    /// The faults of a document, shared by its readers.
    final class Report {
        private(set) var faults: [JSONFault] = []
        private var met: Set<JSONFault> = []

        func add(_ fault: JSONFault) {
            if met.insert(fault).inserted { faults.append(fault) }
        }

        func remove(_ fault: JSONFault) {
            if met.remove(fault) != nil { faults.removeAll { $0 == fault } }
        }
    }

    init(_ value: JSONValue?, at path: JSONPath, report: Report) {
        self.path = path
        self.report = report
        self.object = value?.object ?? JSONObject()
        self.isSilent = value?.object == nil
        if let value, isSilent { report.add(.wrongType(value, at: path, accepted: "an object")) }
    }

    /// Starts on a value, which is reported when it is no object.
    public convenience init(_ value: JSONValue, at path: JSONPath = .root) {
        self.init(value, at: path, report: Report())
    }

    /// Reads a value and throws every mistake in it, those in nested readers and unknown keys included.
    public static func read<Result>(
        _ value: JSONValue, at path: JSONPath = .root, _ body: (JSONReader) -> Result
    ) throws(JSONFaults) -> Result {
        let reader = JSONReader(value, at: path)
        let result = body(reader)
        let faults = reader.finish()
        if !faults.isEmpty { throw JSONFaults(faults) }
        return result
    }

    /// Reports the keys that nobody asked for, here and in nested readers, and returns every mistake of the document.
    @discardableResult public func finish() -> [JSONFault] {
        if !isFinished {
            isFinished = true
            if !allowsUnknownKeys { reportUnknownKeys() }
            for child in children { child.finish() }
        }
        return report.faults
    }

    /// The mistakes of the document so far, unknown keys not included before ``finish()``.
    public var faults: [JSONFault] { report.faults }

    /// Reports a mistake of a member, or of the object itself.
    public func fault(_ message: String, at key: String? = nil) {
        if !isSilent { report.add(JSONFault(path: key.map(path.key) ?? path, message: message)) }
    }

    /// Takes over mistakes that others found in a part of the document.
    public func add(_ faults: [JSONFault]) {
        for fault in faults { report.add(fault) }
    }

    /// Accepts members without reading them.
    public func allow(_ keys: String...) {
        for key in keys { note(key) }
    }

    /// Accepts whatever members are left: for messages of later versions, or where their meaning depends on a mistake.
    public func allowUnknownKeys() { allowsUnknownKeys = true }

    func note(_ key: String) {
        if isKnown(key) { return }
        known.append(key)
        if known.count == Self.few + 1 { knownSet = Set(known) } else if known.count > Self.few { knownSet.insert(key) }
    }

    private func isKnown(_ key: String) -> Bool {
        known.count > Self.few ? knownSet.contains(key) : known.contains(key)
    }

    func noteMissing(_ key: String, accepted: String) {
        guard !isSilent, missing[key] == nil else { return }
        let fault = JSONFault(path: path.key(key), message: "this key is missing; it must be \(accepted)")
        missing[key] = fault
        report.add(fault)
    }

    func child(_ value: JSONValue?, at path: JSONPath) -> JSONReader {
        let child = JSONReader(value, at: path, report: report)
        children.append(child)
        return child
    }

    private func reportUnknownKeys() {
        for key in object.keys where !isKnown(key) {
            let absent = known.filter { missing[$0] != nil }
            let nearest = nearestSpelling(of: key, among: absent) ?? nearestSpelling(of: key, among: known)
            // A required key that is misspelt is one mistake, not a missing key and an unknown one.
            if let nearest, let fault = missing.removeValue(forKey: nearest) { report.remove(fault) }
            fault("this key is unknown\(JSONFault.hint(nearest, accepted: known))", at: key)
        }
    }
}

extension JSONFault {
    static func wrongType(_ value: JSONValue, at path: JSONPath, accepted: String) -> JSONFault {
        JSONFault(path: path, message: "this is \(value.typeName); it must be \(accepted)")
    }

    /// What is accepted instead of an unknown word, after the nearest spelling.
    package static func hint(_ nearest: String?, accepted: [String]) -> String {
        let question = nearest.map { " (did you mean \(quoted($0))?)" } ?? ""
        let list = accepted.map(quoted).joined(separator: ", ")
        return question + (list.isEmpty ? "; none is accepted here" : "; accepted are \(list)")
    }
}
