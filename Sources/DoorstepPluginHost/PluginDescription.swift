public import DoorstepJSON
internal import DoorstepPluginKit

/// What a `<kind>.plugin.json` file says of a plugin.
public struct PluginDescription: Sendable, Hashable {
    /// The format of the file that this version reads.
    public static let format = 1
    /// How the files' names end.
    public static let suffix = ".plugin.json"

    /// The kind.
    public var kind: String
    /// One line for people.
    public var summary: String
    /// The program's name, a file beside this one.
    public var program: String
    /// How long a check may take, or nil for the pass's own limit.
    public var timeout: Duration?
    /// The variables of the host's environment that the plugin sees beside the few that every plugin does.
    public var environment: [String]
    /// What a step's options must be.
    public var options: OptionSchema

    /// Reads a description.
    ///
    /// - Parameters:
    ///   - value: The file's content.
    ///   - fileName: The file's name, which must be `<kind>.plugin.json`.
    /// - Throws: `JSONFaults`, every mistake at once.
    public init(_ value: JSONValue, fileName: String) throws(JSONFaults) {
        self = try JSONReader.read(value) { reader in
            PluginDescription(reader, fileName: fileName)
        }
    }

    private init(_ reader: JSONReader, fileName: String) {
        _ = reader.optionalString("$schema")
        let format = reader.integer("format")
        if format != Self.format, reader.object["format"]?.integer != nil {
            reader.fault("the format \(format) is unknown; accepted: \(Self.format)", at: "format")
        }
        let version = reader.integer("protocol")
        if version != PluginProtocol.version, reader.object["protocol"]?.integer != nil {
            reader.fault(
                "the protocol \(version) is unknown to this doorstep; accepted: \(PluginProtocol.version)",
                at: "protocol")
        }
        kind = reader.string("kind") { kind in
            guard PluginProtocol.isKind(kind) else {
                return "\"\(kind)\" is not a kind; accepted: lower-case letters, digits and -, beginning with a letter"
            }
            return kind + Self.suffix == fileName
                ? nil
                : "the kind is \"\(kind)\" but the file is \"\(fileName)\"; it must be named \(kind)\(Self.suffix)"
        }
        summary = reader.string("summary") { text in
            let isLine =
                !text.isEmpty && text.count <= 200 && !text.unicodeScalars.contains { $0.value < 32 || $0 == "\u{7F}" }
            return isLine ? nil : "this must be one line of at most 200 characters"
        }
        program = reader.string("program") { name in
            let isName = !name.isEmpty && !name.holdsSlash && name != ".." && name != "." && !name.utf8.contains(0)
            return isName
                ? nil : "\"\(name)\" is not a file's name; the program stands beside its description, without a path"
        }
        timeout = reader.duration("timeout")
        environment =
            reader.optionalStrings("environment", count: 0...64) { PluginEnvironment.fault(inName: $0) } ?? []
        options =
            reader.optionalValue("options").map { OptionSchema($0, in: reader, at: reader.path.key("options")) } ?? .any
    }
}
