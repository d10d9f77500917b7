import BusTestSupport
import DoorstepPluginKit
import DoorstepRegistry
import Foundation
import PermissionPlugins
import Synchronization

/// What a pass of checks costs, as ratios of times that were measured in one run: absolute times say more about the machine.
@main enum ProbeBench {
    /// One step of every kind.
    static let kinds: [(kind: String, options: JSONObject)] = [
        ("accessibility", [:]), ("background", [:]), ("bluetooth", [:]), ("camera", [:]),
        ("command", ["program": "/bin/sh"]), ("device-group", ["node": "/dev/null"]), ("file-access", ["path": "/"]),
        ("linger", [:]), ("linux-capability", ["capability": "cap_chown", "program": "/bin/sh"]), ("location", [:]),
        ("microphone", [:]), ("network", [:]), ("notifications", [:]), ("polkit", ["action": "org.example.act"]),
        ("screen-capture", [:]), ("secrets", [:]), ("service", ["name": "org.example.Service"]),
    ]

    /// What one pass took: on the clock, and of the processors.
    struct Cost {
        var time: Double
        var processor: Double
    }

    /// Asks these steps in one pass and says what that cost, in milliseconds. Every step is another app's than the one
    /// before, so that nothing is asked once only because all steps are the same.
    static func pass(
        _ steps: [(kind: String, options: JSONObject)], _ environment: [String: String],
        within timeout: Duration = .seconds(20)
    ) async throws -> Cost {
        let scope = PassScope()
        let checks = try steps.enumerated().map { number, step -> StepCheck in
            guard let plugin = PermissionPlugins.all.first(where: { $0.kind == step.kind }) else {
                fatalError("there is no kind \(step.kind)")
            }
            let app = "com.example.app\(number)"
            let context = StepContext(
                app: app, appName: "Aurora", step: OnboardingStepConfig(id: OnboardingStepID(app + ".step")),
                languages: LanguagePreferences(["en"]), deadline: .now + timeout, environment: environment, scope: scope
            )
            return StepCheck(plugin: try BoundStep(plugin, options: step.options, at: .root), context: context)
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
        of lists: [[(kind: String, options: JSONObject)]], rounds: Int, _ environment: [String: String]
    ) async throws -> [Cost] {
        var costs = [[Cost]](repeating: [], count: lists.count)
        for _ in 0..<rounds {
            for (place, list) in lists.enumerated() { costs[place].append(try await pass(list, environment)) }
        }
        return costs.map { costs in
            Cost(
                time: costs.map(\.time).sorted()[rounds / 2], processor: costs.map(\.processor).sorted()[rounds / 2])
        }
    }

    /// Measures the kinds one by one, and 200 steps of all of them.
    static func compare(_ environment: [String: String]) async throws {
        let many = (0..<200).map { kinds[$0 % kinds.count] }
        let lists = kinds.map { [$0] } + [many]
        _ = try await medians(of: lists, rounds: 3, environment)
        let costs = try await medians(of: lists, rounds: 41, environment)
        for (name, cost) in zip(kinds.map { "one step \"\($0.kind)\"" } + ["200 steps of all kinds"], costs) {
            print("       \(String(format: "%6.2f ms  %6.2f ms", cost.time, cost.processor)) of processors  \(name)")
        }
        let slowest = zip(kinds, costs).max { $0.1.time < $1.1.time }
        guard let slowest, let all = costs.last else { return }
        row(
            "200 steps of all kinds against one of the slowest kind, \"\(slowest.0.kind)\"",
            all.time / slowest.1.time, "times", limit: 3)
    }

    /// How many rows were above their limit.
    enum Failures {
        static let count = Atomic(0)
    }

    /// Prints one row, and counts it if it is above its limit.
    static func row(_ name: String, _ value: Double, _ unit: String, limit: Double) {
        let isAbove = value > limit
        if isAbove { Failures.count.add(1, ordering: .relaxed) }
        func number(_ value: Double) -> String { String(format: "%.2f", value) }
        print("\(isAbove ? "ABOVE" : "ok   ")  \(number(value)) \(unit) (at most \(number(limit)))  \(name)")
    }

    static func main() async throws {
        try await measure()
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
                                    try await compare(environment)
                                    dunst.process.stop()
                                    let hung = try await pass(kinds, environment, within: .milliseconds(500))
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
        let alone = try await pass(kinds, ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere", "PATH": "/usr/bin:/bin"])
        row("all kinds without any bus", alone.time, "ms", limit: 300)
        exit(Failures.count.load(ordering: .relaxed) == 0 ? 0 : 1)
    }
}
