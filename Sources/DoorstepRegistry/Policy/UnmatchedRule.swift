internal import Doorstep
internal import DoorstepJSON

/// A policy's rule that concerns no step of a registered app: misspelt, or for an app that isn't on this machine.
public struct UnmatchedRule: Sendable, Hashable, CustomStringConvertible {
    /// The rule.
    public var rule: PolicyRule
    /// Whether it names a registered app, so that it is the step that no such app has.
    public var isOfKnownApp: Bool
    /// The app or step that it most likely means, or nil.
    public var nearest: String?

    /// Whether the rule names an app, or most likely means it.
    public func mayConcern(_ app: String) -> Bool { Glob.matches(app, rule.app) || !isOfKnownApp && nearest == app }

    /// A sentence of where the rule stands and what isn't there.
    public var description: String {
        let what =
            isOfKnownApp
            ? "concerns no step: no registered app \"\(rule.app)\" has a step \"\(rule.step)\""
            : "concerns no app: no app \"\(rule.app)\" is registered"
        return "a rule of the policy \"\(rule.file)\" \(what)" + (nearest.map { "; did you mean \"\($0)\"?" } ?? "")
    }
}

extension Policy {
    /// The rules that concern no step of the registered apps, in their order, each once.
    ///
    /// Where a manifest that they may be about can't be used, nothing is said of them.
    public func unmatchedRules(in contents: RegistryContents) -> [UnmatchedRule] {
        if rules.isEmpty || contents.problems.contains(where: { $0.app == nil }) { return [] }
        let broken = contents.problems.compactMap(\.app)
        var found: [UnmatchedRule] = []
        var told: Set<[String]> = []
        for rule in rules where !broken.contains(where: { Glob.matches($0, rule.app) }) {
            let apps = Self.apps(of: rule, in: contents)
            let steps = apps.flatMap(\.registration.allSteps).map(\.id.rawValue)
            if steps.contains(where: { Glob.matches($0, rule.step) }) { continue }
            guard told.insert([rule.file, rule.app] + (apps.isEmpty ? [] : [rule.step])).inserted else { continue }
            var unmatched = UnmatchedRule(rule: rule, isOfKnownApp: !apps.isEmpty, nearest: nil)
            if found.count < Self.mostSuggestions {
                unmatched.nearest =
                    apps.isEmpty
                    ? nearestSpelling(of: rule.app, among: contents.apps.map(\.id))
                    : Self.nearest(to: rule.step, among: steps)
            }
            found.append(unmatched)
        }
        return found
    }

    /// How many rules are compared with every name: one policy for many machines may name many apps that aren't on this one.
    private static let mostSuggestions = 50

    private static func apps(of rule: PolicyRule, in contents: RegistryContents) -> [RegisteredApp] {
        if rule.app.utf8.contains(UInt8(ascii: "*")) { return contents.apps.filter { Glob.matches($0.id, rule.app) } }
        return contents[rule.app].map { [$0] } ?? []
    }

    /// What a step's name, or a pattern such as `*.terms` for the ends of some, most likely means.
    private static func nearest(to step: String, among steps: [String]) -> String? {
        guard step.hasPrefix("*.") else { return nearestSpelling(of: step, among: steps) }
        let depth = step.split(separator: ".").count - 1
        return nearestSpelling(
            of: step, among: steps.map { "*." + $0.split(separator: ".").suffix(depth).joined(separator: ".") })
    }
}
