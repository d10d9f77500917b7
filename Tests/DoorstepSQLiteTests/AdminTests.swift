import Doorstep
import DoorstepSQLite
import Foundation
import Testing

/// Damage from which something can be read, or nothing.
@Suite struct `A suite in an admin's hands` {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = try makeSuite(in: directory)
    }

    private func change(_ body: (inout Data) -> Void) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        body(&data)
        try data.write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
    }

    private func records(_ path: String) throws -> [OnboardingStepID: OnboardingRecord] {
        try OnboardingSuite.open(at: path).storage(prefix: auroraPrefix).records()
    }

    @Test func `whose pages are all spoilt is not recovered, and nothing is made`() throws {
        try change { $0.replaceSubrange(100..., with: Array(repeating: 0, count: $0.count - 100)) }
        let before = try contents(of: directory)
        let error = failure { _ = try SuiteDoctor(path).repair(into: directory.path + "/new.db") }
        #expect(error?.code == .damaged)
        #expect(
            error?.message.contains("nothing can be read of the suite \"\(path)\"") == true, "\(error?.message ?? "")")
        #expect(try contents(of: directory) == before)
    }

    @Test func `with a row that breaks a rule is recovered without that row`() throws {
        _ = try OnboardingSuite.open(at: path).storage(prefix: auroraPrefix).commit([answer("com.example.aurora.b")])
        let break_ = "PRAGMA ignore_check_constraints = ON; UPDATE records SET value = 7 WHERE step = '\(auroraStep)'"
        #expect(try RawDatabase(path).run(break_) == 0)
        let recovered = try SuiteDoctor(path).repair(into: directory.path + "/new.db")
        #expect(try #require(recovered.first { $0.table == "records" }).rows == 1)
        #expect(try Array(records(directory.path + "/new.db").keys) == ["com.example.aurora.b"])
    }

    @Test func `in a directory that everybody may write to is told so by its doctor`() throws {
        #expect(chmod(directory.path, 0o777) == 0)
        let check = try #require(SuiteDoctor(path).examine().first { $0.name == "permissions" })
        #expect(check.fault?.contains("everybody") == true, "\(check)")
        #expect(check.note == "only its owner may write a suite")
    }

    @Test func `that isn't there has no backup`() throws {
        let suite = try OnboardingSuite.open(at: directory.path + "/none.db")
        #expect(try suite.backUp(to: directory.path + "/copy.db") == nil)
        #expect(try directory.names == ["suite.db"])
    }

    @Test func `is marked anew by each change, and by nothing else`() throws {
        let suite = try OnboardingSuite.open(at: path)
        #expect(try OnboardingSuite.open(at: directory.path + "/none.db").changeMark() == nil)
        let first = try #require(try suite.changeMark())
        #expect(try #require(try suite.changeMark()) == first)
        _ = try OnboardingSuite.open(at: path).storage(prefix: auroraPrefix).commit([answer(auroraStep, false)])
        let second = try #require(try suite.changeMark())
        #expect(second.version != first.version && second.last == first.last + 1)
    }

    @Test func `whose history begins with the least of all numbers can be pruned`() throws {
        let copy = """
            INSERT INTO history SELECT \(Int64.min), \(Int64.max), prefix, app, step, old, new, revision, origin, evidence,
            uid, program FROM history
            """
        #expect(try RawDatabase(path).run(copy) == 0)
        let suite = try OnboardingSuite.open(at: path)
        #expect(try suite.pruneHistory(before: OnboardingInstant(milliseconds: .max))?.events == 0)
        #expect(try suite.history().count == 2)
        try suite.close()
    }

    @Test func `whose last writer kept no count of its pages is read`() throws {
        // As writers do that are older than the count.
        try change { $0.replaceSubrange(92..<96, with: [0, 0, 0, 0]) }
        #expect(try records(path).count == 1)
    }

    @Test func `that has lost its end is refused beside a journal that doesn't bring it back`() throws {
        #expect(try RawDatabase(path).run("PRAGMA journal_mode = DELETE") == 0)
        try change { $0.removeLast(4096) }
        // A journal of zeros is one that was begun and holds nothing.
        try Data(repeating: 0, count: 512).write(to: URL(fileURLWithPath: path + "-journal"))
        chmod(path + "-journal", 0o600)
        #expect(failure { _ = try records(path) }?.code == .damaged)
    }

    @Test func `that has lost its end is read beside the log that holds it`() throws {
        let copy = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: path)
        _ = try suite.storage(prefix: auroraPrefix).commit([answer("com.example.aurora.b")])
        // Every page is written once more, so that the log holds all of them.
        #expect(try RawDatabase(path).run("VACUUM") == 0)
        for (name, data) in try contents(of: directory) where !name.hasSuffix("-shm") {
            let data = name == "suite.db" ? data.prefix(8192) : data
            try data.write(to: URL(fileURLWithPath: copy.path + "/" + name))
            chmod(copy.path + "/" + name, 0o600)
        }
        #expect(try records(copy.path + "/suite.db").count == 2)
    }

    @Test(arguments: ["with space", "question?mark", "hash#tag", "per%20cent", "ümlaut", "tab\there"])
    func `at rest is found in a directory of any name`(name: String) throws {
        let place = directory.path + "/" + name
        #expect(mkdir(place, 0o700) == 0)
        #expect(rename(path, place + "/suite.db") == 0)
        try age(place + "/suite.db")
        #expect(
            try OnboardingSuite.open(at: place + "/suite.db").flowSnapshot(app: "com.example.aurora")?.records.count
                == 1)
        #expect(unlink(place + "/suite.db") == 0 && rmdir(place) == 0)
    }
}

@Suite struct `An import, compared and merged` {
    private let directory: TemporaryDirectory
    private let suite: OnboardingSuite

    init() throws {
        directory = try TemporaryDirectory()
        suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
    }

    /// An import of one record with one input, answered at a time.
    private func restoration(at milliseconds: Int64, name: String) throws -> SuiteRestoration {
        let restoration = try SuiteRestoration(beside: suite)
        try restoration.add(
            StoredRecord(
                prefix: auroraPrefix, step: auroraStep,
                record: OnboardingRecord(
                    value: true, revision: 1, origin: .user, at: OnboardingInstant(milliseconds: milliseconds))),
            line: 1)
        #expect(
            try restoration.add(StoredInput(prefix: auroraPrefix, step: auroraStep, key: "name", value: .text(name))))
        _ = try restoration.finish(limit: 1)
        return restoration
    }

    @Test func `All of it is new where there is no suite, and none is made by comparing`() throws {
        let difference = try suite.difference(of: restoration(at: 1, name: "Bo"), keep: .newest, lists: true)
        #expect(difference.changed == 1 && difference.inputs == 1)
        #expect(try directory.names == [])
    }

    @Test func `Inputs stay with the record that is kept, and come with the one that is newer`() throws {
        let storage = try suite.storage(for: aurora)
        _ = try storage.commit([answer(inputs: ["name": .text("Ada")])])
        let older = try suite.restore(restoration(at: 1, name: "Bo"), keep: .newest, lists: false)
        #expect(older.changed == 0 && older.inputs == 0)
        #expect(try storage.inputs()[auroraStep] == ["name": .text("Ada")])
        let newer = try suite.restore(restoration(at: 9_000_000_000_000, name: "Bo"), keep: .newest, lists: false)
        #expect(newer.changed == 1 && newer.inputs == 1)
        #expect(try storage.inputs()[auroraStep] == ["name": .text("Bo")])
    }
}
