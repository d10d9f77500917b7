import BusTestSupport
import Foundation
import Testing

extension BusProbeTests {
    /// The built command inside bubblewrap, behind xdg-dbus-proxy.
    @Suite("A real sandbox", .timeLimit(.minutes(1))) struct RealSandbox {
        private func probe(
            _ kind: String, in sandbox: Sandbox, _ bus: PrivateBus, options: String...
        ) throws -> [String: Any] {
            var doorstep = try DoorstepCommand(
                in: bus.directory, steps: [], environment: ["DBUS_SESSION_BUS_ADDRESS": sandbox.busAddress])
            doorstep.launcher = sandbox.launcher
            let arguments = ["probe", kind, "--app", "com.example.aurora", "--json"]
            let result = try doorstep.run(arguments + options.flatMap { ["--option", $0] })
            #expect(result.status == 0, "\(result.errors)")
            return try result.json()
        }

        @Test func `a filtered bus hides names, so what isn't owned is unknown`() async throws {
            try await PrivateBus.run { bus in
                try await RealService.dunst(on: bus) { _ in
                    try await RealService.keyRing(on: bus) { _ in
                        try await Sandbox.run("com.example.Box", on: bus) { sandbox in
                            for kind in ["notifications", "secrets", "accessibility"] {
                                let row = try probe(kind, in: sandbox, bus)
                                #expect(row["status"] as? String == "unknown", "\(row)")
                                #expect(row["satisfied"] is NSNull)
                            }
                        }
                    }
                }
            }
        }

        @Test func `the app is who the sandbox says, whatever the manifest says`() async throws {
            try await PrivateBus.run { bus in
                try await RealService.dunst(on: bus) { _ in
                    try await PermissionStoreProcess.run(on: bus) { store in
                        try await store.set("notifications", "notification", app: "com.example.Box", ["no"])
                        try await store.set("notifications", "notification", app: "com.example.Fake", ["yes"])
                        try await store.set("notifications", "notification", app: "com.example.aurora", ["yes"])
                        try await Sandbox.run("com.example.Box", on: bus, isFiltered: false) { sandbox in
                            let row = try probe("notifications", in: sandbox, bus, options: "portalID=com.example.Fake")
                            #expect(row["status"] as? String == "denied", "\(row)")
                        }
                        try await Sandbox.run("com.example.Fake", on: bus, isFiltered: false) { sandbox in
                            let row = try probe("notifications", in: sandbox, bus)
                            #expect(row["status"] as? String == "granted")
                            #expect(row["basis"] as? String == "explicit")
                        }
                    }
                }
            }
        }

        @Test func `the real portal answers inside a sandbox`() async throws {
            try await PrivateBus.run { bus in
                try await RealService.portal(on: bus) { _ in
                    try await Sandbox.run("com.example.Box", on: bus) { sandbox in
                        // This portal has no backend, so it lacks the interfaces.
                        for kind in ["camera", "screen-capture"] {
                            let row = try probe(kind, in: sandbox, bus)
                            #expect(row["status"] as? String == "unavailable", "\(row)")
                        }
                        let row = try probe("microphone", in: sandbox, bus)
                        #expect(["restricted", "unavailable"].contains(row["status"] as? String), "\(row)")
                    }
                }
            }
        }
    }
}
