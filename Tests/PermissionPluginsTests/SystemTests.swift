import BusTestSupport
import DoorstepBus
import DoorstepPluginKit
import Foundation
import Testing

@testable import PermissionPlugins

extension BusProbeTests {
    @Suite("Kinds that the machine's services answer") struct System {
        private static func geoClue(level: Int) -> String {
            """
            object("/org/freedesktop/GeoClue2/Manager", "org.freedesktop.GeoClue2.Manager", [("AddAgent", "s", "", "")],
                {"AvailableAccuracyLevel": UInt32(\(level)), "InUse": False})
            """
        }

        @Test func `the location has a source, a switch and a decision`() async throws {
            try await ProbeBench.run(system: true) { bench, session, system in
                try bench.showProcesses()
                try await bench.expect("location", is: "unavailable")
                try await MockService.run("org.freedesktop.GeoClue2", on: system, script: Self.geoClue(level: 0)) { _ in
                    try await bench.expect("location", is: "unavailable")
                }
                try await MockService.run("org.freedesktop.GeoClue2", on: system, script: Self.geoClue(level: 8)) { _ in
                    try await RealService.geoClueAgent(on: system) { _ in
                        try await PermissionStoreProcess.run(on: session) { store in
                            try await bench.expect("location", is: "notDetermined")
                            let table: [(words: [String], options: JSONObject, outline: String)] = [
                                (["EXACT", "1653295813"], [:], "granted always explicit"),
                                (["CITY", "0"], [:], "granted always explicit"),
                                (["CITY", "0"], ["accuracy": "city"], "granted always explicit"),
                                (["CITY", "0"], ["accuracy": "street"], "granted limited explicit"),
                                (["NONE", "0"], [:], "denied"), (["NOWHERE", "0"], [:], "unknown"),
                                (["city"], [:], "unknown"), ([], [:], "notDetermined"),
                            ]
                            for row in table {
                                try await store.set("location", "location", row.words)
                                let answer = try await bench.ask("location", row.options)
                                #expect(answer.outline == row.outline, "\(row.words)")
                            }
                            try await store.set("location", "location", ["EXACT", "0"])
                            try bench.write("[com.example.aurora]\nallowed=false\n", to: "/etc/geoclue/geoclue.conf")
                            try await bench.expect("location", is: "restricted")
                        }
                    }
                }
            }
        }

        @Test func `an idle location service isn't started`() async throws {
            try await ProbeBench.run(system: true) { bench, _, system in
                let marker = system.directory + "/started"
                try await system.addActivatable("org.freedesktop.GeoClue2", marker: marker)
                let answer = try await bench.ask("location")
                #expect(answer.outline == "unknown", "there is no agent")
                #expect(!FileManager.default.fileExists(atPath: marker))
            }
        }

        @Test func `Bluetooth needs an adapter that is switched on, and tells of each change`() async throws {
            try await ProbeBench.run(system: true) { bench, _, system in
                try await bench.expect("bluetooth", is: "unavailable")
                try await MockTemplate.bluez(on: system) { bluez in
                    try await bench.expect("bluetooth", is: "unavailable")
                    try await bench.expectChange(of: "bluetooth", to: "granted always ungated") {
                        try await bluez.call(
                            "AddAdapter", .string("hci0"), .string("Aurora"), interface: "org.bluez.Mock")
                    }
                    #expect(try await bench.ask("bluetooth").evidence == "Aurora is switched on")
                    try await bench.expectChange(of: "bluetooth", to: "denied") {
                        try await bluez.update(
                            ["Powered": .bool(false)], of: "org.bluez.Adapter1", at: "/org/bluez/hci0")
                    }
                    // One of two is enough.
                    try await bench.expectChange(of: "bluetooth", to: "granted always ungated") {
                        try await bluez.call(
                            "AddAdapter", .string("hci1"), .string("Aurora"), interface: "org.bluez.Mock")
                    }
                }
            }
        }

