import DoorstepPluginKit
import DoorstepRegistry
import PermissionPlugins
import ProfilePlugin
import WelcomePlugins

/// A permission whose check is the test's own.
struct CheckPlugin: StepPlugin {
    typealias Check = @Sendable (StepContext) async -> Satisfaction

    let kind: String
    let summary = "A permission of a test"
    let hasCheck = true
    var checkSubject = CheckSubject.step
    /// Whether its options may name a file, which it doesn't look at.
    var takesPath = false
    /// What its page says of how things stand, in the place of the evidence.
    var words: String?
    let check: Check
    var act: @Sendable (String) throws(PluginError) -> Void = { (_) throws(PluginError) in }

    init(_ kind: String, check: @escaping Check = { _ in .cannotTell("nobody was asked") }) {
        self.kind = kind
        self.check = check
    }

    func options(from reader: JSONReader) -> CheckOptions {
        if takesPath { _ = reader.optionalString("path") }
        return CheckOptions(from: reader)
    }
    /// Long enough for a loaded machine: only what names a time itself is meant to be late.
    func timeout(_ options: CheckOptions) -> Duration? { options.timeout ?? .seconds(60) }

    func satisfaction(_ options: CheckOptions, in context: StepContext) async -> Satisfaction {
        await check(context)
    }

    /// Asks as long as the check doesn't say that it is granted.
    func page(_ options: CheckOptions, in context: StepContext) async throws(PluginError) -> StepPage {
        var page = context.page(title: "Permission")
        page.status = words ?? context.satisfaction?.evidence
        if context.satisfaction?.isSatisfied != true { page.primary = .perform(action: "ask", title: .allow) }
        return page
    }

    func perform(_ action: String, _ options: CheckOptions, in context: StepContext) async throws(PluginError) {
        try act(action)
    }
}

extension Satisfaction {
    static func granted(_ evidence: String, basis: GrantBasis? = .explicit) -> Satisfaction {
        Satisfaction(isSatisfied: true, status: .granted(.always), basis: basis, evidence: evidence)
    }

    static func denied(_ evidence: String) -> Satisfaction {
        Satisfaction(isSatisfied: false, status: .denied, evidence: evidence)
    }
}

extension PluginCatalogue {
    /// Every kind that is built in.
    static let builtIn = PluginCatalogue([WelcomePlugin(), InfoPlugin(), ProfilePlugin()] + PermissionPlugins.all)

    /// The kinds that show something, and these permissions; those of the example family can't tell unless they are given.
    static func with(_ plugins: [CheckPlugin] = []) -> PluginCatalogue {
        PluginCatalogue(
            plugins as [any StepPlugin]
                + [
                    WelcomePlugin(), InfoPlugin(), ProfilePlugin(), CheckPlugin("notifications"),
                    CheckPlugin("location"),
                ])
    }

    /// The example family on a machine where nothing is known.
    static let family = PluginCatalogue.with()
}
