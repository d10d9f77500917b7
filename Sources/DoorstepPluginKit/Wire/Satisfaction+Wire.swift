internal import DoorstepJSON

extension Satisfaction {
    /// The members of an answer in a message.
    var wire: JSONObject {
        var object: JSONObject = [
            "satisfied": isSatisfied.map(JSONValue.bool) ?? .null, "status": .string(status.name),
        ]
        if let mode = status.mode, mode != .always { object["mode"] = .string(mode.rawValue) }
        if let basis { object["basis"] = .string(basis.rawValue) }
        object["evidence"] = .string(evidence)
        return object
    }

    /// Reads an answer's members. Only `satisfied` and `evidence` are needed; a status that isn't given is `granted`,
    /// `notDetermined` or `unknown`, as `satisfied` says.
    init(wire object: JSONObject) throws(PluginMessageError) {
        let isSatisfied: Bool?
        switch object["satisfied"] {
        case .bool(let value): isSatisfied = value
        case .null: isSatisfied = nil
        default: throw PluginMessageError("\"satisfied\" must be true, false or null")
        }
        guard let evidence = object["evidence"]?.string, !evidence.isEmpty else {
            throw PluginMessageError("\"evidence\" must be one line of text: what was asked, and what it said")
        }
        let status = try Self.status(object, isSatisfied: isSatisfied)
        switch (isSatisfied, status) {
        case (true, .granted), (false, _), (nil, _): break
        case (true, _):
            throw PluginMessageError("\"satisfied\" is true but \"status\" is \(status.name); only granted satisfies")
        }
        var basis: GrantBasis?
        if let word = object["basis"], !word.isNull {
            basis = word.string.flatMap(GrantBasis.init)
            if basis == nil {
                throw PluginMessageError("\"basis\" must be one of \(GrantBasis.allCases.map(\.rawValue).list)")
            }
        }
        if case .granted = status {} else { basis = nil }
        self.init(
            isSatisfied: isSatisfied, status: isSatisfied == nil && status != .unavailable ? .unknown : status,
            basis: basis, evidence: WireText.line(evidence))
    }

    private static func status(_ object: JSONObject, isSatisfied: Bool?) throws(PluginMessageError)
        -> AuthorizationStatus
    {
        var mode = GrantMode.always
        if let word = object["mode"], !word.isNull {
            guard let read = word.string.flatMap(GrantMode.init) else {
                throw PluginMessageError("\"mode\" must be one of \(GrantMode.allCases.map(\.rawValue).list)")
            }
            mode = read
        }
        guard let word = object["status"] else {
            return isSatisfied.map { $0 ? .granted(mode) : .notDetermined } ?? .unknown
        }
        switch word.string {
        case "notDetermined": return .notDetermined
        case "restricted": return .restricted
        case "denied": return .denied
        case "granted": return .granted(mode)
        case "unavailable": return .unavailable
        case "unknown": return .unknown
        default:
            throw PluginMessageError(
                "\"status\" must be one of notDetermined, restricted, denied, granted, unavailable, unknown")
        }
    }
}

extension [String] {
    fileprivate var list: String { joined(separator: ", ") }
}
