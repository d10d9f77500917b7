import Doorstep
import DoorstepSQLite
import Foundation
import Testing

@testable import DoorstepRegistry

@Suite("Policy files")
struct PolicyFileTests {
    @Test(
        "a star stands for any text",
        arguments: [
            ("com.example.aurora", "com.example.*", true), ("com.example.aurora", "*", true), ("a", "a", true),
            ("a", "b", false), ("", "*", true), ("abcabd", "*abd", true), ("abc", "a*b", false), ("abc", "**c", true),
            ("com.examplex", "com.example.*", false),
        ])
    func patterns(text: String, pattern: String, isMatched: Bool) {
        #expect(Glob.matches(text, pattern) == isMatched)
    }

    @Test("no variable can take the admin's own directory away or put another behind it")
    func directories() {
        #expect(
            PolicyDirectories.standard(environment: [:]) == ["/etc/xdg/doorstep/policy.d", "/etc/doorstep/policy.d"])
        let environment = ["DOORSTEP_POLICY_PATH": "/a:/etc/doorstep/policy.d", "XDG_CONFIG_DIRS": "/first:/second:no"]
        #expect(
            PolicyDirectories.standard(environment: environment) == [
                "/a", "/second/doorstep/policy.d", "/first/doorstep/policy.d", "/etc/doorstep/policy.d",
            ])
    }

    @Test("a lock holds for a flow that the library hands out, also one that came while the flow was open")
    func library() throws {
        let directory = NSTemporaryDirectory() + "doorstep-policy-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory + "/policy", withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory)
        let manifest = #"{ "format": 1, "app": "com.example.a", "steps": [ { "id": "s", "plugin": "info" } ] }"#
        try manifest.write(toFile: directory + "/com.example.a.json", atomically: true, encoding: .utf8)
        let registry = Registry(
            directories: [directory], catalogue: PluginCatalogue([]), policyDirectories: [directory + "/policy"])
        let suite = try OnboardingSuite.open(at: directory + "/suite.db")
        let flow = try registry.gate(for: "com.example.a", in: suite)
        try flow.record(true, for: "s")
        let file = directory + "/policy/10.json"
        try #"{ "format": 1, "rules": [ { "app": "*", "step": "s", "lock": false } ] }"#
            .write(toFile: file, atomically: true, encoding: .utf8)
        for flow in [flow, try registry.gate(for: "com.example.a", in: suite)] {
            let error = #expect(throws: OnboardingStorageError.self) { try flow.record(true, for: "s") }
            #expect(error?.code == .notPermitted && error?.message.contains(file) == true)
            #expect(throws: OnboardingStorageError.self) { try flow.clear("s") }
            try flow.refresh()
            #expect(flow.value(for: "s") == false && flow.records["s"]?.origin == .policy)
            try flow.signOut()
            #expect(flow.value(for: "s") == false)
        }
        // What goes past the registry into the suite is under the lock all the same.
        let registration = try registry.app("com.example.a").registration
        let bare = try OnboardingFlow(
            welcome: nil, steps: registration.steps, storage: suite.storage(for: registration))
        try bare.record(true, for: "s")
        #expect(try registry.gate(for: "com.example.a", in: suite).value(for: "s") == false)
        try FileManager.default.removeItem(atPath: file)
        let after = try registry.gate(for: "com.example.a", in: suite)
        #expect(after.value(for: "s") == true && after.records["s"]?.origin == .user)
    }

    @Test("what a policy presets answers for a change that asks what stands there; what it locks stands against all")
    func conditions() throws {
        let directory = NSTemporaryDirectory() + "doorstep-policy-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(
            atPath: directory + "/policy", withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory)
        let rules =
            #"{ "app": "a", "step": "a.preset", "preset": false }, { "app": "a", "step": "a.lock", "lock": false }"#
        try #"{ "format": 1, "rules": [ \#(rules) ] }"#
            .write(toFile: directory + "/policy/10.json", atomically: true, encoding: .utf8)
        let registration = FlowRegistration(
            app: "a", prefix: "a.", steps: [OnboardingStepConfig(id: "a.preset"), OnboardingStepConfig(id: "a.lock")])
        let base = try OnboardingSuite.open(at: directory + "/suite.db").storage(for: registration)
        let storage = PolicyStorage(base: base, registration: registration, directories: [directory + "/policy"])
        func change(_ step: OnboardingStepID, _ condition: OnboardingChange.Condition) -> OnboardingChange {
            OnboardingChange(step: step, action: .record(true, revision: 1), condition: condition, origin: .leaving)
        }
        let left = try storage.commit([change("a.preset", .unanswered), change("a.lock", .unansweredOrDeclined)])
        #expect(left.mapValues(\.value) == ["a.preset": false, "a.lock": false])
        #expect(try base.records().isEmpty)
        // A preset is only where the user's own answer isn't; a check that finds the step satisfied may give it.
        let found = try storage.commit([change("a.preset", .unansweredOrDeclined)])
        #expect(found["a.preset"]?.value == true && found["a.preset"]?.origin == .leaving)
        // A step that no flow has is under no lock.
        #expect(try storage.commit([change("a.other", .always)])["a.other"]?.value == true)
    }

    @Test("a pattern longer than any ID is a mistake of its file")
    func longPattern() throws {
        let directory = NSTemporaryDirectory() + "doorstep-policy-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let long = String(repeating: "a", count: OnboardingStepID.maximumLength + 1)
        try #"{ "format": 1, "rules": [ { "app": "\#(long)", "step": "*", "skip": true } ] }"#
            .write(toFile: directory + "/10.json", atomically: true, encoding: .utf8)
        let policy = Policy(directories: [directory])
        #expect(policy.rules.isEmpty)
        #expect(policy.problems.count == 1)
        #expect("\(policy.problems)".contains("this has \(long.count) bytes; at most"), "\(policy.problems)")
    }
}
