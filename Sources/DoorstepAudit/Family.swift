internal import Doorstep
internal import DoorstepPluginKit
internal import DoorstepRegistry
internal import DoorstepSQLite

/// The registered apps as an audit looks at them, read once for any number of suites.
struct Family: Sendable {
    struct Member: Sendable {
        let app: RegisteredApp
        let registration: FlowRegistration
        /// The welcome, where there is one, and the steps.
        let steps: [OnboardingStepConfig]
        let plugins: [String]
        let hasCheck: [Bool]
        let index: [OnboardingStepID: Int]
        let hasWelcome: Bool

        init(_ app: RegisteredApp) {
            self.app = app
            registration = app.registration
            steps = registration.allSteps
            var kinds: [OnboardingStepID: (String, Bool)] = [:]
            for step in app.steps { kinds[step.step.config.id] = (step.plugin.kind, step.plugin.hasCheck) }
            plugins = steps.map { kinds[$0.id]?.0 ?? "" }
            hasCheck = steps.map { kinds[$0.id]?.1 ?? false }
            var index: [OnboardingStepID: Int] = [:]
            for (place, step) in steps.enumerated() { index[step.id] = place }
            self.index = index
            hasWelcome = registration.welcome != nil
        }
    }

    let members: [Member]
    let byID: [String: Int]
    let byPrefix: [String: Int]
    let problems: [RegistryProblem]

    init(_ contents: RegistryContents) {
        members = contents.apps.map(Member.init)
        var byID: [String: Int] = [:]
        var byPrefix: [String: Int] = [:]
        for (place, member) in members.enumerated() {
            byID[member.registration.app] = place
            byPrefix[member.registration.prefix] = place
        }
        self.byID = byID
        self.byPrefix = byPrefix
        problems = contents.problems
    }

    /// What is wrong with the manifests, once for all suites.
    func findings() -> [AuditFinding] {
        let missing = members.flatMap { member in
            member.app.steps.compactMap { step in
                step.missing.map { reason in
                    AuditFinding(
                        .unknownPlugin, app: member.registration.app, step: step.step.config.id.rawValue,
                        "the step \(step.step.config.id) of \(member.registration.app) names the kind \"\(step.step.plugin)\": \(reason)",
                        remedy: "install the plugin, or correct the manifest")
                }
            }
        }
        return missing
            + problems.flatMap { problem -> [AuditFinding] in
                guard case .invalid(let faults) = problem.error else {
                    return [
                        AuditFinding(
                            .invalidManifest, app: problem.app, problem.error.description,
                            remedy: "let it be read by its users, or remove it")
                    ]
                }
                return faults.map { Self.finding($0, app: problem.app) }
            }
    }

    private static func finding(_ fault: ManifestFault, app: String?) -> AuditFinding {
        if fault.place == "prefix", fault.message.contains("overlaps") {
            return AuditFinding(
                .prefixOverlap, app: app, fault.description,
                remedy: "give one of them another prefix before anybody has answered")
        }
        if fault.place.hasSuffix("plugin") {
            return AuditFinding(
                .unknownPlugin, app: app, fault.description, remedy: "install the plugin, or correct the manifest")
        }
        return AuditFinding(
            .invalidManifest, app: app, fault.description,
            remedy: "correct the manifest; doorstep validate names every mistake")
    }
}