        @Test func `the network is as NetworkManager found it, and tells of each change`() async throws {
            try await ProbeBench.run(system: true) { bench, _, system in
                let interface = "org.freedesktop.NetworkManager"
                let path = "/org/freedesktop/NetworkManager"
                try await MockTemplate.networkManager(on: system) { manager in
                    for (connectivity, checks, outline) in [
                        (4, true, "granted always ungated"), (4, false, "granted unverified ungated"),
                        (3, true, "denied"), (2, true, "denied"), (1, true, "unavailable"), (0, true, "unavailable"),
                        (99, true, "unavailable"),
                    ] {
                        try await manager.update(["ConnectivityCheckEnabled": .bool(checks)], of: interface, at: path)
                        try await bench.expectChange(of: "network", to: outline) {
                            try await manager.call("SetConnectivity", .uint32(UInt32(connectivity)))
                        }
                    }
                    try await manager.call("SetConnectivity", .uint32(4))
                    for (metered, isMetered) in [(1, true), (2, false), (3, true), (4, false), (0, false)] {
                        try await manager.update(["Metered": .uint32(UInt32(metered))], of: interface, at: path)
                        #expect(try await bench.ask("network").evidence.contains(", metered") == isMetered)
                    }
                }
            }
        }

        @Test func `polkit authorises or refuses, and one that hangs is unknown`() async throws {
            try await ProbeBench.run(system: true) { bench, _, system in
                let action: JSONObject = ["action": "org.example.act"]
                try await bench.expect("polkit", action, is: "unavailable")
                try await MockTemplate.polkit(on: system) { polkit in
                    try await bench.expect("polkit", action, is: "denied")
                    try await polkit.call("SetAllowed", .array(of: "s", [.string("org.example.act")]))
                    try await bench.expect("polkit", action, is: "granted always default")
                    try await bench.expect("polkit", ["action": "org.example.other"], is: "denied")
                    try await polkit.call("SimulateHang", .bool(true))
                    try await bench.expect("polkit", action, within: .milliseconds(300), is: "unknown")
                }
            }
        }

        @Test func `polkit may want a password, knows its actions, and is told who asks`() async throws {
            try await ProbeBench.run(system: true) { bench, _, system in
                // The template knows no challenge.
                let script = """
                    object("/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.PolicyKit1.Authority",
                        [("CheckAuthorization", "(sa{sv})sa{ss}us", "(bba{ss})", '''
                    kind, details = args[0]
                    assert kind == "system-bus-name" and details["name"].startswith(":1."), args
                    assert args[3] == 0, "it must not ask anybody"
                    if args[1] != "org.example.act":
                        raise dbus.exceptions.DBusException("Action %s is not registered" % args[1],
                            name="org.freedesktop.PolicyKit1.Error.Failed")
                    ret = (False, True, dbus.Dictionary({}, signature="ss"))
                    ''')])
                    """
                try await MockService.run("org.freedesktop.PolicyKit1", on: system, script: script) { _ in
                    try await bench.expect("polkit", ["action": "org.example.act"], is: "notDetermined")
                    try await bench.expect("polkit", ["action": "org.example.none"], is: "unavailable")
                }
            }
        }

        @Test func `lingering is as logind says where its directory isn't there`() async throws {
            try await ProbeBench.run(system: true) { bench, _, system in
                try await bench.expect("linger", is: "unavailable")
                try await MockTemplate.logind(on: system) { logind in
                    let answer = try await bench.ask("linger")
                    #expect(answer.outline == "notDetermined")
                    #expect(answer.evidence == "logind has no session of this user, and nothing lingers")
                    try await logind.call("AddUser", .uint32(getuid()), .string(NSUserName()), .bool(true))
                    try await bench.expect("linger", is: "notDetermined")
                    try await logind.update(
                        ["Linger": .bool(true)], of: "org.freedesktop.login1.User",
                        at: "/org/freedesktop/login1/user/\(getuid())")
                    try await bench.expect("linger", is: "granted always explicit")
                }
            }
        }
    }
}
