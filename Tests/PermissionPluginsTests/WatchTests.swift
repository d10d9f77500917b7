import BusTestSupport
import DoorstepBus
import DoorstepPluginKit
import Foundation
import Testing

@testable import PermissionPlugins

/// Reads a stream of changes: each wait is for one more of them.
final class Changes {
    private var iterator: AsyncStream<Void>.Iterator
    init(_ stream: AsyncStream<Void>) { iterator = stream.makeAsyncIterator() }
    /// Whether there was one more before the stream ended.
    func next() async -> Bool { await iterator.next() != nil }
}

extension ProbeBench {
    /// The changes of a step of this kind.
    func changes(_ kind: String, _ options: JSONObject = [:]) throws -> AsyncStream<Void> {
        let plugin = try #require(PermissionPlugins.plugins(on: machine).first { $0.kind == kind })
        return try BoundStep(plugin, options: options, at: .root).changes(in: context())
    }

    /// Waits until the check answers so, looking again at each change and at nothing else.
    func expectChange(
        of kind: String, _ options: JSONObject = [:], to outline: String, after change: () async throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let changes = Changes(try changes(kind, options))
        try #require(await changes.next(), "no watch stands", sourceLocation: sourceLocation)
        try await change()
        while try await ask(kind, options).outline != outline {
            guard await changes.next() else {
                Issue.record("the watch ended before \(outline)", sourceLocation: sourceLocation)
                return
            }
        }
    }
}

