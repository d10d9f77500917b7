import Doorstep
import DoorstepSQLite
import Foundation
import Testing

/// A file that is no suite of ours, and what it is called.
struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: OnboardingStorageError.Code
    let words: String
    let spoil: @Sendable (inout Data) -> Void

    static let all = [
        Damage(testDescription: "empty", code: .damaged, words: "the file is empty") { $0 = Data() },
        Damage(testDescription: "garbage", code: .damaged, words: "not an SQLite file") {
            $0 = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        },
        Damage(testDescription: "a few bytes", code: .damaged, words: "not an SQLite file") { $0 = Data("{}".utf8) },
        Damage(testDescription: "short of its last page", code: .damaged, words: "ends early") {
            $0.removeLast(4096)
        },
        Damage(testDescription: "short of one byte", code: .damaged, words: "ends early") { $0.removeLast() },
        Damage(testDescription: "cut to its first page", code: .damaged, words: "ends early") { $0 = $0.prefix(4096) },
        Damage(testDescription: "newer", code: .newer, words: "(schema 7, this one reads up to 3); nothing was changed")
        {
            $0.replaceSubrange(60..<64, with: [0, 0, 0, 7])
        },
        Damage(testDescription: "another program's", code: .foreign, words: "another program") {
            $0.replaceSubrange(68..<72, with: [0, 0, 0, 1])
        },
        Damage(testDescription: "without a version", code: .damaged, words: "no version") {
            $0.replaceSubrange(60..<64, with: [0, 0, 0, 0])
        },
        Damage(testDescription: "with a spoilt table", code: .damaged, words: "is damaged") { data in
            data.replaceSubrange(100..<4096, with: Array(repeating: 0xa5, count: 3996))
        },
    ]
}

/// A word in a column that has only a few, and who reads it.
struct ForeignWord: Sendable, CustomTestStringConvertible {
    let change: String
    let words: String
    let read: @Sendable (OnboardingSuite) throws -> Void

    var testDescription: String { change }

    static let all = [
        ForeignWord(change: "UPDATE records SET origin = 'x'", words: "a record has an origin that doesn't exist") {
            _ = try $0.storage(prefix: auroraPrefix).records()
        },
        ForeignWord(change: "UPDATE inputs SET type = 'x'", words: "an input has a type that doesn't exist") {
            _ = try $0.storage(prefix: auroraPrefix).inputs()
        },
        ForeignWord(
            change: """
                INSERT INTO history (at, prefix, app, step, revision, origin, uid, program)
                SELECT at, prefix, app, step, revision, 'x', uid, program FROM history
                """, words: "a record has an origin that doesn't exist"
        ) {
            _ = try $0.history()
        },
        ForeignWord(change: "UPDATE apps SET commit_mode = 'x'", words: "an app has a commit mode that doesn't exist") {
            _ = try $0.registrations()
        },
        ForeignWord(change: "UPDATE apps SET commit_mode = 'x'", words: "an app has a commit mode that doesn't exist") {
            _ = try $0.contents()
        },
        ForeignWord(
            change: """
                INSERT INTO page_events (at, prefix, app, step, event, showing)
                SELECT at, prefix, app, step, 'x', showing FROM page_events
                """, words: "a page event is of a kind that doesn't exist"
        ) {
            _ = try $0.pageEvents()
        },
    ]
}

@Suite struct `A file that is no suite is reported and left alone` {
    @Test(arguments: Damage.all, [false, true])
    func `Reading and writing a file that is`(damage: Damage, isAtRest: Bool) throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        damage.spoil(&data)
        try data.write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        try age(path, seconds: isAtRest ? 3600 : -3600)
        let before = try contents(of: directory)

