import Doorstep
import DoorstepRegistry
import DoorstepSQLite
import Foundation
import Testing

@Suite struct `The launch gate` {
    static let app = "com.example.gated"

    @Test func `needs onboarding until every step is answered`() throws {
        let household = try Household()
        try household.put(Self.app, steps: ["one", "two"])
        let suite = try household.suite()
        #expect(try household.registry.gate(for: Self.app, in: suite).needsOnboarding)
        let flow = try household.registry.flow(for: Self.app, in: suite)
        try flow.record(true, for: "com.example.gated.one")
        #expect(try household.registry.gate(for: Self.app, in: suite).nextStepNeeded == "com.example.gated.two")
        try flow.record(false, for: "com.example.gated.two")
        #expect(try !household.registry.gate(for: Self.app, in: suite).needsOnboarding)
    }

    @Test func `writes nothing, neither a suite that isn't there nor into one that is`() throws {
        let household = try Household()
        try household.put(Self.app, steps: ["one"])
        let empty = try household.contents()
        #expect(try household.registry.gate(for: Self.app, in: try household.suite()).needsOnboarding)
        #expect(try household.contents() == empty)

        let suite = try household.suite()
        try household.registry.flow(for: Self.app, in: suite).record(true, for: "com.example.gated.one")
        try suite.close()
        try household.put(Self.app, steps: ["one", "two"])
        let before = try household.contents()
        let reader = try household.suite()
        #expect(try household.registry.gate(for: Self.app, in: reader).needsOnboarding)
        try reader.close()
        #expect(try household.contents() == before)
    }

    @Test(.enabled(if: Nobody.isNeeded, "only root can register what others can't read"))
    func `opens no manifest while it is the one that the suite knows, and opens a changed one`() throws {
        let household = try Household()
        let path = try household.put(Self.app, steps: ["one"])
        for directory in [household.directory.path, household.own] { try Nobody.setMode(0o755, of: directory) }
        try Nobody.setMode(0, of: path)
        let suite = try household.suite()
        try household.registry.flow(for: Self.app, in: suite).record(true, for: "com.example.gated.one")

        try Nobody.setMode(0o755, of: household.directory.path + "/suite")
        // The file can be looked at but not opened: whoever answers has not read it.
        let isNeeded = try Nobody.run { try household.registry.gate(for: Self.app, in: suite).needsOnboarding }
        #expect(!isNeeded)
        try household.put(Self.app, steps: ["one", "two"])
        try Nobody.run {
            #expect(throws: RegistryError.unreadable(path: path, reason: "Permission denied", cause: .notPermitted)) {
                try household.registry.gate(for: Self.app, in: suite)
            }
        }
        #expect(try household.registry.gate(for: Self.app, in: suite).nextStepNeeded == "com.example.gated.two")
    }

    @Test func `sees a new step, a raised revision and another welcome after its manifest changed`() throws {
        let household = try Household()
        try household.put(Self.app, steps: ["one"])
        let suite = try household.suite()
        try household.registry.flow(for: Self.app, in: suite).record(true, for: "com.example.gated.one")
        #expect(try !household.registry.gate(for: Self.app, in: suite).needsOnboarding)

        let one = #"{ "id": "com.example.gated.one", "plugin": "info", "revision": 2 }"#
        try household.put(Self.app, #""steps": [ \#(one) ]"#)
        #expect(try household.registry.gate(for: Self.app, in: suite).nextStepNeeded == "com.example.gated.one")
        try household.put(Self.app, #""welcome": { "id": "com.example.gated.welcome" }"#)
        #expect(try household.registry.gate(for: Self.app, in: suite).needsWelcome)
    }

    @Test func `answers as the suite does after the manifest is replaced by another file of the same text`() throws {
        let household = try Household()
        let path = try household.put(Self.app, steps: ["one"])
        let suite = try household.suite()
        try household.registry.flow(for: Self.app, in: suite).record(true, for: "com.example.gated.one")
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        try household.put(Self.app, steps: ["one"])
        #expect(try !household.registry.gate(for: Self.app, in: suite).needsOnboarding)
    }

    @Test func `an unregistered app is unknown, whatever the suite remembers`() throws {
        let household = try Household()
        try household.put(Self.app, steps: ["one"])
        let suite = try household.suite()
        try household.registry.flow(for: Self.app, in: suite).record(true, for: "com.example.gated.one")
        _ = try household.registry.unregister(Self.app)
        #expect(throws: RegistryError.unknownApp(Self.app, nearest: nil)) {
            try household.registry.gate(for: Self.app, in: suite)
        }
        try household.put(Self.app, steps: ["one"])
        #expect(try !household.registry.gate(for: Self.app, in: suite).needsOnboarding)
    }

    @Test func `a broken manifest is an error with its mistakes, never "needed" or "not needed"`() throws {
        let household = try Household()
        try household.put(Self.app, #""steps": [ { "id": "", "plugin": "info" } ]"#)
        let error = try #require(throws: RegistryError.self) {
            try household.registry.gate(for: Self.app, in: try household.suite())
        }
        #expect(error.description.contains("steps[0].id: a step ID is empty"))
    }

    @Test func `a suite that can't be read is an error`() throws {
        let household = try Household()
        try household.put(Self.app, steps: ["one"])
        try household.put(text: "", as: "suite.db", in: household.directory.path + "/suite")
        let error = try #require(throws: RegistryError.self) {
            try household.registry.gate(for: Self.app, in: try household.suite())
        }
        guard case .storage = error else { throw error }
    }

    @Test func `needs no plugin: kinds and options are another day's question`() throws {
        let household = try Household(PluginCatalogue([]))
        try household.put(Self.app, steps: ["one"], plugin: "teleport")
        #expect(try household.registry.gate(for: Self.app, in: try household.suite()).needsOnboarding)
    }

    @Test func `a broken manifest of another app is none of its business`() throws {
        let household = try Household()
        try household.put(Self.app, steps: ["one"])
        try household.put(text: "{", as: "com.example.broken.json", in: household.own)
        #expect(try household.registry.gate(for: Self.app, in: try household.suite()).needsOnboarding)
    }
}
