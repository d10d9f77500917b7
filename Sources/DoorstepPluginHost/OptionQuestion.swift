public import DoorstepJSON
internal import DoorstepPluginKit
internal import Dispatch
internal import Synchronization

/// One step's options, to be shown to their plugin.
public struct OptionQuestion: Sendable {
    /// The plugin.
    public var plugin: ExternalPlugin
    /// The options.
    public var options: JSONObject
    /// Where they stand in their manifest.
    public var path: JSONPath

    /// A question from its parts.
    public init(plugin: ExternalPlugin, options: JSONObject, path: JSONPath) {
        self.plugin = plugin
        self.options = options
        self.path = path
    }
}

/// What a plugin makes of a step's options.
package enum OptionVerdict: Sendable {
    /// It has nothing against them.
    case accepted
    /// They have these mistakes.
    case faulty([JSONFault])
    /// It couldn't say, for this reason.
    case unknown(String)
}

extension ExternalPlugins {
    /// What the plugins themselves say of these options, each plugin started once and all side by side; one that can't be
    /// asked is a mistake, too. It blocks.
    public func faults(in questions: [OptionQuestion]) -> [JSONFault] {
        zip(questions, verdicts(on: questions)).flatMap { question, verdict -> [JSONFault] in
            switch verdict {
            case .accepted: return []
            case .faulty(let faults): return faults
            case .unknown(let reason):
                let message = "the plugin \"\(question.plugin.kind)\" can't look at them: \(reason)"
                return [JSONFault(path: question.path, message: message)]
            }
        }
    }

    /// What each of these options is to its plugin; as ``faults(in:)`` asks it.
    ///
    /// - Parameter limit: How long a plugin may take; by default long, since it may just have been installed, and nothing of
    ///   it is warm.
    package func verdicts(
        on questions: [OptionQuestion], within limit: Duration = .seconds(5)
    ) -> [OptionVerdict] {
        if questions.isEmpty { return [] }
        let pass = PluginPass()
        let verdicts = Mutex([OptionVerdict](repeating: .accepted, count: questions.count))
        let group = DispatchGroup()
        var connections: [PluginConnection] = []
        for (place, question) in questions.enumerated() {
            let connection = pass.connection(to: question.plugin.installed, environment: environment)
            connections.append(connection)
            group.enter()
            let call = PluginRequest.Call.validate(kind: question.plugin.kind, options: question.options)
            connection.ask(call, until: .now + limit) { answer in
                let verdict = OptionVerdict(answer, at: question.path)
                verdicts.withLock { $0[place] = verdict }
                group.leave()
            }
        }
        group.wait()
        for connection in connections { connection.end() }
        for connection in connections { connection.finishBlocking() }
        return verdicts.withLock { $0 }
    }
}

extension OptionVerdict {
    /// A plugin that answers something else than it was asked, as one does that answers every line alike, has nothing
    /// against the options.
    fileprivate init(_ answer: Result<PluginMessage.Answer, PluginFailure>, at path: JSONPath) {
        switch answer {
        case .success(.faults(let faults)): self = .faulty(faults.map { $0.fault(at: path) })
        case .success(.error(let message)): self = .unknown(message)
        case .success: self = .accepted
        case .failure(let failure): self = .unknown(failure.reason)
        }
    }
}
