public import DoorstepJSON

/// One line from the host to a plugin.
///
/// The members stand in a fixed order, the ID first and without spaces, so that a shell script can cut them out.
public enum HostMessage: Sendable, Hashable {
    /// A question that wants one answer.
    case request(PluginRequest)
    /// The answer to this request is no longer waited for.
    case cancel(Int)

    /// The line, without its end.
    public var line: String {
        switch self {
        case .cancel(let id): JSONValue.object(["cancel": .integer(id)]).serialized(.compact)
        case .request(let request): request.json.serialized(.compact)
        }
    }

    /// Reads a line.
    ///
    /// - Throws: ``PluginMessageError``: what isn't JSON, not an object, or no message of the protocol. Unknown members are
    ///   ignored.
    public init(line: [UInt8]) throws(PluginMessageError) {
        let object = try JSONObject(line: line)
        if let cancelled = object["cancel"] {
            guard let id = cancelled.integer else { throw PluginMessageError("\"cancel\" must be a request's ID") }
            self = .cancel(id)
            return
        }
        guard let id = object["id"]?.integer, id >= 0 else {
            throw PluginMessageError("\"id\" must be a whole number from 0")
        }
        self = .request(PluginRequest(id: id, call: try PluginRequest.call(object)))
    }
}

/// One question to a plugin.
public struct PluginRequest: Sendable, Hashable {
    /// What is asked.
    public enum Call: Sendable, Hashable {
        /// The greeting: which protocol the host speaks, and its name.
        case hello(version: Int, host: String)
        /// Whether a step's options are good.
        case validate(kind: String, options: JSONObject)
        /// Whether a step is satisfied.
        case check(StepQuery)
        /// A step's page.
        case page(StepQuery)
        /// Do what an action of the step's page stands for.
        case perform(action: String, StepQuery)
        /// A method of a later version.
        case unknown(String)
    }

    /// What the answer is matched by.
    public var id: Int
    /// What is asked.
    public var call: Call

    /// A request from its parts.
    public init(id: Int, call: Call) {
        self.id = id
        self.call = call
    }

    var json: JSONValue {
        let (method, members): (String, JSONObject) =
            switch call {
            case .hello(let version, let host): ("hello", ["protocol": .integer(version), "host": .string(host)])
            case .validate(let kind, let options): ("validate", ["kind": .string(kind), "options": .object(options)])
            case .check(let query): ("check", query.json)
            case .page(let query): ("page", query.json)
            case .perform(let action, let query): ("perform", query.json(action: action))
            case .unknown(let method): (method, [:])
            }
        return ["id": .integer(id), method: .object(members)]
    }

    static func call(_ object: JSONObject) throws(PluginMessageError) -> Call {
        guard let (method, value) = object.first(where: { $0.key != "id" }) else {
            throw PluginMessageError("the request names no method")
        }
        guard let members = value.object else { throw PluginMessageError("\"\(method)\" must be an object") }
        switch method {
        case "hello":
            guard let version = members["protocol"]?.integer else {
                throw PluginMessageError("hello's \"protocol\" must be a whole number")
            }
            return .hello(version: version, host: members["host"]?.string ?? "")
        case "validate":
            guard let kind = members["kind"]?.string else { throw PluginMessageError("validate names no kind") }
            return .validate(kind: kind, options: members["options"]?.object ?? [:])
        case "check": return .check(try StepQuery(members))
        case "page": return .page(try StepQuery(members))
        case "perform":
            guard let action = members["action"]?.string else { throw PluginMessageError("perform names no action") }
            return .perform(action: action, try StepQuery(members))
        default: return .unknown(method)
        }
    }
}

extension JSONObject {
    /// The object on a line of the protocol.
    init(line: [UInt8]) throws(PluginMessageError) {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONValue(parsing: line, limits: PluginProtocol.limits)
        } catch {
            throw PluginMessageError("the line is not JSON: \(error.message), in column \(error.column)")
        }
        guard let object = value.object else {
            throw PluginMessageError("the line is \(value.typeName); it must be an object")
        }
        self = object
    }
}
