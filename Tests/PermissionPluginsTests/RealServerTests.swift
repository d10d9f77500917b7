import BusTestSupport
import DoorstepBus
import DoorstepPluginKit
import Foundation
import Testing

@testable import PermissionPlugins

extension BusProbeTests {
    @Suite("Kinds against the real servers") struct RealServers {
        private static let notifications = "org.freedesktop.Notifications"

        @Test func `dunst shows notifications, and paused it is muted`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await RealService.dunst(on: session) { dunst in
                    let answer = try await bench.ask("notifications")
                    #expect(answer.outline == "granted always ungated")
                    #expect(answer.evidence == "dunst shows notifications, without keeping them")
                    try await session.set(
                        "paused", of: "org.dunstproject.cmd0", at: "/org/freedesktop/Notifications",
                        on: Self.notifications, to: .bool(true))
                    let muted = try await bench.ask("notifications")
                    #expect(muted.outline == "granted muted ungated")
                    #expect(muted.isSatisfied == true)
                }
                // The daemon is gone, and nothing could start one.
                try await bench.expect("notifications", is: "unavailable")
            }
        }

        @Test func `the real permission store forbids what dunst would show`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await RealService.dunst(on: session) { _ in
                    try await PermissionStoreProcess.run(on: session) { store in
                        try await store.set("notifications", "notification", ["no"])
                        try await bench.expect("notifications", is: "denied")
                        try await store.set("notifications", "notification", ["yes"])
                        let answer = try await bench.ask("notifications", ["accept": ["explicit"]])
                        #expect(answer.outline == "granted always explicit")
                        #expect(answer.isSatisfied == true)
                    }
                }
            }
        }

        @Test func `GeoClue has a source, and the permission store the decision`() async throws {
            try await ProbeBench.run(system: true) { bench, session, system in
                try bench.showProcesses()
                try await RealService.geoClue(on: system) { geoClue in
                    try await RealService.geoClueAgent(on: system) { _ in
                        try await bench.expect("location", is: "notDetermined")
                        try await PermissionStoreProcess.run(on: session) { store in
                            try await bench.expect("location", is: "notDetermined")
                            try await store.set("location", "location", ["CITY", "1653295813"])
                            try await bench.expect("location", is: "granted always explicit")
                            try await bench.expect("location", ["accuracy": "exact"], is: "granted limited explicit")
                            try await store.set("location", "location", ["NONE", "0"])
                            try await bench.expect("location", is: "denied")
                            try await store.set("location", "location", ["EXACT", "0"])
                            geoClue.process.stop()
                            let answer = try await bench.ask("location", within: .milliseconds(300))
                            #expect(answer.isSatisfied == nil)
                            #expect(answer.status == .unknown)
                        }
                    }
                }
            }
        }

        @Test func `without an agent GeoClue answers nobody, so even what was decided is unknown`() async throws {
            try await ProbeBench.run(system: true) { bench, session, system in
                try bench.showProcesses()
                try await RealService.geoClue(on: system) { _ in
                    try await PermissionStoreProcess.run(on: session) { store in
                        for words in [["EXACT", "0"], []] {
                            try await store.set("location", "location", words)
                            let answer = try await bench.ask("location")
                            #expect(answer.outline == "unknown")
                            #expect(answer.evidence.hasPrefix("no agent of this user answers for GeoClue"))
                        }
                        try await store.set("location", "location", ["NONE", "0"])
                        try await bench.expect("location", is: "denied")
                    }
                }
            }
        }

        @Test func `GNOME's key ring is unlocked, and then locked`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await RealService.keyRing(on: session) { _ in
                    try await bench.expect("secrets", is: "granted always explicit")
                    let client = BusClient(environment: session.environment)
                    defer { client.close() }
                    _ = try await client.call(
                        .session, destination: "org.freedesktop.secrets", path: "/org/freedesktop/secrets",
                        interface: "org.freedesktop.Secret.Service", member: "Lock",
                        arguments: [
                            .array(of: "o", [.objectPath("/org/freedesktop/secrets/collection/login")])
                        ], deadline: .now + .seconds(20))
                    try await bench.expect("secrets", is: "notDetermined")
                }
            }
        }

        @Test func `the accessibility bus says whether assistive technology is on`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await RealService.accessibility(on: session) { launcher in
                    try await bench.expect("accessibility", is: "notDetermined")
                    try await session.set(
                        "IsEnabled", of: "org.a11y.Status", at: "/org/a11y/bus", on: "org.a11y.Bus", to: .bool(true))
                    try await bench.expect("accessibility", is: "granted always explicit")
                    try await bench.expect("accessibility", ["screenReader": true], is: "notDetermined")
                }
            }
        }

        @Test func `a server that says in German that it lacks a property is understood`() async throws {
            try await ProbeBench.run { bench, session, _ in
                let name = PermissionStore.name
                let german = ["LC_ALL": "C.UTF-8", "LANGUAGE": "de"]
                try await RealService.run(
                    ["/usr/libexec/xdg-permission-store"], owning: name, on: session, environment: german,
                    package: "xdg-desktop-portal"
                ) { _ in
                    let client = BusClient(environment: session.environment)
                    defer { client.close() }
                    for (interface, property) in [(name, "NoSuchProperty"), ("org.example.NoSuchInterface", "version")]
                    {
                        let error = await #expect(throws: BusError.self) {
                            try await client.property(
                                .session, destination: name, path: PermissionStore.path, interface: interface,
                                name: property, deadline: .now + .seconds(20))
                        }
                        #expect(error?.isUnknownFeature == true, "\(error?.description ?? "")")
                        #expect(error?.description.contains("Keine derartige") == true, "this server speaks no German")
                    }
                }
            }
        }

        @Test func `a portal without a backend has no screen and no camera to offer`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await RealService.portal(on: session) { _ in
                    try await bench.expect("screen-capture", is: "unavailable")
                    try bench.enterSandbox(as: "com.example.Box")
                    try await bench.expect("camera", is: "unavailable")
                }
            }
        }
    }
}
