import BusTestSupport
import DoorstepPluginKit
import Foundation
import PermissionPlugins

/// How fast a page that is left open sees what is decided elsewhere.
extension ProbeBench {
    /// Prints how long the check of a watched page has the old answer after the permission store has a new one.
    static func watching(_ session: PrivateBus, _ environment: [String: String]) async throws {
        guard let plugin = PermissionPlugins.all.first(where: { $0.kind == "notifications" }) else { return }
        let step = try BoundStep(plugin, options: ["accept": ["explicit"]], at: .root)
        func context() -> StepContext {
            StepContext(
                app: "com.example.aurora", appName: "Aurora", step: OnboardingStepConfig(id: "com.example.aurora.a"),
                languages: LanguagePreferences(["en"]), deadline: .now + .seconds(20), environment: environment,
                scope: PassScope())
        }
        try await session.decide(["no"], for: "com.example.aurora", in: "notifications", "notification")
        var changes = step.changes(in: context()).makeAsyncIterator()
        _ = await changes.next()
        var times: [Double] = []
        for round in 0..<21 {
            let isGranted = round % 2 == 0
            let start = ContinuousClock.now
            let word = isGranted ? "yes" : "no"
            try await session.decide([word], for: "com.example.aurora", in: "notifications", "notification")
            while await step.satisfaction(in: context()).isSatisfied != isGranted { _ = await changes.next() }
            times.append(start.duration(to: .now) / .milliseconds(1))
        }
        row(
            "a decision in the permission store until a watched step has it, median", times.sorted()[times.count / 2],
            "ms", limit: 1000)
        row("the slowest of \(times.count) of them", times.max() ?? 0, "ms", limit: 1000)
    }
}
