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
    private var known: [String] = []
    private var allowsUnknownKeys = false
    private var isFinished = false

    /// The faults of a document, shared by its readers.
    final class Report {
        private(set) var faults: [JSONFault] = []
        private var met: Set<JSONFault> = []

        func add(_ fault: JSONFault) {
            if met.insert(fault).inserted { faults.append(fault) }
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
        if !known.contains(key) { known.append(key) }
    }

    func child(_ value: JSONValue?, at path: JSONPath) -> JSONReader {
        let child = JSONReader(value, at: path, report: report)
        children.append(child)
        return child
    }

    private func reportUnknownKeys() {
        let accepted = Set(known)
        for key in object.keys where !accepted.contains(key) {
            fault("this key is unknown;\(JSONFault.hint(key, among: known))", at: key)
        }
    }
}

extension JSONFault {
    static func wrongType(_ value: JSONValue, at path: JSONPath, accepted: String) -> JSONFault {
        JSONFault(path: path, message: "this is \(value.typeName); it must be \(accepted)")
    }

    /// What is accepted instead of a word, the nearest spelling first.
    static func hint(_ word: String, among accepted: [String]) -> String {
        let nearest = nearestSpelling(of: word, among: accepted).map { " did you mean \(quoted($0))?" } ?? ""
        let list = accepted.map(quoted).joined(separator: ", ")
        return nearest + (list.isEmpty ? " none is accepted here" : " accepted: \(list)")
    }
}
