import BusTestSupport
import DoorstepPluginKit
import Foundation
import Testing

@testable import PermissionPlugins

extension BusProbeTests {
    @Suite("Kinds that a desktop's services answer") struct Desktop {
        private static let portal = "org.freedesktop.portal.Desktop"

        private static func portal(_ interface: String, _ properties: String) -> String {
            #"object("/org/freedesktop/portal/desktop", "org.freedesktop.portal.\#(interface)", [], \#(properties))"#
        }

        @Test func `screen capture is asked for each time, where it is there at all`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await bench.expect("screen-capture", is: "unavailable")
                let one = Self.portal("ScreenCast", #"{"AvailableSourceTypes": UInt32(1)}"#)
                try await MockService.run(Self.portal, on: session, script: one) { _ in
                    try await bench.expect("screen-capture", is: "notDetermined")
                }
                let none = Self.portal("ScreenCast", #"{"AvailableSourceTypes": UInt32(0)}"#)
                try await MockService.run(Self.portal, on: session, script: none) { _ in
                    try await bench.expect("screen-capture", is: "unavailable")
                }
            }
        }

        @Test func `a capture that the app may go on with is granted while it is in use`() async throws {
            try await ProbeBench.run { bench, session, _ in
                let one = Self.portal("ScreenCast", #"{"AvailableSourceTypes": UInt32(1)}"#)
                try await MockService.run(Self.portal, on: session, script: one) { _ in
                    try await PermissionStoreProcess.run(on: session) { store in
                        try await bench.expect("screen-capture", is: "notDetermined")
                        try await store.set("screencast", "token-1", app: "com.example.other", ["yes"])
                        // What any app outside a sandbox has may be another's.
                        try await store.set("screencast", "token-3", app: "", ["yes"])
                        try await bench.expect("screen-capture", is: "notDetermined")
                        try await bench.expectChange(of: "screen-capture", to: "granted whileInUse explicit") {
                            try await store.set("screencast", "token-2", ["yes"])
                        }
                    }
                }
            }
        }

        @Test func `what was decided on the microphone comes before that nothing guards it`() async throws {
            try await ProbeBench.run { bench, session, _ in
                var bench = bench
                bench.environment["XDG_RUNTIME_DIR"] = "/run/user/1000"
                try bench.write("", to: "/run/user/1000/pulse/native")
                try bench.write("00-00: a : a : capture 1\n", to: "/proc/asound/pcm")
                try await PermissionStoreProcess.run(on: session) { store in
                    try await bench.expect("microphone", is: "granted always ungated")
                    for (word, outline) in [
                        ("yes", "granted always explicit"), ("no", "denied"), ("ask", "notDetermined"),
                        ("perhaps", "unknown"),
                    ] {
                        try await store.set("devices", "microphone", [word])
                        try await bench.expect("microphone", is: outline)
                    }
                }
            }
        }

        @Test func `in a sandbox only the store knows of the background`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try bench.enterSandbox(as: "com.example.Box")
                try await bench.expect("background", is: "unknown")
                try await PermissionStoreProcess.run(on: session) { store in
                    try await bench.expect("background", is: "unknown")
                    for (word, outline) in [("yes", "granted always explicit"), ("no", "denied"), ("ask", "unknown")] {
                        try await store.set("background", "background", app: "com.example.Box", [word])
                        try await bench.expect("background", is: outline)
                    }
                }
            }
        }

        @Test func `an X11 display guards no screen, except for a sandbox`() async throws {
            try await ProbeBench.run { bench, _, _ in
                var bench = bench
                bench.environment["DISPLAY"] = ":0"
                try await bench.expect("screen-capture", is: "granted always ungated")
                bench.environment["WAYLAND_DISPLAY"] = "wayland-0"
                try await bench.expect("screen-capture", is: "unavailable")
            }
        }

        @Test func `a camera that a sandbox's portal sees is as decided`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try bench.enterSandbox(as: "com.example.Box")
                let present = Self.portal("Camera", #"{"IsCameraPresent": True}"#)
                try await PermissionStoreProcess.run(on: session) { store in
                    try await MockService.run(Self.portal, on: session, script: present) { _ in
                        try await bench.expect("camera", is: "notDetermined")
                        for (word, outline) in [
                            ("yes", "granted always explicit"), ("no", "denied"), ("ask", "notDetermined"),
                        ] {
                            try await store.set("devices", "camera", app: "com.example.Box", [word])
                            try await bench.expect("camera", is: outline)
                        }
                    }
                    try await store.set("devices", "camera", app: "com.example.Box", ["yes"])
                    let absent = Self.portal("Camera", #"{"IsCameraPresent": False}"#)
                    try await MockService.run(Self.portal, on: session, script: absent) { _ in
                        try await bench.expect("camera", is: "unavailable")
                    }
                }
            }
        }

