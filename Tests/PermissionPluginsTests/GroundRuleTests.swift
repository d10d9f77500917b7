import BusTestSupport
import DoorstepBus
import DoorstepPluginKit
import DoorstepRegistry
import Foundation
import Testing

@testable import PermissionPlugins

extension ProbeBench {
    /// One step of every kind, with options that need no answer of the machine's.
    static let everyKind: [(kind: String, options: JSONObject)] = [
        ("accessibility", [:]), ("background", [:]), ("bluetooth", [:]), ("camera", [:]),
        ("command", ["program": "/bin/sh"]), ("device-group", ["node": "/dev/null"]), ("file-access", ["path": "/"]),
        ("linger", [:]), ("linux-capability", ["capability": "cap_chown", "program": "/bin/sh"]), ("location", [:]),
        ("microphone", [:]), ("network", [:]), ("notifications", [:]), ("polkit", ["action": "org.example.act"]),
        ("screen-capture", [:]), ("secrets", [:]), ("service", ["name": "org.example.Service"]),
    ]

    /// The names that those kinds ask, on the session bus and on the system bus.
    static let sessionNames = [
        "org.a11y.Bus", "org.freedesktop.Notifications", "org.freedesktop.portal.Desktop", "org.freedesktop.secrets",
        "org.freedesktop.impl.portal.PermissionStore", "org.example.Service",
    ]
    static let systemNames = [
        "org.bluez", "org.freedesktop.GeoClue2", "org.freedesktop.NetworkManager", "org.freedesktop.PolicyKit1",
        "org.freedesktop.login1",
    ]

    /// How long a pass took, counted in its own deadlines: nothing here depends on how fast a machine is.
    enum Cost { case nothing, oneDeadline, several }

    /// Asks one step of every kind in one pass.
    func everyKind(within timeout: Duration) async throws -> (answers: [String: Satisfaction], costs: Cost) {
        let scope = PassScope()
        var checks: [StepCheck] = []
        for (kind, options) in Self.everyKind {
            var context = context()
            context.scope = scope
            var options = options
            options["timeout"] = .string("\(Int(timeout / .milliseconds(1)))ms")
            checks.append(StepCheck(plugin: try step(kind, options), context: context))
        }
        let start = ContinuousClock.now
        let outcomes = await ReconcilePass.run(checks, timeout: timeout)
        let deadlines = start.duration(to: .now) / timeout
        let costs: Cost = deadlines < 1 ? .nothing : deadlines < 2 ? .oneDeadline : .several
        let kinds = Self.everyKind.map(\.kind)
        return (Dictionary(uniqueKeysWithValues: zip(kinds, outcomes.map(\.satisfaction))), costs)
    }
}

