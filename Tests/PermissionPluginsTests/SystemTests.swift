import BusTestSupport
import DoorstepPluginKit
import Foundation
import Testing

@testable import PermissionPlugins

extension BusProbeTests {
    @Suite("Kinds that the machine's services answer") struct System {
        private static func geoClue(level: Int) -> String {
            """
            object("/org/freedesktop/GeoClue2/Manager", "org.freedesktop.GeoClue2.Manager", [],
                {"AvailableAccuracyLevel": UInt32(\(level)), "InUse": False})
            """
        }

        @Test func `the location has a source, a switch and a decision`() async throws {
            try await ProbeBench.run(system: true) { bench, session, system in
                try await bench.expect("location", is: "unavailable")
                try await MockService.run("org.freedesktop.GeoClue2", on: system, script: Self.geoClue(level: 0)) { _ in
                    try await bench.expect("location", is: "unavailable")
                }
                try await MockService.run("org.freedesktop.GeoClue2", on: system, script: Self.geoClue(level: 8)) { _ in
                    try await bench.expect("location", is: "notDetermined")
                    try await PermissionStoreProcess.run(on: session) { store in
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

        @Test func `a permission store that isn't running leaves the location unknown, and isn't started`() async throws
        {
            try await ProbeBench.run(system: true) { bench, session, system in
                let marker = session.directory + "/started"
                try await session.addActivatable("org.freedesktop.impl.portal.PermissionStore", marker: marker)
                try await MockService.run("org.freedesktop.GeoClue2", on: system, script: Self.geoClue(level: 8)) { _ in
                    try await bench.expect("location", is: "unknown")
                }
                #expect(!FileManager.default.fileExists(atPath: marker))
            }
        }

        @Test func `an idle location service isn't started`() async throws {
            try await ProbeBench.run(system: true) { bench, _, system in
                let marker = system.directory + "/started"
                try await system.addActivatable("org.freedesktop.GeoClue2", marker: marker)
                try await bench.expect("location", is: "notDetermined")
                #expect(!FileManager.default.fileExists(atPath: marker))
            }
        }

        @Test func `Bluetooth needs an adapter that is switched on`() async throws {
            try await ProbeBench.run(system: true) { bench, _, system in
                try await bench.expect("bluetooth", is: "unavailable")
                let adapter =
                    #"Dictionary({"org.bluez.Adapter1": Dictionary({"Powered": %, "Alias": "hci0"}, signature="sv")}, signature="sa{sv}")"#
                for (objects, outline) in [
                    ("", "unavailable"), ("False", "denied"), ("True", "granted always ungated"),
                ] {
                    let value =
                        objects.isEmpty
                        ? "" : "ObjectPath('/org/bluez/hci0'): \(adapter.replacingOccurrences(of: "%", with: objects))"
                    let script = #"""
                        object("/", "org.freedesktop.DBus.ObjectManager", [("GetManagedObjects", "", "a{oa{sa{sv}}}", '''
                        from dbus import Dictionary, ObjectPath
                        ret = Dictionary({\#(value)}, signature="oa{sa{sv}}")
                        ''')])
                        """#
                    try await MockService.run("org.bluez", on: system, script: script) { _ in
                        try await bench.expect("bluetooth", is: outline)
                    }
                }
            }
        }

        @Test(arguments: [
            (4, true, "granted always ungated"), (4, false, "granted unverified ungated"), (3, true, "denied"),
            (2, true, "denied"), (1, true, "unavailable"), (0, true, "unavailable"), (99, true, "unavailable"),
        ])
        func `the network is as NetworkManager found it`(connectivity: Int, checks: Bool, outline: String) async throws
        {
            try await ProbeBench.run(system: true) { bench, _, system in
                let script = """
                    object("/org/freedesktop/NetworkManager", "org.freedesktop.NetworkManager", [], {
                        "Connectivity": UInt32(\(connectivity)), "Metered": UInt32(1),
                        "ConnectivityCheckEnabled": \(checks ? "True" : "False")})
                    """
                try await MockService.run("org.freedesktop.NetworkManager", on: system, script: script) { _ in
                    let answer = try await bench.ask("network")
                    #expect(answer.outline == outline)
                    #expect(answer.evidence.contains(", metered") == (connectivity == 4))
                }
            }
        }

        @Test func `polkit authorises, asks or refuses, and is told who asks`() async throws {
            try await ProbeBench.run(system: true) { bench, _, system in
                let action: JSONObject = ["action": "org.example.act"]
                try await bench.expect("polkit", action, is: "unavailable")
                for (reply, outline) in [
                    ("True, False", "granted always default"), ("False, True", "notDetermined"),
                    ("False, False", "denied"),
                ] {
                    let script = """
                        object("/org/freedesktop/PolicyKit1/Authority", "org.freedesktop.PolicyKit1.Authority",
                            [("CheckAuthorization", "(sa{sv})sa{ss}us", "(bba{ss})", '''
                        kind, details = args[0]
                        assert kind == "system-bus-name" and details["name"].startswith(":1."), args
                        assert args[3] == 0, "it must not ask anybody"
                        if args[1] != "org.example.act":
                            raise dbus.exceptions.DBusException("Action %s is not registered" % args[1],
                                name="org.freedesktop.PolicyKit1.Error.Failed")
                        ret = (\(reply), dbus.Dictionary({}, signature="ss"))
                        ''')])
                        """
                    try await MockService.run("org.freedesktop.PolicyKit1", on: system, script: script) { _ in
                        try await bench.expect("polkit", action, is: outline)
                        try await bench.expect("polkit", ["action": "org.example.none"], is: "unavailable")
                    }
                }
            }
        }

        @Test func `lingering is as logind says where its directory isn't there`() async throws {
            try await ProbeBench.run(system: true) { bench, _, system in
                try await bench.expect("linger", is: "unavailable")
                for (lingers, outline) in [("True", "granted always explicit"), ("False", "notDetermined")] {
                    let script = """
                        object("/org/freedesktop/login1", "org.freedesktop.login1.Manager",
                            [("GetUser", "u", "o", "ret = dbus.ObjectPath('/org/freedesktop/login1/user/_%d' % args[0])")])
                        object("/org/freedesktop/login1/user/_\(getuid())", "org.freedesktop.login1.User", [],
                            {"Linger": \(lingers)})
                        """
                    try await MockService.run("org.freedesktop.login1", on: system, script: script) { _ in
                        try await bench.expect("linger", is: outline)
                    }
                }
                let none = """
                    object("/org/freedesktop/login1", "org.freedesktop.login1.Manager", [("GetUser", "u", "o",
                        "raise dbus.exceptions.DBusException('none', name='org.freedesktop.login1.NoSuchUser')")])
                    """
                try await MockService.run("org.freedesktop.login1", on: system, script: none) { _ in
                    try await bench.expect("linger", is: "notDetermined")
                }
            }
        }
    }
}
