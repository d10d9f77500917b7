import BusTestSupport
import DoorstepBus
import DoorstepPluginKit
import Foundation
import Testing

@testable import PermissionPlugins

extension ProbeBench {
    var configuration: String { directory + "/home/aurora/.config" }

    /// Runs a program that changes settings, as the user of this bench would.
    func runTool(_ command: String..., on bus: PrivateBus, backend: String? = nil) throws {
        try FileManager.default.createDirectory(atPath: configuration, withIntermediateDirectories: true)
        let variables = [
            "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "XDG_CONFIG_HOME=\(configuration)", "HOME=\(directory)",
            "XDG_RUNTIME_DIR=\(bus.directory)", "PATH=/usr/bin:/bin",
        ]
        let environment = variables + (backend.map { ["GSETTINGS_BACKEND=\($0)"] } ?? [])
        try shell(#"eval "exec env -i $1""#, (environment + command).map { "'\($0)'" }.joined(separator: " "))
    }

    /// Changes GNOME's setting `key`, named with its path, to a value.
    func set(_ schema: String, _ key: String, _ value: String, on bus: PrivateBus, backend: String) throws {
        try runTool("gsettings", "set", schema, key, value, on: bus, backend: backend)
    }

    func set(_ schema: String, _ key: String, _ isOn: Bool, on bus: PrivateBus, backend: String) throws {
        try set(schema, key, "\(isOn)", on: bus, backend: backend)
    }
}

extension BusProbeTests {
    /// GNOME's settings, written by GNOME's own tools. Its shell can't run without a screen, so something else bears its name.
    @Suite("The desktop's settings", .timeLimit(.minutes(1))) struct Settings {
        private static let notifications = "org.freedesktop.Notifications"
        private static let banners = "org.gnome.desktop.notifications"

        private static func application(_ id: String) -> String {
            "\(banners).application:/org/gnome/desktop/notifications/application/\(id)/"
        }

        private func server(
            _ name: String, on bus: PrivateBus, _ body: (MockService) async throws -> Void
        ) async throws {
            let script = """
                object("/org/freedesktop/Notifications", "\(Self.notifications)",
                    [("GetServerInformation", "", "ssss", "ret = ('\(name)', 'GNOME', '43.9', '1.2')")])
                """
            try await MockService.run(Self.notifications, on: bus, script: script, body)
        }

        /// A bench whose settings are kept by a backend of GSettings.
        private func withSettings(
            _ backend: String, _ body: (ProbeBench, PrivateBus) async throws -> Void
        ) async throws {
            try await ProbeBench.run { bench, session, _ in
                guard backend == "dconf" else { return try await body(bench, session) }
                try await RealService.dconf(on: session, configuration: bench.configuration) { _ in
                    try await body(bench, session)
                }
            }
        }

        @Test(arguments: ["keyfile", "dconf"])
        func `GNOME's switch for an app decides where its shell is the server`(backend: String) async throws {
            try await withSettings(backend) { bench, session in
                let own = Self.application("com-example-aurora")
                try await server("gnome-shell", on: session) { _ in
                    try await bench.expect("notifications", is: "granted always ungated")
                    try bench.set(Self.application("com-example-other"), "enable", false, on: session, backend: backend)
                    try await bench.expect("notifications", is: "granted always ungated")
                    try bench.set(own, "enable", false, on: session, backend: backend)
                    try await bench.expect("notifications", is: "denied")
                    try bench.set(own, "enable", true, on: session, backend: backend)
                    try await bench.expect("notifications", is: "granted always explicit")
                    try bench.set(own, "enable", false, on: session, backend: backend)
                }
                try await server("mate-notification-daemon", on: session) { _ in
                    try await bench.expect("notifications", is: "granted always ungated")
                }
            }
        }

        @Test(arguments: ["keyfile", "dconf"])
        func `GNOME's do not disturb is muted`(backend: String) async throws {
            try await withSettings(backend) { bench, session in
                try await server("gnome-shell", on: session) { _ in
                    try bench.set(Self.banners, "show-banners", false, on: session, backend: backend)
                    try await bench.expect("notifications", is: "granted muted ungated")
                    try bench.set(Self.banners, "show-banners", true, on: session, backend: backend)
                    try await bench.expect("notifications", is: "granted always ungated")
                }
            }
        }

        @Test(arguments: ["keyfile", "dconf"])
        func `a switch of GNOME's that is changed is told`(backend: String) async throws {
            try await withSettings(backend) { bench, session in
                try await server("gnome-shell", on: session) { _ in
                    try await bench.expectChange(of: "notifications", to: "denied") {
                        try bench.set(
                            Self.application("com-example-aurora"), "enable", false, on: session, backend: backend)
                    }
                }
            }
        }

        @Test(arguments: ["keyfile", "dconf"])
        func `what GNOME's settings switch off for all apps is restricted`(backend: String) async throws {
            try await withSettings(backend) { bench, session in
                var bench = bench
                bench.environment["DBUS_SYSTEM_BUS_ADDRESS"] = session.address
                bench.environment["XDG_RUNTIME_DIR"] = "/run/user/1000"
                try bench.write("", to: "/dev/video0")
                try bench.write("", to: "/run/user/1000/pipewire-0")
                try bench.write("00-00: a : a : capture 1\n", to: "/proc/asound/pcm")
                let privacy = "org.gnome.desktop.privacy"
                for (kind, schema, key, off) in [
                    ("location", "org.gnome.system.location", "enabled", false),
                    ("camera", privacy, "disable-camera", true), ("microphone", privacy, "disable-microphone", true),
                ] {
                    let before = try await bench.ask(kind).outline
                    #expect(before != "restricted")
                    try await bench.expectChange(of: kind, to: "restricted") {
                        try bench.set(schema, key, off, on: session, backend: backend)
                    }
                    try bench.set(schema, key, !off, on: session, backend: backend)
                    try await bench.expect(kind, is: before)
                }
            }
        }

        @Test(arguments: [
            ("location", "disable-location"), ("camera", "disable-camera"), ("microphone", "disable-microphone"),
        ])
        func `what the desktop's portal locks is restricted, and its change is told`(
            kind: String, property: String
        ) async throws {
            try await ProbeBench.run { bench, session, _ in
                var bench = bench
                try Question.all.first { $0.name == "microphone: is it locked?" }?.prepare(&bench)
                try Question.all.first { $0.name == "camera: is it locked?" }?.prepare(&bench)
                let name = "org.freedesktop.impl.portal.desktop.example"
                let script = """
                    object("/org/freedesktop/portal/desktop", "org.freedesktop.impl.portal.Lockdown", [],
                        {"\(property)": False})
                    """
                try await MockService.run(name, on: session, script: script) { _ in
                    let before = try await bench.ask(kind).outline
                    #expect(before != "restricted")
                    try await bench.expectChange(of: kind, to: "restricted") {
                        try await session.set(
                            property, of: "org.freedesktop.impl.portal.Lockdown",
                            at: "/org/freedesktop/portal/desktop", on: name, to: .bool(true))
                    }
                }
            }
        }

        @Test func `the desktop's own portal backend is asked for its locks, else the first that has them`()
            async throws
        {
            try await ProbeBench.run { bench, session, _ in
                var bench = bench
                bench.environment["XDG_CURRENT_DESKTOP"] = "Aurora:GNOME"
                try bench.write("", to: "/dev/video0")
                for (file, desktops) in [("a", ""), ("b", "gnome"), ("c", "kde")] {
                    try bench.write(
                        """
                        [portal]
                        DBusName=org.example.\(file)
                        Interfaces=org.freedesktop.impl.portal.Access;org.freedesktop.impl.portal.Lockdown
                        UseIn=\(desktops)
                        """, to: "/usr/share/xdg-desktop-portal/portals/\(file).portal")
                }
                let script = """
                    object("/org/freedesktop/portal/desktop", "org.freedesktop.impl.portal.Lockdown", [],
                        {"disable-camera": True})
                    """
                try await MockService.run("org.example.b", on: session, script: script) { _ in
                    try await bench.expect("camera", is: "restricted")
                    bench.environment["XDG_CURRENT_DESKTOP"] = "sway"
                    try await bench.expect("camera", is: "granted always ungated")
                }
                try await MockService.run("org.example.a", on: session, script: script) { _ in
                    try await bench.expect("camera", is: "restricted")
                }
            }
        }

        @Test func `an administrator's settings stand where the user has none, and above them where they are locked`()
            async throws
        {
            try await withSettings("dconf") { bench, session in
                try await server("gnome-shell", on: session) { _ in
                    try bench.write("user-db:user\nsystem-db:local\n", to: "/etc/dconf/profile/user")
                    let own = "org/gnome/desktop/notifications/application/com-example-aurora"
                    try bench.write("[\(own)]\nenable=false\n", to: "/keys/00-aurora")
                    try FileManager.default.createDirectory(
                        atPath: bench.directory + "/etc/dconf/db", withIntermediateDirectories: true)
                    func compile() throws {
                        try bench.runTool(
                            "dconf", "compile", bench.directory + "/etc/dconf/db/local", bench.directory + "/keys",
                            on: session)
                    }
                    try compile()
                    try await bench.expect("notifications", is: "denied")
                    try bench.set(
                        Self.application("com-example-aurora"), "enable", true, on: session, backend: "dconf")
                    try await bench.expect("notifications", is: "granted always explicit")
                    try bench.write("/\(own)/enable\n", to: "/keys/locks/aurora")
                    try compile()
                    try await bench.expect("notifications", is: "denied")
                }
            }
        }

        @Test
        func `what dconf's service keeps is read where it has written it, and unknown before, without starting it`()
            async throws
        {
            try await ProbeBench.run { bench, session, _ in
                var bench = bench
                try bench.write("service-db:keyfile/user\nsystem-db:local\n", to: "/profile")
                try FileManager.default.createSymbolicLink(
                    atPath: bench.directory + "/runtime", withDestinationPath: session.directory)
                bench.environment["DCONF_PROFILE"] = "/profile"
                bench.environment["XDG_RUNTIME_DIR"] = "/runtime"
                let marker = session.directory + "/started"
                try await session.addActivatable("ca.desrt.dconf", marker: marker)
                try await server("gnome-shell", on: session) { _ in
                    let answer = try await bench.ask("notifications")
                    #expect(answer.outline == "unknown")
                    #expect(
                        answer.evidence
                            == "dconf's service hasn't written /runtime/dconf-service/keyfile/user yet, and a check starts nothing"
                    )
                    #expect(!FileManager.default.fileExists(atPath: marker))
                    try await RealService.dconf(on: session, configuration: bench.configuration) { _ in
                        for (value, outline) in [("false", "denied"), ("true", "granted always explicit")] {
                            try bench.runTool(
                                "DCONF_PROFILE=\(bench.directory)/profile", "gsettings", "set",
                                Self.application("com-example-aurora"), "enable", value, on: session, backend: "dconf")
                            try await bench.expect("notifications", is: outline)
                        }
                    }
                }
            }
        }

