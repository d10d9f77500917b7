import Doorstep
import DoorstepSQLite
import Foundation
import Testing

@Suite struct `A suite` {
    @Test func `Reading an absent suite answers empty and creates nothing`() throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: directory.path + "/a/b/suite.db")
        let storage = try suite.storage(for: aurora)
        #expect(try storage.records() == [:])
        #expect(try storage.inputs() == [:])
        #expect(try suite.flowSnapshot(app: "com.example.aurora") == nil)
        #expect(try suite.registrations() == [])
        #expect(try suite.history() == [])
        #expect(try suite.prefixes() == [])
        #expect(try suite.unregister(app: "com.example.aurora") == false)
        let clear = OnboardingChange(step: auroraStep, action: .clear, origin: .user)
        #expect(try storage.commit([clear], eraseInputs: true) == [:])
        try suite.close()
        #expect(try directory.names == [])
    }

    @Test func `Closing leaves one file, and the next use opens it again`() throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
        try suite.register(aurora)
        try suite.close()
        #expect(try directory.names == ["suite.db"])
        try suite.close()
        #expect(try suite.registrations() == [aurora])
    }

    @Test func `A suite has its application ID and version in the header`() throws {
        let directory = try TemporaryDirectory()
        let database = try RawDatabase(try makeSuite(in: directory))
        #expect(try database.rows("PRAGMA application_id") == ["1146311760"])
        #expect(try database.rows("PRAGMA user_version") == ["3"])
        #expect(try database.rows("PRAGMA foreign_key_check") == [])
    }

    @Test(arguments: ["WAL", "DELETE"]) func `Erased inputs are nowhere in the files`(mode: String) throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        #expect(try RawDatabase(path).run("PRAGMA journal_mode = \(mode)") == 0)
        let suite = try OnboardingSuite.open(at: path)
        let storage = try suite.storage(prefix: auroraPrefix)
        let secret = "Ada Lovelace, born 1815"
        func isInFiles() throws -> Bool {
            try contents(of: directory).values.contains { $0.range(of: Data(secret.utf8)) != nil }
        }
        for erase in [
            { _ = try storage.commit([], eraseInputs: true) }, { _ = try storage.commit([answer(inputs: [:])]) },
            { _ = try storage.commit([answer(inputs: ["name": .text("Grace")])]) },
        ] as [() throws -> Void] {
            _ = try storage.commit([answer(inputs: ["name": .text(secret)])])
            #expect(try isInFiles())
            try erase()
            #expect(try !isInFiles())
            #expect(try directory.names.count == (mode == "WAL" ? 3 : 1))
        }
    }

    @Test(arguments: [false, true])
    func `Erased inputs that a reader keeps in the log go with the next write or the closing`(closes: Bool) throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        let suite = try OnboardingSuite.open(at: path)
        let storage = try suite.storage(prefix: auroraPrefix)
        let secret = "Ada Lovelace, born 1815"
        func isInFiles() throws -> Bool {
            try contents(of: directory).values.contains { $0.range(of: Data(secret.utf8)) != nil }
        }
        _ = try storage.commit([answer(inputs: ["name": .text(secret)])])
        let reader = try RawDatabase(path)
        #expect(reader.run("BEGIN; SELECT count(*) FROM inputs") == 0)
        _ = try storage.commit([], eraseInputs: true)
        _ = try storage.commit([answer("com.example.aurora.b")])
        #expect(try isInFiles())
        #expect(reader.run("COMMIT") == 0)
        if closes {
            try suite.close()
        } else {
            _ = try storage.commit([answer("com.example.aurora.c")])
        }
        #expect(try !isInFiles())
        #expect(try directory.names.contains("suite.db-wal"), "the reader has it open still")
    }

    @Test(arguments: OldVersions.all)
    func `A file of every version is read and written still`(version: Int) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/suite.db"
        let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "Fixtures/version-\(version).db")
        try Data(contentsOf: fixture).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        #expect(try RawDatabase(path).rows("PRAGMA user_version") == ["\(version)"])
        let suite = try OnboardingSuite.open(at: path)
        #expect(try suite.registrations() == [aurora])
        let storage = try suite.storage(for: aurora)
        #expect(try storage.records().mapValues(\.value) == [auroraStep: true])
        #expect(try storage.inputs() == [auroraStep: ["name": .text("Ada")]])
        let earlier = try suite.pageEvents().map(\.showing)
        #expect(earlier == (version >= 2 ? ["a"] : []))
        #expect(try suite.removals()?.map(\.kind) == (version >= 3 ? ["inputs"] : []))
        #expect(SuiteDoctor(path).examine().filter { $0.fault != nil } == [])
        _ = try storage.commit([answer("com.example.aurora.b", false)])
        #expect(try suite.history().map(\.sequence) == [2, 1])
        let shown = OnboardingPageEvent(
            prefix: auroraPrefix, app: "com.example.aurora", step: auroraStep, kind: .shown, showing: "b")
        try suite.append([shown])
        #expect(try suite.pageEvents().map(\.showing) == earlier + ["b"])
        try suite.close()
        #expect(try RawDatabase(path).rows("PRAGMA user_version") == ["3"])
        #expect(SuiteDoctor(path).examine().filter { $0.fault != nil } == [])
        #expect(try RawDatabase(path).rows("PRAGMA integrity_check") == ["ok"])
    }
}

