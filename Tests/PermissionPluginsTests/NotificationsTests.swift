import BusTestSupport
import DoorstepBus
import DoorstepPluginKit
import Foundation
import Testing

@testable import PermissionPlugins

/// Everything that needs a real bus runs one after another: each test starts daemons of its own.
@Suite(.serialized) enum BusProbeTests {}

extension BusProbeTests {
    @Suite("The kind \"notifications\"") struct Notifications {
        private static let name = "org.freedesktop.Notifications"

        private static func server(_ properties: String = "{}", called name: String = "mock") -> String {
            """
            object("/org/freedesktop/Notifications", "org.freedesktop.Notifications", [
                ("GetServerInformation", "", "ssss", "ret = ('\(name)', 'doorstep', '1.0', '1.2')"),
            ], \(properties))
            """
        }

        @Test func `without a server they are unavailable`() async throws {
            try await ProbeBench.run { bench, _, _ in
                try await bench.expect("notifications", is: "unavailable")
            }
        }

        @Test func `a server that nothing guards is granted, ungated`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await MockService.run(Self.name, on: session, script: Self.server()) { _ in
                    let answer = try await bench.ask("notifications")
                    #expect(answer.outline == "granted always ungated")
                    #expect(answer.isSatisfied == true)
                    #expect(answer.evidence == "mock shows notifications")
                }
            }
        }

        @Test func `an inhibited server is granted, but muted`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await MockService.run(Self.name, on: session, script: Self.server(#"{"Inhibited": True}"#)) { _ in
                    let answer = try await bench.ask("notifications")
                    #expect(answer.outline == "granted muted ungated")
                    #expect(answer.isSatisfied == true)
                    try await bench.expect("notifications", ["acceptModes": ["always"]], isSatisfied: false)
                }
            }
        }

        @Test func `a paused dunst is muted`() async throws {
            try await ProbeBench.run { bench, session, _ in
                let paused =
                    #"\#nobject("/org/freedesktop/Notifications", "org.dunstproject.cmd0", [], {"paused": True})"#
                let script = Self.server(called: "dunst") + paused
                try await MockService.run(Self.name, on: session, script: script) { _ in
                    try await bench.expect("notifications", is: "granted muted ungated")
                }
            }
        }

        @Test func `a server that left because it was idle still counts, and isn't started`() async throws {
            try await ProbeBench.run { bench, session, _ in
                let marker = session.directory + "/started"
                try await session.addActivatable(Self.name, marker: marker)
                try await bench.expect("notifications", is: "granted always ungated")
                #expect(!FileManager.default.fileExists(atPath: marker))
            }
        }

        @Test func `a server that hangs can't be told, in time`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await MockService.run(Self.name, on: session, script: Self.server()) { service in
                    service.process.stop()
                    let answer = try await bench.ask("notifications", within: .milliseconds(300))
                    #expect(answer.isSatisfied == nil)
                    #expect(answer.evidence == "The service didn't answer in time.")
                }
            }
        }

        @Test func `without a session they are unavailable`() async throws {
            try await ProbeBench.run { bench in
                let answer = try await bench.ask("notifications")
                #expect(answer.outline == "unavailable")
                #expect(answer.evidence.hasPrefix("There is no session bus: "))
            }
        }

        @Test func `a sandbox that hides the server can't tell`() async throws {
            try await ProbeBench.run { bench, _, _ in
                try bench.enterSandbox(as: "com.example.aurora")
                try await bench.expect("notifications", isSatisfied: nil)
            }
        }

        @Test func `what the real permission store holds decides`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await MockService.run(Self.name, on: session, script: Self.server()) { _ in
                    try await PermissionStoreProcess.run(on: session) { store in
                        try await bench.expect("notifications", is: "granted always ungated")
                        try await store.set("notifications", "notification", app: "com.example.other", ["no"])
                        try await bench.expect("notifications", is: "granted always ungated")
                        try await store.set("notifications", "notification", ["no"])
                        try await bench.expect("notifications", is: "denied")
                        try await store.set("notifications", "notification", ["yes"])
                        try await bench.expect("notifications", is: "granted always explicit")
                        try await store.set("notifications", "notification", [])
                        try await bench.expect("notifications", is: "granted always ungated")
                        try await store.set("notifications", "notification", ["perhaps"])
                        try await bench.expect("notifications", isSatisfied: nil)
                    }
                }
            }
        }

        @Test func `the portal ID of the options and a sandbox's own name are looked up`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await MockService.run(Self.name, on: session, script: Self.server()) { _ in
                    try await PermissionStoreProcess.run(on: session) { store in
                        try await store.set("notifications", "notification", app: "com.example.Portal", ["no"])
                        try await store.set("notifications", "notification", app: "com.example.Box", ["yes"])
                        let options: JSONObject = ["portalID": "com.example.Portal"]
                        try await bench.expect("notifications", options, is: "denied")
                        try bench.enterSandbox(as: "com.example.Box")
                        try await bench.expect("notifications", options, is: "granted always explicit")
                    }
                }
            }
        }

        @Test func `a step may demand that somebody decided`() async throws {
            try await ProbeBench.run { bench, session, _ in
                try await MockService.run(Self.name, on: session, script: Self.server()) { _ in
                    let answer = try await bench.ask("notifications", ["accept": ["explicit"]])
                    #expect(answer.isSatisfied == false)
                    #expect(answer.outline == "granted always ungated")
                }
            }
        }
    }
}
