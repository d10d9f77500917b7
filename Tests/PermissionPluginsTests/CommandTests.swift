import BusTestSupport
import DoorstepBus
import Foundation
import Testing

extension BusProbeTests {
    /// The built command against real services; what each says is recorded in a suite of the test's own.
    @Suite("The command and real services") struct TheCommand {
        private typealias Steps = [(name: String, kind: String, options: String)]

        private static let notifications = "org.freedesktop.Notifications"
        private static let ordinary: Steps = [
            ("shell", "command", #"{ "program": "sh" }"#), ("home", "file-access", #"{ "path": "/" }"#),
        ]

        private func command(
            _ steps: Steps, on session: PrivateBus?, system: PrivateBus? = nil, in directory: String
        ) throws -> DoorstepCommand {
            var environment: [String: String] = [:]
            environment["DBUS_SESSION_BUS_ADDRESS"] = session?.address
            environment["DBUS_SYSTEM_BUS_ADDRESS"] = system?.address
            var command = try DoorstepCommand(in: directory, steps: steps, environment: environment)
            // One that hangs ends with 124 instead.
            command.launcher = ["/usr/bin/timeout", "--foreground", "60"]
            return command
        }

        @Test func `a running daemon is recorded, with its name as evidence`() async throws {
            try await PrivateBus.run { session in
                try await RealService.dunst(on: session) { dunst in
                    let doorstep = try command(
                        [
                            ("notify", "notifications", "{}"),
                            ("loud", "notifications", #"{ "acceptModes": ["always"] }"#),
                        ],
                        on: session, in: session.directory)
                    try await session.set(
                        "paused", of: "org.dunstproject.cmd0", at: "/org/freedesktop/Notifications",
                        on: Self.notifications, to: .bool(true))
                    let result = try doorstep.run("reconcile", DoorstepCommand.app, "--json")
                    #expect(result.status == 0, "\(result.errors)")
                    let row = try result.check("com.example.aurora.notify")
                    #expect(row["after"] as? Bool == true)
                    #expect(row["mode"] as? String == "muted")
                    #expect(row["basis"] as? String == "ungated")
                    #expect((row["evidence"] as? String)?.contains("dunst") == true)
                    #expect(try result.check("com.example.aurora.loud")["after"] is NSNull)
                    let shown = try doorstep.run("show", DoorstepCommand.app, "--json")
                    #expect(shown.output.contains("dunst"), "\(shown.output)")
                    #expect(try doorstep.run("value", DoorstepCommand.app, "com.example.aurora.notify").status == 0)
                }
            }
        }

        @Test func `a daemon that could be started counts, and is still stopped afterwards`() async throws {
            try await PrivateBus.run { session in
                let marker = session.directory + "/started"
                try await session.addActivatable(
                    Self.notifications, exec: "/bin/sh -c 'touch \(marker); exec dunst'")
                let doorstep = try command([("notify", "notifications", "{}")], on: session, in: session.directory)
                let result = try doorstep.run("reconcile", DoorstepCommand.app, "--json")
                #expect(try result.check("com.example.aurora.notify")["after"] as? Bool == true, "\(result.output)")
                #expect(!FileManager.default.fileExists(atPath: marker))
                let client = BusClient(environment: session.environment)
                defer { client.close() }
                let isOwned = try await client.nameHasOwner(
                    .session, Self.notifications, deadline: .now + .seconds(20))
                #expect(!isOwned)
            }
        }

        @Test func `a daemon that never answers costs its timeout, and nobody else's record`() async throws {
            try await PrivateBus.run { session in
                try await RealService.dunst(on: session) { dunst in
                    dunst.process.stop()
                    let doorstep = try command(
                        [("notify", "notifications", "{}")] + Self.ordinary, on: session, in: session.directory)
                    let table = try doorstep.run("reconcile", DoorstepCommand.app, "--timeout", "500ms")
                    #expect(table.status == 0)
                    #expect(table.output.contains("answer in time"), "\(table.output)")
                    for step in ["shell", "home"] {
                        let value = try doorstep.run("value", DoorstepCommand.app, "com.example.aurora." + step)
                        #expect(value.status == 0, "\(step): \(value.output)")
                    }
                    let again = try doorstep.run("reconcile", DoorstepCommand.app, "--timeout", "500ms", "--json")
                    let row = try again.check("com.example.aurora.notify")
                    #expect(row["after"] is NSNull)
                    #expect(row["satisfied"] is NSNull)
                    #expect(row["status"] as? String == "unknown")
                }
            }
        }

        @Test func `GeoClue and the permission store answer the command`() async throws {
            try await PrivateBus.run { session in
                try await PrivateBus.run { system in
                    try await RealService.geoClue(on: system) { _ in
                        try await PermissionStoreProcess.run(on: session) { store in
                            try await RealService.geoClueAgent(on: system) { _ in
                                let doorstep = try command(
                                    [("place", "location", "{}")], on: session, system: system, in: session.directory)
                                let before = try doorstep.run("reconcile", DoorstepCommand.app, "--json")
                                let row = try before.check("com.example.aurora.place")
                                #expect(row["status"] as? String == "notDetermined", "\(before.output)")
                                #expect(row["after"] is NSNull)
                                try await store.set("location", "location", ["EXACT", "0"])
                                let after = try doorstep.run("reconcile", DoorstepCommand.app, "--json")
                                #expect(try after.check("com.example.aurora.place")["after"] as? Bool == true)
                            }
                        }
                    }
                }
            }
        }

        @Test func `an audit names what drifted from the permission store, and only the chosen mode records it`()
            async throws
        {
            try await PrivateBus.run { session in
                try await PrivateBus.run { system in
                    try await RealService.geoClue(on: system) { _ in
                        try await PermissionStoreProcess.run(on: session) { store in
                            try await RealService.geoClueAgent(on: system) { _ in
                                let doorstep = try command(
                                    [("place", "location", "{}")], on: session, system: system, in: session.directory)
                                try await store.set("location", "location", ["EXACT", "0"])
                                _ = try doorstep.run("reconcile", DoorstepCommand.app)
                                #expect(!(try doorstep.run("audit", "--verify").output.contains("drift-")))
                                // Revoked: named, and the record stays.
                                try await store.set("location", "location", ["NONE", "0"])
                                let revoked = try doorstep.run("audit", "--verify", "--json")
                                #expect(revoked.output.contains(#""code":"drift-revoked""#), "\(revoked.output)")
                                #expect(
                                    try doorstep.run("value", DoorstepCommand.app, "com.example.aurora.place").output
                                        == "true\n")
                                // Declined, then granted: named, and recorded by the mode that is for it alone.
                                _ = try doorstep.run("record", DoorstepCommand.app, "com.example.aurora.place", "false")
                                try await store.set("location", "location", ["EXACT", "0"])
                                let granted = try doorstep.run("audit", "--verify", "--json")
                                #expect(granted.output.contains(#""code":"drift-granted""#), "\(granted.output)")
                                _ = try doorstep.run("reconcile", DoorstepCommand.app)
                                #expect(
                                    try doorstep.run("value", DoorstepCommand.app, "com.example.aurora.place").output
                                        == "false\n")
                            }
                        }
                    }
                }
            }
        }

