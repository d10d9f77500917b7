internal import Doorstep
internal import DoorstepJSON
internal import DoorstepRegistry
internal import DoorstepSQLite

/// The apps and steps that somebody named, held against what the registry and the suites that are read know.
///
/// A name that nobody knows is more likely misspelt than without any record, so it is better told than answered with
/// nothing. Where something can't be read, no name is called unknown.
public struct WantedNames: Sendable {
    private let apps: [String]
    private let steps: [String]
    private var knownApps: Set<String> = []
    private var knownSteps: Set<String> = []
    private var hidesApps: Bool
    private var hidesSteps: Bool

    /// Names that the registry of an auditor may know.
    public init(apps: [String], steps: [String], of auditor: Auditor) {
        self.apps = apps
        self.steps = steps
        let problems = auditor.family.problems
        hidesApps = problems.contains { $0.app == nil }
        hidesSteps = false
        for member in auditor.family.members {
            see(app: member.registration.app)
            for step in member.steps { see(app: member.registration.app, step: step.id.rawValue) }
        }
        for app in problems.compactMap(\.app) {
            see(app: app)
            hidesSteps = hidesSteps || isWanted(app)
        }
    }

    /// Takes note of an app, and of a step of it, that is known.
    public mutating func see(app: String, step: String? = nil) {
        knownApps.insert(app)
        if let step, isWanted(app) { knownSteps.insert(step) }
    }

    /// Takes note of what a suite knows; of an audit that nothing was filtered out of.
    public mutating func see(_ audit: SuiteAudit) {
        if apps.isEmpty, steps.isEmpty { return }
        if audit.failure != nil { hidesApps = true }
        for row in audit.rows { see(app: row.app, step: row.step.id.rawValue) }
        for finding in audit.findings {
            guard let app = finding.app else { continue }
            see(app: app, step: finding.step)
            // The records of an app that nobody knows are told as a number.
            if finding.code == .unregisteredApp { hidesSteps = hidesSteps || isWanted(app) }
        }
    }

    /// A sentence for each name that is unknown.
    ///
    /// - Parameter suites: How many suites were read.
    public func faults(suites: Int = 1) -> [String] {
        if hidesApps { return [] }
        let unknownApps = apps.filter { !knownApps.contains($0) }
        // A step of an app that is unknown itself is no news.
        if !unknownApps.isEmpty { return unknownApps.map { fault(ofApp: $0, suites: suites) } }
        return hidesSteps ? [] : steps.filter { !knownSteps.contains($0) }.map { fault(ofStep: $0, suites: suites) }
    }

    private func isWanted(_ app: String) -> Bool { apps.isEmpty || apps.contains(app) }

    private func fault(ofApp app: String, suites: Int) -> String {
        let nearest = nearestSpelling(of: app, among: knownApps.sorted())
        if suites == 1 { return RegistryError.unknownApp(app, nearest: nearest).description }
        return "no app \"\(app)\" is registered, or in any of \(suites) suites"
            + (nearest.map { "; did you mean \"\($0)\"?" } ?? "; doorstep apps lists the registered ones")
    }

    private func fault(ofStep step: String, suites: Int) -> String {
        let whose = apps.isEmpty ? "no app" : apps.map { "\"\($0)\"" }.joined(separator: ", ")
        let place = suites == 1 ? "" : ", in the registry or in any of \(suites) suites"
        let wayOut = "doorstep show \(apps.count == 1 ? apps[0] : "APP") lists an app's steps"
        return "\(whose) has \(apps.isEmpty ? "a" : "no") step \"\(step)\"\(place)"
            + (nearestSpelling(of: step, among: knownSteps.sorted()).map { "; did you mean \"\($0)\"?" }
                ?? "; \(wayOut)")
    }
}
