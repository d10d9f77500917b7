internal import Doorstep
package import DoorstepJSON
public import DoorstepPluginHost
public import DoorstepPluginKit

/// The plugins that steps can name, by kind.
public struct PluginCatalogue: Sendable {
    /// How a step is bound whose plugin can't be used here.
    enum Binding {
        /// It is a mistake of its manifest: for manifests that are validated or registered.
        case strict
        /// A stand-in takes its place, so that a registered app stays usable on a machine that lacks the plugin.
        case usable
    }

    private var byKind: [String: any StepPlugin] = [:]
    /// The plugins that are programs, or nil where there are none; looked at only for kinds that aren't built in.
    public let external: ExternalPlugins?

    /// A catalogue of these plugins, and of programs where ``ExternalPlugins`` are given. Of two with one kind the first
    /// wins, so a built-in one can't be replaced.
    public init(_ plugins: [any StepPlugin], external: ExternalPlugins? = nil) {
        self.external = external
        for plugin in plugins where byKind[plugin.kind] == nil {
            byKind[plugin.kind] = plugin
        }
    }

    /// The built-in kinds, sorted.
    public var kinds: [String] { byKind.keys.sorted() }

    /// The built-in plugins, sorted by kind.
    public var plugins: [any StepPlugin] { kinds.compactMap { byKind[$0] } }

    /// The plugin of a kind: a built-in one, else a program; nil for an unknown one or one that is refused.
    public func plugin(_ kind: String) -> (any StepPlugin)? {
        switch find(kind) {
        case .success(let plugin): plugin
        case .failure: nil
        }
    }

    /// The sentence for a kind that has no plugin here, or one that is refused.
    public func problem(with kind: String) -> String {
        if case .failure(let refusal) = find(kind), !refusal.isAbsent { return refusal.description }
        return unknown(kind)
    }

    /// The plugin of a kind, or why there is none that can be used.
    private func find(_ kind: String) -> Result<any StepPlugin, PluginRefusal> {
        if let plugin = byKind[kind] { return .success(plugin) }
        guard let external else { return .failure(.unknown(kind, unknown(kind))) }
        do throws(PluginRefusal) {
            return .success(try external.plugin(kind))
        } catch {
            return .failure(error)
        }
    }

    /// Binds every step of a manifest to its plugin and options.
    ///
    /// - Parameters:
    ///   - manifest: The manifest.
    ///   - known: Mistakes that were already found; a step whose plugin or options they concern isn't bound.
    ///   - binding: What becomes of a step whose plugin can't be used here. Only a strict binding asks programs what they
    ///     make of their options, each started once.
    /// - Returns: The bound steps and what is wrong with the others: unknown kinds, mistakes in options, and input keys
    ///   that two steps share.
    func bind(
        _ manifest: Manifest, known: [JSONFault], as binding: Binding = .strict
    ) -> (steps: [BoundManifestStep], faults: [JSONFault]) {
        var questions: [OptionQuestion] = []
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
                let plugin = try bind(step, as: binding, asking: &questions)
                for key in plugin.inputKeys {
                    if let earlier = keys.updateValue(step.path, forKey: key) {
                        let message =
                            "the input key \(quoted(key)) is already used by \(earlier); each input of a flow needs its own"
                        faults.append(JSONFault(path: step.path.key("options"), message: message))
                    }
                }
                bound.append(BoundManifestStep(step: step, plugin: plugin, missing: missing(step.plugin)))
            } catch {
                faults += error.faults
            }
        }
        if let external { faults += external.faults(in: questions) }
        return (bound, faults)
    }

    /// Asks a plugin that is a program what it makes of options that fit its schema. It blocks.
    ///
    /// A program that can't be asked, or says nothing in time, has nothing against them: its check will say why.
    ///
    /// - Throws: `JSONFaults`, what the program has against them.
    package func requireAccepted(
        _ options: JSONObject, by plugin: any StepPlugin, at path: JSONPath, within limit: Duration
    ) throws(JSONFaults) {
        guard let external, let plugin = plugin as? ExternalPlugin, !options.isEmpty else { return }
        let question = OptionQuestion(plugin: plugin, options: options, path: path)
        if case .faulty(let faults) = external.verdicts(on: [question], within: limit)[0] { throw JSONFaults(faults) }
    }

    private static func misspellsOptions(_ step: ManifestStep, _ known: [JSONFault]) -> Bool {
        known.contains { fault in
            guard case .key(let key)? = fault.path.elements.last else { return false }
            return fault.path.elements.dropLast().elementsEqual(step.path.elements)
                && nearestSpelling(of: key, among: ["options"]) != nil
        }
    }

    private func bind(
        _ step: ManifestStep, as binding: Binding, asking questions: inout [OptionQuestion]
    ) throws(JSONFaults) -> BoundStep {
        let path = step.path.key("options")
        switch (find(step.plugin), binding) {
        case (.success(let plugin as ExternalPlugin), .strict):
            let bound = try BoundStep(plugin, options: step.options, at: path)
            questions.append(OptionQuestion(plugin: plugin, options: step.options, path: path))
            return bound
        case (.success(let plugin as ExternalPlugin), .usable):
            do throws(JSONFaults) {
                return try BoundStep(plugin, options: step.options, at: path)
            } catch {
                // The plugin's description changed after the manifest was registered.
                let reason =
                    "the plugin \(quoted(plugin.kind)) no longer accepts this step's options: \(error.faults[0])"
                return try standIn(for: step, because: reason)
            }
        case (.success(let plugin), _):
            return try BoundStep(plugin, options: step.options, at: path)
        case (.failure(let refusal), .strict):
            let message = refusal.isAbsent ? unknown(step.plugin) : refusal.description
            throw JSONFaults([JSONFault(path: step.path.key("plugin"), message: message)])
        case (.failure(let refusal), .usable):
            return try standIn(for: step, because: refusal.isAbsent ? refusal.reason : refusal.description)
        }
    }

    /// Why a stand-in takes the place of a kind, or nil where the plugin itself is there.
    private func missing(_ kind: String) -> String? {
        if byKind[kind] != nil { return nil }
        guard case .failure(let refusal) = find(kind) else { return nil }
        return refusal.isAbsent ? refusal.reason : refusal.description
    }

    private func standIn(for step: ManifestStep, because reason: String) throws(JSONFaults) -> BoundStep {
        try BoundStep(
            MissingPlugin(kind: step.plugin, reason: reason), options: step.options, at: step.path.key("options"))
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
    /// Why a stand-in takes the place of the plugin, or nil where the plugin itself is there.
    public let missing: String?
}