@Suite struct `The history` {
    @Test func `Has one row for each change that applied, newest first`() throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
        let storage = try suite.storage(prefix: auroraPrefix)
        let clear = OnboardingChange(step: auroraStep, action: .clear, origin: .admin, evidence: "asked to")
        _ = try storage.commit([
            clear, answer(), answer(), answer(auroraStep, false, condition: .unanswered), clear, clear,
        ])
        _ = try suite.storage(prefix: "com.example.borealis.").commit([answer("b", false, inputs: ["n": .text("Ada")])])
        let events = try suite.history()
        #expect(events.map(\.sequence) == [4, 3, 2, 1])
        #expect(events.map(\.old) == [nil, true, true, nil])
        #expect(events.map(\.new) == [false, nil, true, true])
        #expect(events.map(\.app) == ["com.example.borealis"] + Array(repeating: "com.example.aurora", count: 3))
        #expect(events.map(\.prefix).last == auroraPrefix)
        #expect(events[1].origin == .admin)
        #expect(events[1].evidence == "asked to")
        #expect(events[0].uid == geteuid())
        #expect(!events[0].program.isEmpty && !events[0].program.contains("/"))
        #expect(try suite.history(app: "com.example.borealis").map(\.sequence) == [4])
        #expect(try suite.history(prefix: auroraPrefix, limit: 2).map(\.sequence) == [3, 2])
        #expect(try suite.history(step: "b").map(\.sequence) == [4])
        #expect(try suite.history(before: 3).map(\.sequence) == [2, 1])
        #expect(try suite.history(limit: 0) == [])
        #expect(!"\(events)".contains("Ada"))
    }

    @Test func `Can't be rewritten`() throws {
        let directory = try TemporaryDirectory()
        let database = try RawDatabase(try makeSuite(in: directory))
        for statement in [
            "UPDATE history SET new = 0", "DELETE FROM history",
            "INSERT OR REPLACE INTO history SELECT sequence, at, prefix, app, step, old, 0, revision, origin, evidence, uid, program FROM history",
        ] {
            #expect(database.run(statement) != 0, "\(statement)")
        }
        #expect(try database.rows("SELECT new FROM history") == ["1"])
    }
}

