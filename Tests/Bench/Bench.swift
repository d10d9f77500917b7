import Doorstep
import DoorstepPluginKit
import DoorstepRegistry
import DoorstepSQLite
import Foundation
import RawSuite

/// The comparisons, one after the other; the sides of each take turns.
struct Bench {
    let doorstep: String
    /// The programs in C.
    let rawProgram: String
    /// How many times fewer rounds than usual.
    let scale: Int
    private let place = NSTemporaryDirectory() + "doorstep-bench-\(getpid())"

    func rows() async throws -> [Row] {
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let household = try Household(in: place, apps: 50, recordingWith: doorstep)
        var rows = [
            try gate(household), try reading(household), try warm(household), try record(household), try first(),
        ]
        rows += try await reconciling()
        rows.append(try bulk())
        rows += try growth()
        return rows
    }

    private func rounds(_ count: Int) -> Int { max(3, count / scale) }

    private func gate(_ household: Household) throws -> Row {
        let app = Household.app(25)
        let sql =
            "SELECT count(*) FROM flow_steps AS s JOIN apps AS a ON a.app = s.app LEFT JOIN records AS r"
            + " ON r.prefix = a.prefix AND r.step = s.step WHERE a.app = '\(app)' AND r.value IS NULL"
        let python = "import sqlite3; print(sqlite3.connect('\(household.suite)').execute(\"\(sql)\").fetchone())"
        let environment = household.environment
        return try Row(
            "`doorstep needs`, whole process, 50 apps × 12 steps", rounds: rounds(200),
            limits: [.init(side: 1, ratio: 2), .init(side: 2, ratio: 1), .init(side: 4, ratio: 0.25)],
            preparing: household.settle,
            [
                ("doorstep needs", { try Command.run([doorstep, "needs", app], environment) }),
                ("C program", { try Command.run([rawProgram, household.suite, app], environment) }),
                (
                    "gsettings get",
                    {
                        try Command.run(
                            ["/usr/bin/gsettings", "get", "org.gnome.desktop.interface", "clock-format"],
                            ["HOME": household.directory, "PATH": "/usr/bin:/bin"])
                    }
                ), ("sqlite3 command", { try Command.run(["/usr/bin/sqlite3", household.suite, sql], environment) }),
                ("Python's sqlite3", { try Command.run(["/usr/bin/python3", "-c", python], environment) }),
            ])
    }

    private func reading(_ household: Household) throws -> Row {
        let registry = Registry(
            directories: [household.registry], catalogue: PluginCatalogue([]), policyDirectories: [])
        let app = Household.app(25)
        return try Row(
            "open, flow, `needsOnboarding`, close", rounds: rounds(2000), limits: [.init(side: 1, ratio: 1.5)],
            preparing: household.settle,
            [
                (
                    "Doorstep",
                    {
                        let suite = try OnboardingSuite.open(at: household.suite)
                        guard try registry.gate(for: app, in: suite).needsOnboarding else { throw BenchFailure("gate") }
                        try suite.close()
                    }
                ),
                ("C", { guard raw_needs(household.suite, app) == 11 else { throw BenchFailure("C's gate") } }),
            ])
    }

    private func warm(_ household: Household) throws -> Row {
        let registry = Registry(
            directories: [household.registry], catalogue: PluginCatalogue([]), policyDirectories: [])
        let flow = try registry.gate(for: Household.app(25), in: try OnboardingSuite.open(at: household.suite))
        guard let defaults = UserDefaults(suiteName: "com.example.doorstep.bench") else {
            throw BenchFailure("there are no user defaults")
        }
        let keys = (0..<12).map { "step\($0)" }
        for key in keys { defaults.set(true, forKey: key) }
        defer { for key in keys { defaults.removeObject(forKey: key) } }
        var row = try Row(
            "`needsOnboarding`, warm, 1000 times", rounds: rounds(100), limits: [.init(side: 1, ratio: 0.02)],
            [
                ("Doorstep", { for _ in 0..<1000 where !flow.needsOnboarding { throw BenchFailure("warm") } }),
                (
                    "twelve reads of UserDefaults",
                    {
                        for _ in 0..<1000 {
                            for key in keys where !defaults.bool(forKey: key) { throw BenchFailure("defaults") }
                        }
                    }
                ),
            ])
        row.note = "the first step is unanswered in the second place of twelve"
        return row
    }

    private func record(_ household: Household) throws -> Row {
        let suite = try OnboardingSuite.open(at: household.suite)
        let storage = try suite.storage(prefix: Household.prefix(0))
        let step = Household.step(0, 0)
        let other = try Household(in: place, apps: 1, recordingWith: doorstep)
        guard let raw = raw_open(other.suite) else { throw BenchFailure("C can't open the suite") }
        defer { raw_close(raw) }
        var (value, rawValue) = (false, false)
        return try Row(
            "`record` with its history row, durable", rounds: rounds(1000), limits: [.init(side: 1, ratio: 1.2)],
            [
                (
                    "Doorstep",
                    {
                        value.toggle()
                        _ = try storage.commit([
                            OnboardingChange(step: step, action: .record(value, revision: 1), origin: .user)
                        ])
                    }
                ),
                (
                    "C",
                    {
                        rawValue.toggle()
                        guard raw_record(raw, Household.prefix(0), step.rawValue, rawValue ? 1 : 0) == 0 else {
                            throw BenchFailure("C's record")
                        }
                    }
                ),
            ])
    }