        @Test func `outside a sandbox a camera's node decides, unless somebody stored a decision`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await bench.expect("camera", is: "unavailable")
                try bench.write("", to: "/dev/video0")
                try await bench.expect("camera", is: "granted always ungated")
                try await PermissionStoreProcess.run(on: session) { store in
                    try await store.set("devices", "camera", app: "", ["no"])
                    try await bench.expect("camera", is: "denied")
                    try await store.set("devices", "camera", ["yes"])
                    try await bench.expect("camera", is: "granted always explicit")
                }
            }
        }

        @Test func `the key ring must be there, be the default one and be unlocked`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await bench.expect("secrets", is: "unavailable")
                for (alias, locked, outline) in [
                    ("/", "False", "notDetermined"),
                    ("/org/freedesktop/secrets/collection/session", "False", "notDetermined"),
                    ("/org/freedesktop/secrets/collection/login", "True", "notDetermined"),
                    ("/org/freedesktop/secrets/collection/login", "False", "granted always explicit"),
                ] {
                    let script = """
                        object("/org/freedesktop/secrets", "org.freedesktop.Secret.Service",
                            [("ReadAlias", "s", "o", "ret = dbus.ObjectPath('\(alias)' if args[0] == 'default' else '/x')")])
                        object("/org/freedesktop/secrets/collection/login", "org.freedesktop.Secret.Collection", [],
                            {"Locked": \(locked)})
                        """
                    try await MockService.run("org.freedesktop.secrets", on: session, script: script) { _ in
                        try await bench.expect("secrets", is: outline, "\(alias) locked: \(locked)")
                    }
                }
            }
        }

        @Test func `assistive technology is on or off, a screen reader apart`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await bench.expect("accessibility", is: "unavailable")
                let script = """
                    object("/org/a11y/bus", "org.a11y.Status", [], {"IsEnabled": True, "ScreenReaderEnabled": False})
                    """
                try await MockService.run("org.a11y.Bus", on: session, script: script) { _ in
                    try await bench.expect("accessibility", is: "granted always explicit")
                    try await bench.expect("accessibility", ["screenReader": true], is: "notDetermined")
                }
            }
        }

        @Test func `a service runs, starts on demand, or isn't there`() async throws {
            try await ProbeBench.run { bench, session, _ in
                let marker = session.directory + "/started"
                try await session.addActivatable("org.example.Sleeping", marker: marker)
                try await MockService.run("org.example.Running", on: session, script: "") { _ in
                    try await bench.expect("service", ["name": "org.example.Running"], isSatisfied: true)
                    try await bench.expect("service", ["name": "org.example.Sleeping"], isSatisfied: true)
                    let mustRun: JSONObject = ["name": "org.example.Sleeping", "running": true]
                    try await bench.expect("service", mustRun, isSatisfied: nil)
                    try await bench.expect("service", ["name": "org.example.Nobody"], is: "unavailable")
                    let elsewhere: JSONObject = ["name": "org.example.Running", "bus": "system"]
                    try await bench.expect("service", elsewhere, is: "unavailable")
                }
                #expect(!FileManager.default.fileExists(atPath: marker))
            }
        }

        @Test(arguments: [
            ("active", "granted always ungated"), ("activating", "unknown"), ("inactive", "unavailable"),
            ("failed", "unavailable"),
        ])
        func `a unit is as active as systemd says`(state: String, outline: String) async throws {
            try await ProbeBench.run { bench, session, _ in
                try await bench.expect("service", ["unit": "a.service"], is: "unavailable")
                let script = """
                    object("/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", [("GetUnit", "s", "o", '''
                    if args[0] != "a.service":
                        raise dbus.exceptions.DBusException("none", name="org.freedesktop.systemd1.NoSuchUnit")
                    ret = dbus.ObjectPath("/org/freedesktop/systemd1/unit/a")
                    ''')])
                    object("/org/freedesktop/systemd1/unit/a", "org.freedesktop.systemd1.Unit", [],
                        {"ActiveState": "\(state)"})
                    """
                try await MockService.run("org.freedesktop.systemd1", on: session, script: script) { _ in
                    try await bench.expect("service", ["unit": "a.service"], is: outline)
                    try await bench.expect("service", ["unit": "b.service"], is: "unavailable")
                }
            }
        }
    }
}
