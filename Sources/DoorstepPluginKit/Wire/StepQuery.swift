public import DoorstepJSON

/// What a plugin is told about the step that a question is about.
public struct StepQuery: Sendable, Hashable {
    /// The kind, which is one of the plugin's.
    public var kind: String
    /// The app's ID, for example `com.example.aurora`.
    public var app: String
    /// The step's ID.
    public var step: String
    /// The step's options, as they stand in the app's manifest.
    public var options: JSONObject
    /// The reader's first language, a BCP 47 tag; `en` where nothing says.
    public var locale: String
    /// How many milliseconds are left for the answer.
    public var deadlineMilliseconds: Int
    /// What the step's check said last; for a page only, and only where it was asked.
    public var satisfaction: Satisfaction?

    /// A query from its parts.
    public init(
        kind: String, app: String, step: String, options: JSONObject, locale: String, deadlineMilliseconds: Int,
        satisfaction: Satisfaction? = nil
    ) {
        self.kind = kind
        self.app = app
        self.step = step
        self.options = options
        self.locale = locale
        self.deadlineMilliseconds = deadlineMilliseconds
        self.satisfaction = satisfaction
    }

    init(_ members: JSONObject) throws(PluginMessageError) {
        guard let kind = members["kind"]?.string else { throw PluginMessageError("the request names no kind") }
        self.init(
            kind: kind, app: members["app"]?.string ?? "", step: members["step"]?.string ?? "",
            options: members["options"]?.object ?? [:], locale: members["locale"]?.string ?? "en",
            deadlineMilliseconds: members["deadline_ms"]?.integer ?? 1000)
        if let last = members["last"]?.object { satisfaction = try Satisfaction(wire: last) }
    }

    var json: JSONObject { json(action: nil) }

    func json(action: String?) -> JSONObject {
        var object: JSONObject = ["kind": .string(kind)]
        if let action { object["action"] = .string(action) }
        object["app"] = .string(app)
        object["step"] = .string(step)
        object["options"] = .object(options)
        object["locale"] = .string(locale)
        object["deadline_ms"] = .integer(deadlineMilliseconds)
        if let satisfaction { object["last"] = .object(satisfaction.wire) }
        return object
    }
}
