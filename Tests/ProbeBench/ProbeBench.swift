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

    /// Asks these steps in one pass and says how long that took.
    static func pass(
        _ steps: [(kind: String, options: JSONObject)], _ environment: [String: String],
        within timeout: Duration = .seconds(20)
    ) async throws -> Duration {
        let scope = PassScope()
        let checks = try steps.map { step -> StepCheck in
            guard let plugin = PermissionPlugins.all.first(where: { $0.kind == step.kind }) else {
                fatalError("there is no kind \(step.kind)")
            }
            let context = StepContext(
                app: "com.example.aurora", appName: "Aurora", step: OnboardingStepConfig(id: "com.example.aurora.a"),
                languages: LanguagePreferences(["en"]), deadline: .now + timeout, environment: environment, scope: scope
            )
            return StepCheck(plugin: try BoundStep(plugin, options: step.options, at: .root), context: context)
        }
        let start = ContinuousClock.now
        _ = await ReconcilePass.run(checks, timeout: timeout)
        return start.duration(to: .now)
    }

    /// The median of some passes.
    static func median(
        _ count: Int, _ steps: [(kind: String, options: JSONObject)], _ environment: [String: String]
    ) async throws -> Double {
        var times: [Double] = []
        for _ in 0..<count { times.append(try await pass(steps, environment) / .milliseconds(1)) }
        return times.sorted()[count / 2]
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
                                    _ = try await pass(kinds, environment)
                                    var slowest = (kind: "", time: 0.0)
                                    for step in kinds {
                                        let time = try await median(9, [step], environment)
                                        if time > slowest.time { slowest = (step.kind, time) }
                                        print("       \(String(format: "%6.2f", time)) ms  one step \"\(step.kind)\"")
                                    }
                                    let many = (0..<200).map { kinds[$0 % kinds.count] }
                                    let time = try await median(9, many, environment)
                                    print("       \(String(format: "%6.2f", time)) ms  200 steps of all kinds")
                                    row(
                                        "200 steps of all kinds against one of the slowest kind, \"\(slowest.kind)\"",
                                        time / slowest.time, "times", limit: 3)
                                    try await watching(session, environment)
                                    dunst.process.stop()
                                    let hung = try await pass(kinds, environment, within: .milliseconds(500))
                                    row(
                                        "all kinds, one of them hung, deadline 500 ms", hung / .milliseconds(1), "ms",
                                        limit: 1000)
                                }
                            }
                        }
                    }
                }
            }
        }
        let alone = try await pass(kinds, ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere", "PATH": "/usr/bin:/bin"])
        row("all kinds without any bus", alone / .milliseconds(1), "ms", limit: 300)
        exit(Failures.count.load(ordering: .relaxed) == 0 ? 0 : 1)
    }
}