extension BusProbeTests {
    /// The ten ground rules, in their order.
    @Suite("Ground rules", .timeLimit(.minutes(1))) struct GroundRules {
        @Test func `1: a service that can't start is never started and costs nothing`() async throws {
            try await ProbeBench.run(system: true) { bench, session, system in
                let marker = session.directory + "/started"
                // Whoever starts one of these waits longer than this test may last.
                let exec = "/bin/sh -c 'touch \(marker); sleep 600'"
                for name in ProbeBench.sessionNames { try await session.addActivatable(name, exec: exec) }
                for name in ProbeBench.systemNames { try await system.addActivatable(name, exec: exec) }
                let pass = try await bench.everyKind(within: .seconds(600))
                #expect(pass.costs == .nothing)
                #expect(pass.answers.values.allSatisfy { $0.status != .denied })
                #expect(pass.answers["notifications"]?.outline == "granted always ungated")
                #expect(pass.answers["secrets"]?.status == .unknown)
                #expect(!FileManager.default.fileExists(atPath: marker))
            }
        }

        @Test(arguments: [false, true])
        func `2: a stopped bus, or one that never answers the handshake, costs the deadline`(stops: Bool) async throws {
            try await ProbeBench.run { bench, session, _ in
                var bench = bench
                let fake = try FakeSocket(at: session.directory + "/fake")
                if stops {
                    session.daemon.stop()
                } else {
                    bench.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + fake.path
                }
                let pass = try await bench.everyKind(within: .seconds(4))
                #expect(pass.costs == .oneDeadline)
                #expect(pass.answers["notifications"]?.status == .unknown)
                #expect(pass.answers["file-access"]?.isSatisfied == true)
                withExtendedLifetime(fake) {}
            }
        }

        @Test func `3: three stopped services cost one deadline, and the others are answered`() async throws {
            try await ProbeBench.run(system: true) { bench, session, system in
                try await RealService.accessibility(on: session) { a11y in
                    try await RealService.keyRing(on: session) { keys in
                        try await RealService.geoClue(on: system) { geoClue in
                            for service in [a11y, keys, geoClue] { service.process.stop() }
                            let pass = try await bench.everyKind(within: .seconds(4))
                            #expect(pass.costs == .oneDeadline)
                            for kind in ["accessibility", "secrets"] {
                                #expect(pass.answers[kind]?.status == .unknown, "\(kind)")
                                #expect(pass.answers[kind]?.isSatisfied == nil)
                            }
                            #expect(pass.answers["file-access"]?.isSatisfied == true)
                            #expect(pass.answers["screen-capture"]?.status == .unavailable)
                        }
                    }
                }
            }
        }

        @Test func `4: no check makes a request, of a portal or of anybody`() async throws {
            try await ProbeBench.run(system: true) { bench, session, system in
                try await RealService.dunst(on: session) { _ in
                    try await RealService.keyRing(on: session) { _ in
                        try await RealService.portal(on: session) { _ in
                            try await RealService.permissionStore(on: session) { _ in
                                let calls = try await BusMonitor.calls(on: session) {
                                    _ = try await bench.everyKind(within: .seconds(20))
                                    try bench.enterSandbox(as: "com.example.Box")
                                    _ = try await bench.everyKind(within: .seconds(20))
                                }
                                let questions: Set<String> = [
                                    "Hello", "ListNames", "ListActivatableNames", "GetId", "Get", "GetAll",
                                    "GetServerInformation", "GetCapabilities", "Lookup", "List", "ReadAlias",
                                ]
                                #expect(calls.contains("Lookup") && calls.contains("GetServerInformation"))
                                #expect(Set(calls).isSubset(of: questions))
                            }
                        }
                    }
                }
            }
        }

        @Test func `5: a step that accepts only an explicit grant isn't satisfied by an ungated one`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await RealService.dunst(on: session) { _ in
                    let answer = try await bench.ask("notifications", ["accept": ["explicit"]])
                    #expect(answer.isSatisfied == false)
                    #expect(answer.basis == .ungated)
                }
            }
        }

        @Test func `6: an allowed camera that isn't there is unavailable`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await PermissionStoreProcess.run(on: session) { store in
                    try await store.set("devices", "camera", ["yes"])
                    try await bench.expect("camera", is: "unavailable")
                }
            }
        }

        @Test func `7: the decision on another app is none on this one`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try bench.write("", to: "/dev/video0")
                try await PermissionStoreProcess.run(on: session) { store in
                    try await store.set("devices", "camera", app: "com.example.other", ["no"])
                    try await bench.expect("camera", is: "granted always ungated")
                    try await store.set("devices", "camera", ["no"])
                    try await bench.expect("camera", is: "denied")
                }
            }
        }

        @Test func `8: without a session a pass ends at once, and starts no bus`() async throws {
            try await ProbeBench.run { bench in
                var bench = bench
                bench.environment["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=\(bench.directory)/none"
                let before = try Self.children()
                let pass = try await bench.everyKind(within: .seconds(600))
                #expect(pass.costs == .nothing)
                #expect(pass.answers["notifications"]?.status == .unavailable)
                #expect(try Self.children().subtracting(before).isEmpty)
            }
        }

        @Test func `9: a call that succeeds proves nothing, so the store is read`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await RealService.dunst(on: session) { _ in
                    try await PermissionStoreProcess.run(on: session) { store in
                        try await store.set("notifications", "notification", ["no"])
                        try await bench.expect("notifications", is: "denied")
                    }
                }
            }
        }

        @Test func `10: a pass changes no byte of the permission store, which anybody of the user may write`()
            async throws
        {
            try await ProbeBench.run(system: true) { bench, session, _ in
                try await PermissionStoreProcess.run(on: session) { store in
                    for (table, id) in [
                        ("notifications", "notification"), ("devices", "camera"), ("location", "location"),
                    ] {
                        try await store.set(table, id, app: "com.example.other", ["yes"])
                    }
                    let before = try Self.files(below: session.directory + "/data")
                    _ = try await bench.everyKind(within: .seconds(20))
                    try bench.enterSandbox(as: "com.example.Box")
                    _ = try await bench.everyKind(within: .seconds(20))
                    #expect(!before.isEmpty)
                    #expect(try Self.files(below: session.directory + "/data") == before)
                }
            }
        }

        /// The processes that this one has started and that are still there, or unreaped.
        private static func children() throws -> Set<String> {
            let path = "/proc/self/task/\(getpid())/children"
            return Set(try String(contentsOfFile: path, encoding: .utf8).split(separator: " ").map(String.init))
        }

        private static func files(below directory: String) throws -> [String: Data] {
            var files: [String: Data] = [:]
            for name in try FileManager.default.subpathsOfDirectory(atPath: directory) {
                files[name] = FileManager.default.contents(atPath: directory + "/" + name) ?? Data()
            }
            return files
        }
    }
}

/// What is called on a bus, seen by a monitor.
enum BusMonitor {
    /// The members of all method calls during `body`, in their order, by whoever came to the bus during it.
    static func calls(on bus: PrivateBus, _ body: () async throws -> Void) async throws -> [String] {
        let monitor = try ChildProcess(
            ["dbus-monitor", "--profile", "--address", bus.address, "type='method_call'"], isQuiet: true,
            package: "dbus-bin")
        defer { monitor.kill() }
        // Its first lines are a heading and how the monitor itself came in.
        while !(try await monitor.line(orElse: "dbus-monitor says nothing")).contains("NameLost") {}
        try await body()
        let client = BusClient(environment: bus.environment)
        defer { client.close() }
        _ = try? await client.call(
            .session, destination: "org.example.End", path: "/", interface: "org.example.End", member: "TheEnd",
            deadline: .now + .seconds(20))
        var members: [String] = []
        var callers: Set<String> = []
        while true {
            let columns = try await monitor.line(orElse: "dbus-monitor ended").split(separator: "\t").map(String.init)
            guard columns.count == 8, columns[0] == "mc" else { continue }
            if columns[7] == "TheEnd" { return members }
            // The services themselves talk too.
            if columns[7] == "Hello" { callers.insert(columns[3]) }
            if callers.contains(columns[3]) { members.append(columns[7]) }
        }
    }
}