    private func first() throws -> Row {
        let path = place + "/first/suite.db"
        let prefix = Household.prefix(0)
        func remove() {
            for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        }
        try FileManager.default.createDirectory(atPath: place + "/first", withIntermediateDirectories: true)
        let change = OnboardingChange(step: Household.step(0, 0), action: .record(true, revision: 1), origin: .user)
        func create() throws {
            remove()
            let suite = try OnboardingSuite.open(at: path)
            _ = try suite.storage(prefix: prefix).commit([change])
            try suite.close()
        }
        try create()
        let schema = try Self.schema(of: path)
        return try Row(
            "first record on no suite at all", rounds: rounds(100), limits: [.init(side: 1, ratio: 1.5)],
            [
                ("Doorstep", create),
                (
                    "C",
                    {
                        remove()
                        let app = Household.app(0)
                        guard raw_create(path, schema, app, prefix, Household.step(0, 0).rawValue) == 0 else {
                            throw BenchFailure("C's first record")
                        }
                    }
                ),
            ])
    }

    private static func schema(of path: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [
            path, "SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text + "PRAGMA application_id = 1146311760; PRAGMA user_version = 3;"
    }

    private func reconciling() async throws -> [Row] {
        let catalogue = PluginCatalogue([SlowPlugin()])
        let counts = [1, 10, 100, 200]
        var sides = counts.map { Side(name: "\($0) checks of 20 ms") }
        var apps: [RegisteredApp] = []
        for count in counts {
            let household = try Household(in: place, apps: 1, steps: count)
            apps.append(try Registry.read("\(household.registry)/\(Household.app(0)).json", catalogue: catalogue))
        }
        let suite = try OnboardingSuite.open(at: place + "/reconcile.db")
        for _ in 0..<rounds(30) {
            for (number, app) in apps.enumerated() {
                let start = ContinuousClock.now
                let report = await Reconciler(environment: [:], timeout: .seconds(10)).reconcile([app], in: suite)
                sides[number].times.append(start.duration(to: .now) / .milliseconds(1))
                if !report.failures.isEmpty { throw BenchFailure("reconcile") }
            }
        }
        return [1, 2, 3].map { number in
            Row(
                "reconcile of \(counts[number])", sides: [sides[number], sides[0]],
                limits: [.init(side: 1, ratio: 1.5)])
        }
    }

    /// An import of records, and the same rows written by C, which reads the same file but checks nothing of it.
    private func bulk() throws -> Row {
        let count = 1_000_000 / scale
        let file = place + "/bulk.jsonl"
        try Self.writeExport(of: count, to: file)
        var sides = [Side(name: "doorstep import"), Side(name: "C program")]
        var peaks = [0, 0]
        let clock = ContinuousClock()
        for _ in 0..<2 {
            for number in sides.indices {
                let household = try Household(in: place, apps: 1, recordingWith: doorstep)
                let command =
                    number == 0 ? [doorstep, "import", file] : [rawProgram, "import", household.suite, file]
                let time = try clock.measure {
                    peaks[number] = max(peaks[number], try Command.peak(command, household.environment))
                }
                sides[number].times.append(time / .milliseconds(1))
                try FileManager.default.removeItem(atPath: household.directory)
            }
        }
        return Row(
            "import of \(count) records", sides: sides, limits: [.init(side: 1, ratio: 1.5)],
            note: "the import took \(peaks[0]) MB of memory at most, C \(peaks[1]) MB")
    }

    private static func writeExport(of count: Int, to file: String) throws {
        var text = #"{"doorstep":"export","format":1}"# + "\n"
        for number in 0..<count {
            text +=
                #"{"kind":"record","prefix":"com.example.bulk.","step":"com.example.bulk.step\#(number)","value":\#(number % 2 == 1),"revision":1,"origin":"user","at":1700000000000}"#
            text += "\n"
        }
        try Data(text.utf8).write(to: URL(filePath: file))
    }

    private func growth() throws -> [Row] {
        var large: [(name: String, run: () throws -> Void)] = []
        for steps in [10_000, 1_000] {
            let household = try Household(in: place, apps: 1, steps: steps, recordingWith: doorstep)
            let app = Household.app(0)
            large.append(("\(steps) steps", { try Command.run([doorstep, "needs", app], household.environment) }))
        }
        var others: [(name: String, run: () throws -> Void)] = []
        for apps in [1_000, 10] {
            let household = try Household(in: place, apps: apps, recordingWith: doorstep)
            others.append(
                (
                    "\(apps) manifests",
                    { try Command.run([doorstep, "needs", Household.app(5)], household.environment) }
                ))
        }
        return [
            try Row("`needs` of a flow", rounds: rounds(50), limits: [.init(side: 1, ratio: 10)], large),
            try Row("`needs` in a registry", rounds: rounds(100), limits: [.init(side: 1, ratio: 1.1)], others),
        ]
    }
}