@Suite struct `The registered flows` {
    @Test func `A registration is read back as it was, with its answers`() throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: try makeSuite(in: directory))
        let snapshot = try #require(try suite.flowSnapshot(app: "com.example.aurora"))
        #expect(snapshot.registration == aurora)
        #expect(snapshot.records.mapValues(\.value) == [auroraStep: true])
        #expect(try suite.registration(of: "com.example.aurora") == aurora)
        #expect(try suite.registration(of: "com.example.auror") == nil)
    }

    @Test func `Registering again replaces the definition and keeps the records`() throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: try makeSuite(in: directory))
        var changed = aurora
        changed.source = nil
        changed.welcome = nil
        changed.steps.reverse()
        changed.steps[0].revision = 5
        changed.commit = .eachStep
        try suite.register(changed)
        #expect(try suite.registrations() == [changed])
        #expect(try suite.storage(prefix: auroraPrefix).records().count == 1)
        #expect(try suite.unregister(app: "com.example.aurora"))
        #expect(try suite.registrations() == [FlowRegistration(app: "com.example.aurora", prefix: auroraPrefix)])
        #expect(try suite.unregister(app: "com.example.aurora") == false)
        #expect(try suite.storage(prefix: auroraPrefix).records().count == 1)
        #expect(try suite.prefixes() == [auroraPrefix])
    }

    @Test func `A commit registers what its storage stands for, and a prefix alone leaves a registration as it is`()
        throws
    {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
        _ = try suite.storage(prefix: auroraPrefix).commit([answer()])
        #expect(try suite.registrations() == [FlowRegistration(app: "com.example.aurora", prefix: auroraPrefix)])
        _ = try suite.storage(for: aurora).commit([answer()])
        #expect(try suite.registrations() == [aurora])
        _ = try suite.storage(prefix: auroraPrefix).commit([answer()])
        #expect(try suite.registrations() == [aurora])
    }

    @Test(arguments: ["com.example.aurora.", "com.example.", "com.example.aurora.extra."])
    func `A prefix that overlaps another app's is refused with both names, and nothing is written`(prefix: String)
        throws
    {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: try makeSuite(in: directory))
        let history = try suite.history()
        let rival = FlowRegistration(app: "org.rival", prefix: prefix)
        for call in [{ try suite.register(rival) }, { _ = try suite.storage(for: rival).commit([answer()]) }] {
            let error = failure(call)
            #expect(error?.code == .invalid)
            #expect(error?.message.contains("org.rival") == true)
            #expect(error?.message.contains("com.example.aurora") == true)
        }
        #expect(try suite.history() == history)
        #expect(try suite.registrations() == [aurora])
        try suite.register(FlowRegistration(app: "org.rival", prefix: "com.example.aurora2."))
    }

    @Test(arguments: ["", ".", "com.example", "a\nb.", String(repeating: "x", count: 256) + "."])
    func `A prefix that can't be one is refused`(prefix: String) throws {
        let suite = try OnboardingSuite.open(at: "/nowhere/suite.db")
        #expect(failure { _ = try suite.storage(prefix: prefix) }?.code == .invalid)
        #expect(failure { try suite.register(FlowRegistration(app: "a", prefix: prefix)) }?.code == .invalid)
    }

    @Test func `A registration that the suite can't hold is refused`() throws {
        let suite = try OnboardingSuite.open(at: "/nowhere/suite.db")
        let step = OnboardingStepConfig(id: auroraStep)
        for registration in [
            FlowRegistration(app: "", prefix: auroraPrefix),
            FlowRegistration(app: "a", prefix: auroraPrefix, steps: [step, step]),
            FlowRegistration(app: "a", prefix: auroraPrefix, welcome: step, steps: [step]),
            FlowRegistration(app: "a", prefix: auroraPrefix, steps: [OnboardingStepConfig(id: "")]),
            FlowRegistration(app: "a", prefix: auroraPrefix, steps: [OnboardingStepConfig(id: "b", revision: 0)]),
        ] {
            #expect(failure { try suite.register(registration) }?.code == .invalid)
            #expect(failure { _ = try suite.storage(for: registration) }?.code == .invalid)
        }
    }
}

@Suite struct `Where the suite is` {
    @Test(arguments: [
        (["DOORSTEP_SUITE": "/a/s.db", "XDG_DATA_HOME": "/x", "HOME": "/h"], "/a/s.db"),
        (["DOORSTEP_SUITE": "", "XDG_DATA_HOME": "/x", "HOME": "/h"], "/x/doorstep/suite.db"),
        (["XDG_DATA_HOME": "", "HOME": "/h"], "/h/.local/share/doorstep/suite.db"),
        (["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share/doorstep/suite.db"),
    ])
    func `The environment names it in order`(environment: [String: String], path: String) throws {
        #expect(try OnboardingSuite.open(environment: environment).path == path)
    }

    @Test func `Without HOME the passwd entry names the home directory`() throws {
        let home = try #require(getpwuid(geteuid()))
        let path = String(cString: home.pointee.pw_dir) + "/.local/share/doorstep/suite.db"
        #expect(try OnboardingSuite.open(environment: [:]).path == path)
    }

    @Test func `A relative path is relative to the working directory`() throws {
        let here = FileManager.default.currentDirectoryPath
        #expect(try OnboardingSuite.open(at: "s.db").path == here + "/s.db")
        #expect(try OnboardingSuite.open(environment: ["DOORSTEP_SUITE": "d/s.db"]).path == here + "/d/s.db")
        #expect(try OnboardingSuite.open(at: "s.db", environment: ["DOORSTEP_SUITE": "/other"]).path == here + "/s.db")
    }

    @Test func `Names with a meaning to SQLite are names of files`() throws {
        let directory = try TemporaryDirectory()
        for name in [":memory:", "file:x?mode=memory", "file:y", "with space & ?#%25", "é🎛️"] {
            let path = directory.path + "/" + name
            let suite = try OnboardingSuite.open(at: path)
            try suite.register(aurora)
            try suite.close()
            #expect(try mode(of: path) == 0o600)
        }
        #expect(try directory.names.count == 5)
        #expect(try OnboardingSuite.open(at: ":memory:").path.hasSuffix("/:memory:"))
    }

    @Test(arguments: ["", "/a/b/", "/a\u{0}b", "/" + String(repeating: "long/", count: 120) + "suite.db"])
    func `A path that can't name a suite is refused`(path: String) {
        #expect(failure { _ = try OnboardingSuite.open(at: path) }?.code == .invalid)
    }
}
