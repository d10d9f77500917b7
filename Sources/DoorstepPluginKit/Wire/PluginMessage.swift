public import DoorstepJSON

/// One line from a plugin to its host: the answer to one request.
public struct PluginMessage: Sendable, Hashable {
    /// What is answered.
    public enum Answer: Sendable, Hashable {
        /// The greeting.
        case hello(PluginHello)
        /// The options are good.
        case valid
        /// The options have these mistakes, at least one.
        case faults([PluginOptionFault])
        /// What a check says.
        case satisfaction(Satisfaction)
        /// A page, as it is now.
        case page(PluginPage)
        /// The request can't be answered, for this reason.
        case error(String)
    }

    /// The request's ID.
    public var id: Int
    /// What is answered.
    public var answer: Answer

    /// A message from its parts.
    public init(id: Int, answer: Answer) {
        self.id = id
        self.answer = answer
    }

    /// Reads a line.
    ///
    /// Members that no version knows are ignored. What kind of answer it is follows from its members; whether it answers
    /// what was asked is the host's question.
    ///
    /// - Throws: ``PluginMessageError``: what isn't JSON, not an object, or no answer of the protocol.
    public init(line: [UInt8]) throws(PluginMessageError) {
        let object = try JSONObject(line: line)
        guard let id = object["id"]?.integer, id >= 0 else {
            throw PluginMessageError("\"id\" must be a whole number from 0")
        }
        self.id = id
        answer = try Self.answer(object)
    }

    private static func answer(_ object: JSONObject) throws(PluginMessageError) -> Answer {
        if let error = object["error"] {
            guard let message = error.object?["message"]?.string, !message.isEmpty else {
                throw PluginMessageError("\"error\" must be an object with a \"message\"")
            }
            return .error(WireText.line(message))
        }
        if let hello = object["hello"] { return .hello(try PluginHello(hello)) }
        if let page = object["page"] { return .page(try PluginPage(wire: page)) }
        if object["satisfied"] != nil { return .satisfaction(try Satisfaction(wire: object)) }
        if let faults = object["faults"] {
            let read = try PluginOptionFault.list(faults)
            return read.isEmpty ? .valid : .faults(read)
        }
        if let valid = object["valid"] {
            guard let valid = valid.bool else { throw PluginMessageError("\"valid\" must be true or false") }
            return valid ? .valid : .faults([PluginOptionFault(path: "", message: "the plugin doesn't accept them")])
        }
        throw PluginMessageError(
            "the answer is of no known kind; it must hold hello, valid, faults, satisfied, page or error")
    }

    /// The line, without its end.
    public var line: String {
        var object: JSONObject = ["id": .integer(id)]
        switch answer {
        case .hello(let hello): object["hello"] = .object(hello.json)
        case .valid: object["valid"] = true
        case .faults(let faults):
            object["faults"] = .array(
                faults.map { ["path": .string($0.path), "message": .string($0.message)] })
        case .satisfaction(let satisfaction):
            for (key, value) in satisfaction.wire { object[key] = value }
        case .page(let page): object["page"] = .object(page.json)
        case .error(let message): object["error"] = ["message": .string(message)]
        }
        return JSONValue.object(object).serialized(.compact)
    }
}

/// How a plugin answers the greeting.
public struct PluginHello: Sendable, Hashable {
    /// The protocol that the plugin speaks.
    public var version: Int
    /// The kinds that it serves.
    public var kinds: [String]
    /// What it can do beyond checks, such as `page`; unknown ones are ignored.
    public var features: [String]

    /// A greeting from its parts.
    public init(version: Int = PluginProtocol.version, kinds: [String], features: [String] = []) {
        self.version = version
        self.kinds = kinds
        self.features = features
    }

    init(_ value: JSONValue) throws(PluginMessageError) {
        guard let version = value.object?["protocol"]?.integer else {
            throw PluginMessageError("hello's \"protocol\" must be a whole number")
        }
        self.init(version: version, kinds: Self.words(value, "kinds"), features: Self.words(value, "features"))
    }

    /// The words of a list, which are names: what is longer, or more than anybody serves, is cut short.
    private static func words(_ value: JSONValue, _ key: String) -> [String] {
        (value.object?[key]?.array ?? []).prefix(1000).compactMap(\.string).map { WireText.line($0, atMost: 80) }
    }

    var json: JSONObject {
        [
            "protocol": .integer(version), "kinds": .array(kinds.map(JSONValue.string)),
            "features": .array(features.map(JSONValue.string)),
        ]
    }
}

/// One mistake in a step's options that a plugin found.
public struct PluginOptionFault: Sendable, Hashable {
    /// Where: a JSON pointer (RFC 6901) into the options, empty for all of them.
    public var path: String
    /// What is wrong and what is accepted.
    public var message: String

    /// A mistake from its parts.
    public init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    /// The mistake as the place in a document where the options stand.
    public func fault(at options: JSONPath) -> JSONFault {
        var elements = options.elements
        for part in path.split(separator: "/") {
            if let index = Int(part) {
                elements.append(.index(index))
            } else {
                elements.append(.key(String(part).replacing("~1", with: "/").replacing("~0", with: "~")))
            }
        }
        return JSONFault(path: JSONPath(elements: elements), message: message)
    }

    static func list(_ value: JSONValue) throws(PluginMessageError) -> [PluginOptionFault] {
        guard let list = value.array else { throw PluginMessageError("\"faults\" must be a list") }
        var faults: [PluginOptionFault] = []
        for element in list.prefix(1000) {
            guard let object = element.object, let message = object["message"]?.string, !message.isEmpty else {
                throw PluginMessageError("each fault must be an object with a \"message\"")
            }
            faults.append(PluginOptionFault(path: object["path"]?.string ?? "", message: WireText.line(message)))
        }
        return faults
    }
}
