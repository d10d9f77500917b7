import Doorstep
import DoorstepSQLite
import Foundation
import Testing

@Suite struct `A prefix` {
    /// An app of one step, whose manifest is at a path.
    private func app(_ name: String, _ prefix: String, manifest: String? = nil) -> FlowRegistration {
        FlowRegistration(
            app: name, prefix: prefix,
            source: manifest.map {
                ManifestIdentity(path: $0, device: 1, inode: 2, size: 3, modified: 4, changed: 5)
            }, steps: [OnboardingStepConfig(id: "one")])
    }

    @Test func `Alone never overwrites an app that is registered with another prefix`() throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
        var registered = aurora
        registered.prefix = "au."
        _ = try suite.storage(for: registered).commit([answer()])
        let history = try suite.history()
        let error = failure { _ = try suite.storage(prefix: auroraPrefix).commit([answer()]) }
        #expect(error?.code == .invalid)
        #expect(error?.message.contains("\"com.example.aurora\"") == true)
        #expect(error?.message.contains("\"au.\"") == true)
        #expect(try suite.registrations() == [registered])
        #expect(try suite.history() == history)
    }

    @Test func `Is its bytes, so that one that only looks the same is another and can't take its place`() throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
        let (one, other) = (app("com.example.cafe", "com.caf\u{E9}."), app("com.example.cafe", "com.cafe\u{301}."))
        _ = try suite.storage(for: one).commit([answer()])
        #expect(failure { try suite.register(other) }?.message.contains("it has answers under its prefix") == true)
        #expect(try suite.storage(for: one).records().count == 1)
        _ = try suite.erase(.everything)
        try suite.register(other)
        #expect(try suite.registrations().map { Array($0.prefix.utf8) } == [Array(other.prefix.utf8)])
    }

    @Test func `Whose app's manifest was kept by a relative path is the app's still`() throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
        try suite.register(app("foo", "foo.", manifest: "registry/foo.json"))
        #expect(failure { try suite.register(app("foo2", "foo.x.")) }?.code == .invalid)
    }

    @Test func `Whose app's manifest is gone is free once no answers stand under it`() throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
        let manifest = directory.path + "/foo.json"
        try Data("{}".utf8).write(to: URL(fileURLWithPath: manifest))
        let (old, new) = (app("foo", "foo.", manifest: manifest), app("foo2", "foo.x.", manifest: manifest))
        _ = try suite.storage(for: old).commit([answer(inputs: ["name": .text("Ada")])])
        func expectRefusal() throws {
            let error = failure { _ = try suite.storage(for: new).commit([answer()]) }
            #expect(error?.code == .invalid)
            for name in ["\"foo\"", "\"foo2\""] { #expect(error?.message.contains(name) == true) }
            #expect(try suite.registrations() == [old])
        }
        try expectRefusal()
        unlink(manifest)
        try expectRefusal()
        let clear = OnboardingChange(step: auroraStep, action: .clear, origin: .admin)
        _ = try suite.storage(prefix: "foo.").commit([clear])
        try expectRefusal()
        _ = try suite.storage(prefix: "foo.").commit([], eraseInputs: true)
        _ = try suite.storage(for: new).commit([answer()])
        #expect(try suite.registrations() == [new])
    }

    @Test func `Whose app's manifest is there is the app's without any answers`() throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
        try suite.register(app("foo", "foo.", manifest: directory.path + "/suite.db"))
        try suite.register(app("code", "code."))
        for prefix in ["foo.", "code.x."] {
            let error = failure { try suite.register(app("rival", prefix)) }
            #expect(error?.code == .invalid)
            #expect(error?.message.contains("unregister") == true)
        }
        #expect(try suite.unregister(app: "foo"))
        #expect(try suite.unregister(app: "code"))
        try suite.register(app("rival", "foo."))
        try suite.register(app("rival2", "code.x."))
    }

    @Test func `Stays its app's after unregistering while its answers are there, and nobody else reads them`() throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: try makeSuite(in: directory))
        #expect(try suite.unregister(app: "com.example.aurora"))
        let rival = try suite.storage(for: app("rival", auroraPrefix))
        for call in [
            { _ = try rival.records() }, { _ = try rival.inputs() }, { _ = try rival.commit([answer()]) },
            { try suite.register(self.app("rival", auroraPrefix)) },
        ] as [() throws -> Void] {
            let error = failure(call)
            #expect(error?.code == .invalid)
            #expect(error?.message.contains("\"com.example.aurora\"") == true)
            #expect(error?.message.contains("Ada") == false)
        }
        _ = try suite.storage(for: aurora).commit([answer()])
        #expect(try suite.registrations() == [aurora])
        #expect(try suite.unregister(app: "com.example.aurora"))

        let clear = OnboardingChange(step: auroraStep, action: .clear, origin: .admin)
        _ = try suite.storage(prefix: auroraPrefix).commit([clear], eraseInputs: true)
        _ = try rival.commit([answer()])
        #expect(try suite.registrations().map(\.app) == ["rival"])
    }

    @Test func `Can't be changed by its app while answers stand under it`() throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: try makeSuite(in: directory))
        var moved = aurora
        moved.prefix = "au."
        let error = failure { _ = try suite.storage(for: moved).commit([answer()]) }
        #expect(error?.code == .invalid)
        #expect(error?.message.contains("\"\(auroraPrefix)\"; keep that prefix, or erase") == true)
        #expect(try suite.registrations() == [aurora])
        let clear = OnboardingChange(step: auroraStep, action: .clear, origin: .admin)
        _ = try suite.storage(for: aurora).commit([clear], eraseInputs: true)
        _ = try suite.storage(for: moved).commit([answer()])
        #expect(try suite.registrations() == [moved])
    }

    @Test func `That another app took between two commits of a storage is not written to`() throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
        let (first, second) = (app("first", "shared."), app("second", "shared."))
        let storage = try suite.storage(for: first)
        let clear = OnboardingChange(step: auroraStep, action: .clear, origin: .admin)
        _ = try storage.commit([answer()])
        _ = try storage.commit([clear])
        #expect(try suite.unregister(app: "first"))
        _ = try suite.storage(for: second).commit([answer()])
        #expect(failure { _ = try storage.commit([answer("two")]) }?.code == .invalid)
        #expect(Set(try suite.storage(prefix: "shared.").records().keys) == [auroraStep])
    }
}
