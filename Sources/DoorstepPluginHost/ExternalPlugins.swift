internal import DoorstepPluginKit
internal import Glibc

/// The directories of plugins that are programs. Nothing is looked at before a kind is asked for.
public struct ExternalPlugins: Sendable {
    /// The directories, absolute; of two with one kind the earlier wins.
    public let directories: [String]
    /// The environment that plugins get their part of when options are validated.
    public let environment: [String: String]

    /// Plugins in these directories.
    public init(directories: [String], environment: [String: String]) {
        self.directories = directories
        self.environment = environment
    }

    /// The plugin of a kind: the first that may be run.
    ///
    /// - Throws: ``PluginRefusal``: the first refused one, or that there is none.
    public func plugin(_ kind: String) throws(PluginRefusal) -> ExternalPlugin {
        var refusal: PluginRefusal?
        if PluginProtocol.isKind(kind) {
            for directory in directories where Self.mayHold(kind, directory) {
                do throws(PluginRefusal) {
                    return ExternalPlugin(try InstalledPlugin(kind: kind, in: directory))
                } catch {
                    if !(error.isAbsent && error.path.hasSuffix(PluginDescription.suffix)), refusal == nil {
                        refusal = error
                    }
                }
            }
        }
        throw refusal ?? absent(kind)
    }

    /// Every plugin that can be used, sorted by kind, and what is wrong with the others.
    ///
    /// - Parameter builtIn: The kinds that programs can't replace.
    public func all(besides builtIn: Set<String>) -> (plugins: [ExternalPlugin], problems: [PluginRefusal]) {
        var plugins: [String: ExternalPlugin] = [:]
        var problems: [PluginRefusal] = []
        for directory in directories {
            for kind in Self.kinds(in: directory) {
                let path = "\(directory)/\(kind)\(PluginDescription.suffix)"
                if builtIn.contains(kind) {
                    problems.append(.builtIn(kind, path: path))
                    continue
                }
                do throws(PluginRefusal) {
                    let plugin = ExternalPlugin(try InstalledPlugin(kind: kind, in: directory))
                    if let earlier = plugins[kind] {
                        let reason =
                            "\"\(earlier.installed.path)\" comes earlier and has the same kind; remove one of them"
                        problems.append(PluginRefusal(kind: kind, path: path, reason: reason))
                    } else {
                        plugins[kind] = plugin
                    }
                } catch {
                    var problem = error
                    problem.kind = kind
                    problems.append(problem)
                }
            }
        }
        return (plugins.values.sorted { $0.kind < $1.kind }, problems)
    }

    /// The sentence for a kind that no directory holds: what is missing, and where it belongs.
    private func absent(_ kind: String) -> PluginRefusal {
        let place = directories.first ?? "a directory of DOORSTEP_PLUGIN_PATH"
        return PluginRefusal(
            kind: kind, path: place,
            reason:
                "no plugin of the kind \"\(kind)\" is installed on this machine; install the package that brings it, or "
                + "put \(kind)\(PluginDescription.suffix) and its program into \(place)", isAbsent: true)
    }

    private static func mayHold(_ kind: String, _ directory: String) -> Bool {
        // Only a directory that certainly doesn't hold it is left out; what can't be looked at is a refusal.
        access("\(directory)/\(kind)\(PluginDescription.suffix)", F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR)
    }

    private static func kinds(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var kinds: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasSuffix(PluginDescription.suffix) else { continue }
            let kind = String(name.dropLast(PluginDescription.suffix.count))
            if PluginProtocol.isKind(kind) { kinds.append(kind) }
        }
        return kinds.sorted()
    }
}
