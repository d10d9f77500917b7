import BusTestSupport
import DoorstepBus
import DoorstepJSON
import Foundation
import Testing

/// Real services of a desktop beside a real terminal.
@Suite("Permissions on a whole screen")
struct ScreenPermissionTests {
    private static let app = "com.example.aurora"
    private static let run = "doorstep run \(app)"

    private func user() throws -> TestUser {
        let step: JSONObject = [
            "id": .string("\(Self.app).reqs.notifications"), "plugin": "notifications", "required": true,
        ]
        return try TestUser(
            TestManifest(Self.app, steps: [step, TestManifest.info("\(Self.app).tips", title: ["en": "Tips"])]))
    }

    /// A desktop with a notification daemon and the portals' permission store, in which the app may not notify.
    private func denied(_ body: (PrivateBus) async throws -> Void) async throws {
        try await PrivateBus.run { bus in
            try await RealService.dunst(on: bus) { _ in
                try await RealService.permissionStore(on: bus) { _ in
                    try await decide("no", on: bus)
                    try await body(bus)
                }
            }
        }
    }

    /// Decides for the app, as a settings page does.
    private func decide(_ word: String, on bus: PrivateBus) async throws {
        let client = BusClient(environment: bus.environment)
        defer { client.close() }
        let name = "org.freedesktop.impl.portal.PermissionStore"
        _ = try await client.call(
            .session, destination: name, path: "/org/freedesktop/impl/portal/PermissionStore", interface: name,
            member: "SetPermission",
            arguments: [
                .string("notifications"), .bool(true), .string("notification"), .string(Self.app),
                .array(of: "s", [.string(word)]),
            ], deadline: .now + .seconds(20))
    }

    @Test("a permission that is granted elsewhere while its page is open turns the page")
    func grantedElsewhere() async throws {
        try await denied { bus in
            let user = try user()
            let terminal = try TmuxRun(user, Self.run, environment: bus.environment.mapValues { $0 })
            try terminal.wait(for: "[ Try Again ]")
            #expect(try terminal.screen().contains("isn’t allowed"))
            // What the check was told stands below, for who wants to know why; and asking it again shows.
            let probe = try user.doorstep(
                ["probe", "notifications", "--app", Self.app, "--json"], environment: bus.environment.mapValues { $0 })
            let evidence = try #require(try TestUser.object(probe.output)["evidence"] as? String)
            let words = evidence.split(separator: " ").prefix(8).joined(separator: " ")
            #expect(try terminal.screen().contains(words), "\(evidence)")
            #expect(try !terminal.screen().contains("Checked"))
            try terminal.press("Enter")
            try terminal.wait(for: "Checked again: nothing has changed.")
            try await decide("yes", on: bus)
            try terminal.wait(for: "[ Finish ]")
            #expect(try terminal.screen().contains("Tips"))
            try terminal.press("Enter")
            #expect(try terminal.finish() == 0)
            #expect(
                try user.rows("SELECT value, origin FROM records ORDER BY step")
                    == [["1", "reconcile"], ["1", "user"]])
        }
    }

    @Test("Open Settings runs the desktop's settings and comes back to the page, which follows what is set there")
    func openSettings() async throws {
        try await denied { bus in
            let user = try user()
            let programs = user.directory + "/bin"
            try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
            try shell(
                #"printf '#!/bin/sh\necho "$*" >%s.new; mv %s.new %s\n' "$2" "$2" "$2" >"$1"; chmod 755 "$1""#,
                programs + "/gnome-control-center", user.directory + "/opened")
            var environment: [String: String?] = bus.environment.mapValues { $0 }
            environment.merge(
                ["XDG_CURRENT_DESKTOP": "GNOME", "DISPLAY": ":7", "PATH": programs + ":/usr/bin:/bin"]
            ) { $1 }
            let terminal = try TmuxRun(user, Self.run, environment: environment)
            try terminal.wait(for: "[ Open Settings ]")
            try terminal.press("Enter")
            try terminal.wait(for: "the settings") { _ in
                FileManager.default.fileExists(atPath: user.directory + "/opened")
            }
            #expect(try String(contentsOfFile: user.directory + "/opened", encoding: .utf8) == "notifications\n")
            try terminal.wait(for: "[ Open Settings ]")
            try await decide("yes", on: bus)
            try terminal.wait(for: "[ Finish ]")
            try terminal.press("C-c")
            #expect(try terminal.finish() == 1)
            #expect(try user.rows("SELECT value, origin FROM records") == [["1", "reconcile"]])
        }
    }

    @Test("a screen reader that the session announces gets lines, unless the environment decides")
    func screenReader() async throws {
        try await PrivateBus.run { bus in
            try await RealService.accessibility(on: bus) { _ in
                for isOn in [true, false] {
                    try await bus.set(
                        "ScreenReaderEnabled", of: "org.a11y.Status", at: "/org/a11y/bus", on: "org.a11y.Bus",
                        to: .bool(isOn))
                    for (name, value) in [("", ""), ("DOORSTEP_UI", "terminal"), ("ACCESSIBLE", "0")] {
                        var environment: [String: String?] = bus.environment.mapValues { $0 }
                        if !name.isEmpty { environment[name] = value }
                        let terminal = try TmuxRun(try TestUser(.aurora()), Self.run, environment: environment)
                        try terminal.wait(for: isOn && name.isEmpty ? "Your choice [1]:" : "[ Sign Up ]")
                        try terminal.press("C-c")
                        #expect(try terminal.finish() == 1)
                    }
                }
            }
        }
    }

    @Test("asking for a screen reader starts nothing, and a bus that hangs holds nothing up")
    func noScreenReader() async throws {
        try await PrivateBus.run { bus in
            let marker = bus.directory + "/started"
            try await bus.addActivatable("org.a11y.Bus", marker: marker)
            for address in [bus.address, "unix:path=\(bus.directory)/silent", "unix:path=/nowhere"] {
                let silent = address.hasSuffix("silent") ? try FakeSocket(at: bus.directory + "/silent") : nil
                let terminal = try TmuxRun(
                    try TestUser(.aurora()), Self.run, environment: ["DBUS_SESSION_BUS_ADDRESS": address])
                try terminal.wait(for: "[ Sign Up ]")
                try terminal.press("C-c")
                #expect(try terminal.finish() == 1)
                _ = silent
            }
            #expect(!FileManager.default.fileExists(atPath: marker))
        }
    }
}
