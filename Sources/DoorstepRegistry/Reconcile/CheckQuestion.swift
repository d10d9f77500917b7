internal import Doorstep
internal import DoorstepPluginKit

/// What a check asks, as far as its answer depends on it: equal questions of one pass are one check.
struct CheckQuestion: Hashable {
    private let kind: String
    private let options: [UInt8]
    /// The app whose answer it is; empty where it is every app's.
    private let app: String
    private let scope: ObjectIdentifier
    private let environment: [String: String]

    /// The question, or nil where a check is its step's own.
    init?(_ check: StepCheck) {
        switch check.plugin.checkSubject {
        case .step: return nil
        case .app: app = check.context.app
        case .user: app = ""
        }
        kind = check.plugin.kind
        options = check.plugin.optionsText
        scope = ObjectIdentifier(check.context.scope)
        environment = check.context.environment
    }

    func hash(into hasher: inout Hasher) {
        // Those of one pass have the rest in common.
        hasher.combine(kind)
        hasher.combine(app)
        hasher.combine(options)
    }
}
