internal import Doorstep
internal import DoorstepJSON
public import DoorstepPluginKit

/// The plugins that steps can name, by kind.
public struct PluginCatalogue: Sendable {
    private var byKind: [String: any StepPlugin] = [:]

    /// A catalogue of these plugins. Of two with one kind the first wins, so a built-in one can't be replaced.
    public init(_ plugins: [any StepPlugin]) {
        for plugin in plugins where byKind[plugin.kind] == nil {
            byKind[plugin.kind] = plugin
        }
    }

    /// The kinds, sorted.
    public var kinds: [String] { byKind.keys.sorted() }

    /// The plugins, sorted by kind.
    public var plugins: [any StepPlugin] { kinds.compactMap { byKind[$0] } }

    /// The plugin of a kind, or nil for an unknown one.
    public func plugin(_ kind: String) -> (any StepPlugin)? { byKind[kind] }

    /// Binds every step of a manifest to its plugin and options.
    ///
    /// - Parameters:
    ///   - manifest: The manifest.
    ///   - known: Mistakes that were already found; a step whose plugin or options they concern isn't bound.
    /// - Returns: The bound steps and what is wrong with the others: unknown kinds, mistakes in options, and input keys
    ///   that two steps share.
    func bind(_ manifest: Manifest, known: [JSONFault]) -> (steps: [BoundManifestStep], faults: [JSONFault]) {
        var bound: [BoundManifestStep] = []
        var faults: [JSONFault] = []
        var keys: [String: JSONPath] = [:]
        let faulty = Set(known.map { Array($0.path.elements.prefix(3)) })
        for step in manifest.allSteps {
            let places = ["plugin", "options"].map { step.path.key($0).elements }
            if places.contains(where: faulty.contains) || faulty.contains(step.path.elements) { continue }
            // The reader has told of a missing or misspelt key already.
            if step.plugin.isEmpty { continue }
            if step.options.isEmpty, byKind[step.plugin] != nil, Self.misspellsOptions(step, known) { continue }
            do throws(JSONFaults) {
                let plugin = try bind(step)
                for key in plugin.inputKeys {
                    if let earlier = keys.updateValue(step.path, forKey: key) {
                        let message =
                            "the input key \(quoted(key)) is already used by \(earlier); each input of a flow needs its own"
                        faults.append(JSONFault(path: step.path.key("options"), message: message))
                    }
                }
                bound.append(BoundManifestStep(step: step, plugin: plugin))
            } catch {
                faults += error.faults
            }
        }
        return (bound, faults)
    }

    private static func misspellsOptions(_ step: ManifestStep, _ known: [JSONFault]) -> Bool {
        known.contains { fault in
            guard case .key(let key)? = fault.path.elements.last else { return false }
            return fault.path.elements.dropLast().elementsEqual(step.path.elements)
                && nearestSpelling(of: key, among: ["options"]) != nil
        }
    }

    private func bind(_ step: ManifestStep) throws(JSONFaults) -> BoundStep {
        guard let plugin = byKind[step.plugin] else {
            throw JSONFaults([JSONFault(path: step.path.key("plugin"), message: unknown(step.plugin))])
        }
        return try BoundStep(plugin, options: step.options, at: step.path.key("options"))
    }

    /// The sentence for a kind that isn't there: the nearest spelling and the known kinds.
    public func unknown(_ kind: String) -> String {
        let hint = JSONFault.hint(nearestSpelling(of: kind, among: kinds), accepted: kinds)
        return "no plugin of the kind \(quoted(kind)) is installed\(hint)"
    }
}

/// One step of a manifest with its plugin, ready to be shown and checked.
public struct BoundManifestStep: Sendable {
    /// The step.
    public let step: ManifestStep
    /// Its plugin and options.
    public let plugin: BoundStep
}