        @Test func `damaged settings are unknown, and no crash`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await server("gnome-shell", on: session) { _ in
                    for text in ["", "GVariant", "garbage " + String(repeating: "x", count: 100)] {
                        try bench.write(text, to: "/home/aurora/.config/dconf/user")
                        let answer = try await bench.ask("notifications")
                        #expect(answer.outline == "unknown", "\(answer.evidence)")
                        #expect(answer.evidence == "/home/aurora/.config/dconf/user is damaged")
                    }
                    try FileManager.default.removeItem(atPath: bench.configuration + "/dconf/user")
                    let group = "org/gnome/desktop/notifications/application/com-example-aurora"
                    try bench.write("[\(group)]\nenable=7\n", to: "/home/aurora/.config/glib-2.0/settings/keyfile")
                    try await bench.expect("notifications", is: "unknown")
                }
            }
        }

        @Test(arguments: [
            ("com.example.Aurora", "com-example-aurora"), ("org.gnome.Foo_Bar", "org-gnome-foo-bar"),
            ("a..b--c", "a-b-c"), ("Grüße.app", "gr-e-app"), ("", ""),
        ])
        func `GNOME's name of an app is in lower case, and all else is one dash`(app: String, canonical: String) {
            #expect(NotificationsProbe.canonical(app) == canonical)
        }
    }
}
