import BusTestSupport
import DoorstepPluginKit
import DoorstepRegistry
import Foundation
import PermissionPlugins
import Synchronization

/// What a pass of checks costs, as ratios of times that were measured in one run: absolute times say more about the machine.
@main enum ProbeBench {
    /// What one pass took: on the clock, and of the processors.
    struct Cost {
        var time: Double
        var processor: Double
    }

    /// Reads the options of these steps, as the registry does once for many passes.
    static func bound(_ steps: [Step]) throws -> [BoundStep] {
        try steps.map { step in
            guard let plugin = PermissionPlugins.all.first(where: { $0.kind == step.kind }) else {
                fatalError("there is no kind \(step.kind)")
            }
            return try BoundStep(plugin, options: step.options, at: .root)
        }
    }

    /// Asks these steps in one pass and says what that cost, in milliseconds. Every step is another app's than the one
    /// before, so that nothing is asked once only because all steps are one app's.
    static func pass(
        _ steps: [BoundStep], _ environment: [String: String], within timeout: Duration = .seconds(20)
    ) async -> Cost {
        let scope = PassScope()
        let checks = steps.enumerated().map { number, step -> StepCheck in
            let app = "com.example.app\(number)"
            let context = StepContext(
                app: app, appName: "Aurora", step: OnboardingStepConfig(id: OnboardingStepID(app + ".step")),
                languages: LanguagePreferences(["en"]), deadline: .now + timeout, environment: environment, scope: scope
            )
            return StepCheck(plugin: step, context: context)
        }
        let processor = processorTime()
        let start = ContinuousClock.now
        _ = await ReconcilePass.run(checks, timeout: timeout)
        let time = start.duration(to: .now) / .milliseconds(1)
        return Cost(time: time, processor: processorTime() - processor)
    }

    /// The processor time of this process so far, in milliseconds.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }

    /// The medians of passes over these lists of steps, taken in turn so that the machine's mood hits all alike.
    static func medians(
        of lists: [[Step]], rounds: Int, _ environment: [String: String]
    ) async throws -> [Cost] {
        var costs = [[Cost]](repeating: [], count: lists.count)
        let lists = try lists.map(bound)
        for _ in 0..<rounds {
            for (place, list) in lists.enumerated() { costs[place].append(await pass(list, environment)) }
        }
        return costs.map { costs in
            Cost(
                time: costs.map(\.time).sorted()[rounds / 2], processor: costs.map(\.processor).sorted()[rounds / 2])
        }
    }

    /// Measures the kinds one by one, all of them in one pass, and 200 steps of all of them.
    static func compare(_ environment: [String: String]) async throws {
        // The last can share nothing but single questions: it shows what a check costs by itself.
        let many: [(name: String, steps: [Step], limit: Double?)] = [
            ("one step of each kind", kinds, nil), ("200 steps, those of a kind alike", alike, 3),
            ("200 steps, each with options of its kind's own", varied, 3), ("200 steps, no two alike", distinct, nil),
        ]
        let lists = kinds.map { [$0] } + many.map(\.steps)
        _ = try await medians(of: lists, rounds: 3, environment)
        let costs = try await medians(of: lists, rounds: 41, environment)
        for (name, cost) in zip(kinds.map { "one step \"\($0.kind)\"" } + many.map(\.name), costs) {
            print("       \(String(format: "%6.2f ms  %6.2f ms", cost.time, cost.processor)) of processors  \(name)")
        }
        guard let slowest = zip(kinds, costs).max(by: { $0.1.time < $1.1.time }) else { return }
        for (list, cost) in zip(many, costs.suffix(many.count)) {
            let name = "\(list.name), against one of the slowest kind, \"\(slowest.0.kind)\""
            row(name, cost.time / slowest.1.time, "times", limit: list.limit)
        }
    }

    /// Runs passes and nothing else, for a profiler.
    private static func repeatPasses(_ count: Int, over steps: [Step], _ environment: [String: String]) async throws {
        let steps = try bound(steps)
        var costs: [Double] = []
        for _ in 0..<count { costs.append(await pass(steps, environment).processor) }
        print("\(String(format: "%.2f", costs.sorted()[count / 2])) ms of processors  \(steps.count) steps")
    }

    /// How many rows were above their limit.
    enum Failures {
        static let count = Atomic(0)
    }

    /// Prints one row, and counts it if it is above its limit, where it has one.
    static func row(_ name: String, _ value: Double, _ unit: String, limit: Double?) {
        let isAbove = limit.map { value > $0 } ?? false
        if isAbove { Failures.count.add(1, ordering: .relaxed) }
        func number(_ value: Double) -> String { String(format: "%.2f", value) }
        let bound = limit.map { " (at most \(number($0)))" } ?? ""
        print("\(limit == nil ? "     " : isAbove ? "ABOVE" : "ok   ")  \(number(value)) \(unit)\(bound)  \(name)")
    }

    /// What "probe-bench 1000 alike" asks for: so many passes over these steps, to look at with a profiler.
    private static var requested: (count: Int, steps: [Step])? {
        let words = CommandLine.arguments.dropFirst()
        guard let count = words.first.flatMap({ Int($0) }) else { return nil }
        return (
            count,
            words.last == "alike" ? alike : words.last == "varied" ? varied : words.last == "kinds" ? kinds : distinct
        )
    }

    static func main() {
        Task.detached {
            do { try await measure() } catch { fatalError("\(error)") }
        }
        // Waits rather than leave the thread to Dispatch, whose way of doing that valgrind can't follow.
        DispatchSemaphore(value: 0).wait()
    }

    /// Measures everything, then exits with 1 where a limit is passed.
    nonisolated static func measure() async throws {
        try await PrivateBus.run { session in
            try await PrivateBus.run { system in
                let environment = [
                    "DBUS_SESSION_BUS_ADDRESS": session.address, "DBUS_SYSTEM_BUS_ADDRESS": system.address,
                    "HOME": session.directory, "XDG_RUNTIME_DIR": session.directory, "PATH": "/usr/bin:/bin",
                ]
                try await RealService.dunst(on: session) { dunst in
                    try await RealService.permissionStore(on: session) { _ in
                        try await RealService.keyRing(on: session) { _ in
                            try await RealService.accessibility(on: session) { _ in
                                try await RealService.geoClue(on: system) { _ in
                                    if let (count, steps) = requested {
                                        return try await repeatPasses(count, over: steps, environment)
                                    }
                                    try await compare(environment)
                                    try await watching(session, environment)
                                    dunst.process.stop()
                                    let hung = try await pass(bound(kinds), environment, within: .milliseconds(500))
                                    row(
                                        "all kinds, one of them hung, deadline 500 ms", hung.time, "ms",
                                        limit: 1000)
                                }
                            }
                        }
                    }
                }
            }
        }
        let alone = try await pass(
            bound(kinds), ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere", "PATH": "/usr/bin:/bin"])
        row("all kinds without any bus", alone.time, "ms", limit: 300)
        exit(Failures.count.load(ordering: .relaxed) == 0 ? 0 : 1)
    }
}