extension BusProbeTests {
    @Suite("Watching", .timeLimit(.minutes(1))) struct Watching {
        @Test func `a decision in the real permission store is told, and nobody looks before`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await RealService.dunst(on: session) { _ in
                    try await PermissionStoreProcess.run(on: session) { store in
                        try await store.set("notifications", "notification", ["no"])
                        let calls = try await BusMonitor.calls(on: session) {
                            try await bench.expect("notifications", is: "denied")
                            try await bench.expectChange(of: "notifications", to: "granted always explicit") {
                                // Other tables stir nothing here.
                                for word in ["yes", "no", "yes"] { try await store.set("devices", "camera", [word]) }
                                try await store.set("notifications", "notification", ["yes"])
                            }
                        }
                        // Each look asks the store once: before, when the watch stands at the latest, and when it is told.
                        let looks = calls.count { $0 == "Lookup" }
                        #expect((2...3).contains(looks), "\(calls)")
                    }
                }
            }
        }

        @Test func `a daemon that starts, is paused and stops is told`() async throws {
            try await ProbeBench.run { bench, session, _ in
                let changes = Changes(try bench.changes("notifications"))
                #expect(await changes.next())
                try await RealService.dunst(on: session) { dunst in
                    #expect(await changes.next())
                    try await bench.expectChange(of: "notifications", to: "granted muted ungated") {
                        try await session.set(
                            "paused", of: "org.dunstproject.cmd0", at: "/org/freedesktop/Notifications",
                            on: "org.freedesktop.Notifications", to: .bool(true))
                    }
                }
                while try await bench.ask("notifications").outline != "unavailable" { #expect(await changes.next()) }
            }
        }

        @Test func `GNOME's key ring tells when it is locked`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await RealService.keyRing(on: session) { _ in
                    try await bench.expectChange(of: "secrets", to: "notDetermined") {
                        let client = BusClient(environment: session.environment)
                        defer { client.close() }
                        _ = try await client.call(
                            .session, destination: "org.freedesktop.secrets", path: "/org/freedesktop/secrets",
                            interface: "org.freedesktop.Secret.Service", member: "Lock",
                            arguments: [.array(of: "o", [.objectPath("/org/freedesktop/secrets/collection/login")])],
                            deadline: .now + .seconds(20))
                    }
                }
            }
        }

        @Test func `assistive technology that is switched on is told`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await RealService.accessibility(on: session) { launcher in
                    try await bench.expectChange(of: "accessibility", to: "granted always explicit") {
                        try await session.set(
                            "IsEnabled", of: "org.a11y.Status", at: "/org/a11y/bus", on: "org.a11y.Bus",
                            to: .bool(true))
                    }
                }
            }
        }

        @Test func `a file that appears somewhere below what is there is told`() async throws {
            try await ProbeBench.run { bench in
                let options: JSONObject = ["path": "/a/b/c"]
                try await bench.expectChange(of: "file-access", options, to: "granted always ungated") {
                    try bench.write("", to: "/a/b/c")
                }
            }
        }

        @Test func `a program that is installed is told`() async throws {
            try await ProbeBench.run { bench in
                let options: JSONObject = ["program": "tool"]
                try await bench.expectChange(of: "command", options, to: "granted always ungated") {
                    try bench.write("", to: "/usr/bin/tool", executable: true)
                }
            }
        }

        @Test func `a camera, a sound server and an autostart entry that appear are told`() async throws {
            try await ProbeBench.run { bench in
                var bench = bench
                bench.environment["XDG_RUNTIME_DIR"] = "/run/user/1000"
                try bench.write("", to: "/dev/null")
                try await bench.expectChange(of: "camera", to: "granted always ungated") {
                    try bench.write("", to: "/dev/video7")
                }
                try bench.write("00-00: a : a : capture 1\n", to: "/proc/asound/pcm")
                try await bench.expectChange(of: "microphone", to: "granted always ungated") {
                    try bench.write("", to: "/run/user/1000/pipewire-0")
                }
                try bench.write("", to: "/usr/bin/aurora", executable: true)
                try await bench.expectChange(of: "background", to: "granted always explicit") {
                    let entry = "/home/aurora/.config/autostart/com.example.aurora.desktop"
                    try bench.write("[Desktop Entry]\nExec=aurora\n", to: entry)
                }
            }
        }

        @Test func `an agent that comes to answer for GeoClue is told`() async throws {
            try await ProbeBench.run(system: true) { bench, _, system in
                try bench.showProcesses()
                try await RealService.geoClue(on: system) { _ in
                    try await bench.expect("location", is: "unknown")
                    var agent: ChildProcess?
                    defer { agent?.kill() }
                    try await bench.expectChange(of: "location", to: "notDetermined") {
                        agent = try RealService.startGeoClueAgent(on: system)
                    }
                }
            }
        }

        @Test func `what isn't told isn't polled for`() async throws {
            try await ProbeBench.run { bench in
                // No bus, no file: the stream ends by itself.
                for kind in ["screen-capture", "bluetooth", "polkit"] {
                    let options: JSONObject = kind == "polkit" ? ["action": "org.example.act"] : [:]
                    for await _ in try bench.changes(kind, options) {}
                }
                for await _ in try bench.changes("service", ["unit": "a.service"]) {}
            }
        }

        @Test func `a unit's state is told by subscribing, loaded or not`() async throws {
            try await ProbeBench.run { bench, session, _ in
                // Like systemd, it tells of units while somebody is subscribed, and a unit's object comes with the unit.
                let script = """
                    unit = "/org/freedesktop/systemd1/unit/my_2dapp_401_2eservice"
                    subscribers = []
                    import dbusmock.mockobject
                    dbusmock.mockobject.subscribers = subscribers
                    object("/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", [
                        ("Subscribe", "", "", "subscribers.append(1)"),
                        ("GetUnit", "s", "o", '''
                    if "%s" not in objects:
                        raise dbus.exceptions.DBusException("none", name="org.freedesktop.systemd1.NoSuchUnit")
                    ret = dbus.ObjectPath("%s")
                    ''' % (unit, unit)),
                        ("StartUnit", "ss", "o", '''
                    self.AddObject("%s", "org.freedesktop.systemd1.Unit", {"ActiveState": "active"}, [])
                    if subscribers:
                        objects["%s"].EmitSignal("org.freedesktop.DBus.Properties", "PropertiesChanged", "sa{sv}as",
                            ["org.freedesktop.systemd1.Unit", {"ActiveState": "active"}, []])
                    ret = dbus.ObjectPath("/org/freedesktop/systemd1/job/1")
                    ''' % (unit, unit))])
                    """
                try await MockService.run("org.freedesktop.systemd1", on: session, script: script) { _ in
                    let unit: JSONObject = ["unit": "my-app@1.service"]
                    try await bench.expect("service", unit, is: "unavailable")
                    try await bench.expectChange(of: "service", unit, to: "granted always ungated") {
                        try await bench.step("service", unit).perform("ask", in: bench.context())
                    }
                }
            }
        }

        @Test func `a unit's object is called as systemd calls it`() {
            let prefix = "/org/freedesktop/systemd1/unit/"
            #expect(Systemd.path(of: "ssh.service") == prefix + "ssh_2eservice")
            #expect(Systemd.path(of: "1-a@b_c.timer") == prefix + "_31_2da_40b_5fc_2etimer")
        }

        @Test func `watching starts no service`() async throws {
            try await ProbeBench.run(system: true) { bench, session, system in
                let marker = session.directory + "/started"
                let names = ["org.freedesktop.Notifications", "org.freedesktop.impl.portal.PermissionStore"]
                for name in names { try await session.addActivatable(name, marker: marker) }
                try await system.addActivatable("org.freedesktop.GeoClue2", marker: marker)
                for kind in ["notifications", "location"] {
                    let changes = Changes(try bench.changes(kind))
                    #expect(await changes.next())
                }
                #expect(!FileManager.default.fileExists(atPath: marker))
            }
        }
    }
}