        let suite = try OnboardingSuite.open(at: path)
        let storage = try suite.storage(prefix: auroraPrefix)
        let calls: [(String, () throws -> Void)] = [
            ("records", { _ = try storage.records() }),
            ("inputs", { _ = try storage.inputs() }),
            ("gate", { _ = try suite.flowSnapshot(app: "com.example.aurora") }),
            ("history", { _ = try suite.history() }),
            ("commit", { _ = try storage.commit([answer()]) }),
            ("erase", { _ = try storage.commit([], eraseInputs: true) }),
            ("register", { try suite.register(aurora) }),
        ]
        for (name, call) in calls {
            let error = failure(call)
            #expect(error?.code == damage.code, "\(name)")
            #expect(error?.message.contains(damage.words) == true, "\(name): \(error?.message ?? "")")
            #expect(error?.message.contains(path) == true, "\(name)")
            #expect(try contents(of: directory) == before, "\(name)")
        }
        try suite.close()
        #expect(try contents(of: directory) == before)
    }

    @Test func `A database in rollback mode of another program is foreign`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/other.db"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        chmod(path, 0o600)
        #expect(try RawDatabase(path).run("CREATE TABLE t (x)") == 0)
        let before = try contents(of: directory)
        #expect(failure { _ = try OnboardingSuite.open(at: path).history() }?.code == .foreign)
        #expect(try contents(of: directory) == before)
    }

    @Test func `A newer schema that stands only in the log is seen`() throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        let newer = try RawDatabase(path)
        newer.run("PRAGMA user_version = 9")
        let suite = try OnboardingSuite.open(at: path)
        #expect(failure { _ = try suite.registrations() }?.code == .newer)
        #expect(failure { try suite.register(aurora) }?.code == .newer)
    }

    @Test func `A suite that is migrated by a newer doorstep while it is open is refused from then on`() throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        let suite = try OnboardingSuite.open(at: path)
        let storage = try suite.storage(prefix: auroraPrefix)
        #expect(try storage.records().count == 1)
        try RawDatabase(path).run("PRAGMA user_version = 9")
        #expect(failure { _ = try storage.records() }?.code == .newer)
        #expect(failure { _ = try storage.commit([answer()]) }?.code == .newer)
    }

    @Test func `A suite with a table missing is damaged, not empty`() throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        #expect(try RawDatabase(path).run("DROP TABLE records") == 0)
        let storage = try OnboardingSuite.open(at: path).storage(prefix: auroraPrefix)
        #expect(failure { _ = try storage.records() }?.code == .damaged)
    }

    @Test(arguments: ForeignWord.all)
    func `A word that no writer of ours makes is damage, told by whoever reads it`(word: ForeignWord) throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        let suite = try OnboardingSuite.open(at: path)
        try suite.register(aurora)
        try suite.append([
            OnboardingPageEvent(
                prefix: auroraPrefix, app: "com.example.aurora", step: auroraStep, kind: .shown, showing: "1")
        ])
        // A writer that doesn't keep to the tables' own checks.
        #expect(try RawDatabase(path).run("PRAGMA ignore_check_constraints = ON; \(word.change)") == 0)
        let error = failure { try word.read(suite) }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains(word.words) == true, "\(error?.message ?? "")")
    }

    @Test func `A truncated file whose log holds only some of its pages is damaged`() throws {
        let (directory, copy) = (try TemporaryDirectory(), try TemporaryDirectory())
        let path = try makeSuite(in: directory)
        let suite = try OnboardingSuite.open(at: path)
        _ = try suite.storage(prefix: auroraPrefix).commit([answer("com.example.aurora.b")])
        var files = try contents(of: directory)
        files["suite.db"] = files["suite.db"]?.prefix(8192)
        for name in ["suite.db", "suite.db-wal"] {
            let data = try #require(files[name])
            try data.write(to: URL(fileURLWithPath: copy.path + "/" + name))
            chmod(copy.path + "/" + name, 0o600)
        }
        let spoilt = try OnboardingSuite.open(at: copy.path + "/suite.db")
        #expect(failure { _ = try spoilt.registrations() }?.code == .damaged)
        #expect(try contents(of: copy)["suite.db"] == files["suite.db"])
        #expect(try contents(of: copy)["suite.db-wal"] == files["suite.db-wal"])
    }
}
