import BusTestSupport
import DoorstepBus
import DoorstepPluginKit
import Foundation
import Testing

@testable import PermissionPlugins

extension BusProbeTests {
    /// What people report of permissions on Linux, one test each.
    @Suite("Pitfalls", .timeLimit(.minutes(1))) struct Pitfalls {
        private static let notifications = "org.freedesktop.Notifications"

        @Test func `a notification daemon that left because it was idle isn't unavailable`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await session.addActivatable(Self.notifications, exec: "/usr/bin/dunst")
                try await RealService.dunst(on: session) { _ in
                    let answer = try await bench.ask("notifications")
                    #expect(answer.evidence == "dunst shows notifications, without keeping them")
                }
                try await bench.expect("notifications", isSatisfied: true)
            }
        }

        @Test func `a bus that accepts and never answers costs the deadline`() async throws {
            try await ProbeBench.run { bench in
                var bench = bench
                let socket = try FakeSocket(at: bench.directory + "/bus")
                bench.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + socket.path
                try await bench.expect("notifications", within: .milliseconds(300), isSatisfied: nil)
                withExtendedLifetime(socket) {}
            }
        }

        @Test func `a name whose activation hangs isn't waited for, also when somebody else waits`() async throws {
            try await ProbeBench.run { bench, session, _ in
                let marker = session.directory + "/started"
                try await session.addActivatable(
                    Self.notifications, exec: "/bin/sh -c 'touch \(marker); exec sleep 600'")
                let other = BusClient(environment: session.environment)
                defer { other.close() }
                let waiting = Task {
                    try? await other.call(
                        .session, destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
                        interface: "org.freedesktop.DBus", member: "StartServiceByName",
                        arguments: [.string(Self.notifications), .uint32(0)], deadline: .now + .seconds(60))
                }
                let started = Changes(FileWatch.changes(of: [marker]))
                while !FileManager.default.fileExists(atPath: marker) { #expect(await started.next()) }
                let deadline = ContinuousClock.now + .seconds(600)
                try await bench.expect("notifications", within: .seconds(600), isSatisfied: true)
                #expect(ContinuousClock.now < deadline, "nobody may wait for it")
                waiting.cancel()
            }
        }

        @Test(arguments: [
            [:], ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"], ["DBUS_SESSION_BUS_ADDRESS": "garbage"],
            ["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"], ["XDG_RUNTIME_DIR": "/nowhere"],
            ["XDG_RUNTIME_DIR": "relative"],
        ])
        func `no bus at all is unavailable at once`(environment: [String: String]) async throws {
            try await ProbeBench.run { bench in
                var bench = bench
                bench.environment.merge(environment) { $1 }
                let deadline = ContinuousClock.now + .seconds(600)
                let answer = try await bench.ask("notifications", within: .seconds(600))
                #expect(ContinuousClock.now < deadline, "nobody may wait for it")
                #expect(answer.status == .unavailable)
                #expect(answer.evidence.hasPrefix("There is no session bus: "))
            }
        }

        @Test func `a store file of 0 bytes is a damaged store, and no decision`() async throws {
            try await ProbeBench.run { bench, session, _ in
                let tables = session.directory + "/data/flatpak/db"
                try FileManager.default.createDirectory(atPath: tables, withIntermediateDirectories: true)
                try Data().write(to: URL(fileURLWithPath: tables + "/devices"))
                try bench.write("", to: "/dev/video0")
                try await PermissionStoreProcess.run(on: session) { _ in
                    let answer = try await bench.ask("camera")
                    #expect(answer.status == .unknown, "\(answer.evidence)")
                    #expect(answer.isSatisfied == nil)
                }
            }
        }

        @Test func `an unknown word in the store is unknown, and no crash`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try bench.write("", to: "/dev/video0")
                try await PermissionStoreProcess.run(on: session) { store in
                    for word in ["", "YES", "maybe", String(repeating: "y", count: 100_000), "\u{1B}[31m"] {
                        try await store.set("devices", "camera", [word])
                        try await bench.expect("camera", isSatisfied: nil)
                    }
                }
            }
        }

        @Test func `a service that is switched off and an app that is denied are different words`() async throws {
            try await ProbeBench.run(system: true) { bench, session, system in
                try await PermissionStoreProcess.run(on: session) { store in
                    try await RealService.geoClue(on: system) { _ in
                        try await store.set("location", "location", ["NONE", "0"])
                        try await bench.expect("location", is: "denied")
                        let denied = try await bench.page("location").status
                        try bench.write("[com.example.aurora]\nallowed=false\n", to: "/etc/geoclue/geoclue.conf")
                        try await bench.expect("location", is: "restricted")
                        let restricted = try await bench.page("location").status
                        #expect(denied != restricted)
                    }
                }
            }
        }

        @Test func `limited and provisional aren't granted unless a step says so`() async throws {
            let standard = GrantAcceptance()
            for mode in [GrantMode.limited, .provisional, .unverified] {
                #expect(standard.satisfaction(.granted(mode), evidence: "").isSatisfied == false)
                let wide = GrantAcceptance(modes: [mode])
                #expect(wide.satisfaction(.granted(mode), evidence: "").isSatisfied == true)
            }
        }

        @Test func `nothing is cached from one pass to the next`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try bench.write("", to: "/dev/video0")
                try await PermissionStoreProcess.run(on: session) { store in
                    for (word, outline) in [
                        ("yes", "granted always explicit"), ("no", "denied"), ("yes", "granted always explicit"),
                    ] {
                        try await store.set("devices", "camera", [word])
                        try await bench.expect("camera", is: outline)
                    }
                }
            }
        }

        @Test func `a check's deadline is an option, since GeoClue needs its time at boot`() throws {
            for plugin in PermissionPlugins.all where plugin.kind == "location" {
                #expect(try BoundStep(plugin, options: ["timeout": "5s"], at: .root).timeout == .seconds(5))
                #expect(try BoundStep(plugin, options: [:], at: .root).timeout == nil)
            }
        }

        @Test func `a sandboxed app is looked up by its sandbox's ID, not by what it says of itself`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await RealService.dunst(on: session) { _ in
                    try await PermissionStoreProcess.run(on: session) { store in
                        try await store.set("notifications", "notification", app: "com.example.Box", ["no"])
                        try await store.set("notifications", "notification", app: "com.example.Fake", ["yes"])
                        try bench.enterSandbox(as: "com.example.Box")
                        try await bench.expect("notifications", ["portalID": "com.example.Fake"], is: "denied")
                    }
                }
            }
        }

        @Test(arguments: ["", "raise dbus.exceptions.DBusException('no', name='org.example.Broken')", "ret = 7"])
        func `a wrong reply, an error reply and no reply can't tell`(code: String) async throws {
            try await ProbeBench.run { bench, session, _ in
                let signature = code.hasPrefix("ret") ? "u" : code.isEmpty ? "" : "ssss"
                let script = """
                    object("/org/freedesktop/Notifications", "org.freedesktop.Notifications",
                        [("GetServerInformation", "", "\(signature)", "\(code)")])
                    """
                try await MockService.run(Self.notifications, on: session, script: script) { service in
                    try await bench.expect("notifications", isSatisfied: nil)
                    service.process.stop()
                    try await bench.expect("notifications", within: .milliseconds(300), isSatisfied: nil)
                }
            }
        }

        @Test func `a service that vanishes in the middle of a call can't tell`() async throws {
            try await ProbeBench.run { bench, session, _ in
                let script = """
                    object("/org/freedesktop/Notifications", "org.freedesktop.Notifications",
                        [("GetServerInformation", "", "ssss", "import os; os._exit(0)")])
                    """
                try await MockService.run(Self.notifications, on: session, script: script) { _ in
                    try await bench.expect("notifications", isSatisfied: nil)
                }
            }
        }
    }
}
