internal import Doorstep
internal import DoorstepJSON
internal import DoorstepPluginKit
internal import DoorstepRegistry

/// The JSON that commands print: an object with the version of its shape, which changes only by addition.
enum JSONOutput {
    static func print(_ members: JSONObject) throws(CommandFailure) {
        var object: JSONObject = ["version": 1]
        for (key, value) in members { object[key] = value }
        try Console.write(JSONValue.object(object).serialized(.pretty) + "\n")
    }
}

extension JSONValue {
    /// A value, or null.
    init(_ text: String?) {
        self = text.map(JSONValue.string) ?? .null
    }

    /// A value, or null.
    init(_ flag: Bool?) {
        self = flag.map(JSONValue.bool) ?? .null
    }
}

extension Satisfaction {
    /// The members of a check's answer.
    var json: JSONObject {
        [
            "status": .string(status.name), "mode": JSONValue(status.mode?.rawValue),
            "basis": JSONValue(basis?.rawValue), "satisfied": JSONValue(isSatisfied), "evidence": .string(evidence),
        ]
    }

    /// The status with its mode and basis, such as `granted (muted, ungated)`.
    var statusText: String {
        let details = [status.mode.flatMap { $0 == .always ? nil : $0.rawValue }, basis?.rawValue].compactMap { $0 }
        return details.isEmpty ? status.name : "\(status.name) (\(details.joined(separator: ", ")))"
    }
}

extension Duration {
    /// Milliseconds with one decimal.
    var milliseconds: Double {
        (self / .microseconds(100)).rounded() / 10
    }
}

/// How a record is printed.
enum RecordText {
    static func of(_ value: Bool?) -> String {
        value.map { $0 ? "true" : "false" } ?? "unrecorded"
    }

    /// An answer that no longer counts.
    static func outdated(_ revision: Int, now: Int) -> String { "answered at revision \(revision), now \(now)" }
}