        @Test func `a page left open at a terminal goes on by itself once the permission is there`() async throws {
            try await PrivateBus.run { session in
                try await RealService.dunst(on: session) { _ in
                    try await PermissionStoreProcess.run(on: session) { store in
                        try await store.set("notifications", "notification", ["no"])
                        let doorstep = try command(
                            [("notify", "notifications", "{}")], on: session, in: session.directory)
                        let terminal = try TerminalCommand(doorstep, "run", DoorstepCommand.app)
                        try terminal.wait(for: "This app isn’t allowed to.")
                        try terminal.wait(for: "Your choice")
                        try await store.set("notifications", "notification", ["yes"])
                        try terminal.wait(for: "Everything is saved.")
                        #expect(terminal.exitStatus() == 0)
                        let value = try doorstep.run("show", DoorstepCommand.app, "--json")
                        #expect(value.output.contains("[explicit]"), "\(value.output)")
                    }
                }
            }
        }

        @Test func `a page left open goes on once there is a default route, without NetworkManager`() async throws {
            try #require(getuid() == 0, "this test makes a network of its own, so it must be started as root")
            try await withTemporaryDirectory { directory in
                var doorstep = try command(
                    [("online", "network", #"{ "acceptModes": ["unverified"] }"#)], on: nil, in: directory)
                doorstep.launcher = [
                    "/usr/bin/unshare", "--net", "/bin/sh", "-ec", "ip link set lo up; exec \"$@\"", "sh",
                ]
                let terminal = try TerminalCommand(doorstep, "run", DoorstepCommand.app)
                try terminal.wait(for: "isn’t connected to the internet")
                try terminal.wait(for: "Your choice")
                try shell(#"nsenter --net="/proc/$1/ns/net" ip route add default dev lo"#, "\(terminal.pid)")
                try terminal.wait(for: "Everything is saved.")
                #expect(terminal.exitStatus() == 0)
            }
        }

        @Test func `without any bus every answer comes at once`() async throws {
            try await withTemporaryDirectory { directory in
                let doorstep = try command(
                    [
                        ("notify", "notifications", "{}"), ("place", "location", "{}"), ("keys", "secrets", "{}"),
                        ("radio", "bluetooth", "{}"), ("screen", "screen-capture", "{}"),
                    ] + Self.ordinary, on: nil, in: directory)
                let result = try doorstep.run("reconcile", DoorstepCommand.app, "--timeout", "600s", "--json")
                #expect(result.status == 0, "nobody may wait for the deadline")
                let row = try result.check("com.example.aurora.notify")
                #expect(row["status"] as? String == "unavailable", "\(result.output)")
                #expect((row["evidence"] as? String)?.contains("no session bus") == true)
                #expect(try result.check("com.example.aurora.shell")["after"] as? Bool == true)
                let probe = try doorstep.run("probe", "notifications", "--timeout", "600s")
                #expect(probe.status == 0, "nobody may wait for the deadline")
                #expect(probe.output.contains("no session bus"))
            }
        }
    }
}
