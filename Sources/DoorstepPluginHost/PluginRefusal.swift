/// Why a plugin isn't run.
public struct PluginRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind, or nil for a whole directory.
    public var kind: String?
    /// The file or directory at fault.
    public var path: String
    /// One clause: what is wrong, and what to do.
    public var reason: String
    /// Whether there is no such file at all, rather than one that is refused.
    public internal(set) var isAbsent = false

    init(kind: String? = nil, path: String, reason: String, isAbsent: Bool = false) {
        self.kind = kind
        self.path = path
        self.reason = reason
        self.isAbsent = isAbsent
    }

    /// One sentence: what, where, what to do.
    public var description: String { "\"\(path)\" is refused: \(reason)" }

    /// A plugin whose kind is one of those that Doorstep brings.
    package static func builtIn(_ kind: String, path: String) -> PluginRefusal {
        let reason = "the kind \"\(kind)\" is built in and can't be replaced; give the plugin another kind"
        return PluginRefusal(kind: kind, path: path, reason: reason)
    }

    /// A kind that nothing is known of, with its sentence.
    package static func unknown(_ kind: String, _ sentence: String) -> PluginRefusal {
        PluginRefusal(kind: kind, path: "", reason: sentence, isAbsent: true)
    }
}
