import Doorstep
import DoorstepSQLite
import Foundation
import Testing

@Suite struct `A repair` {
    private let directory: TemporaryDirectory
    private let path: String
    private var target: String { directory.path + "/new.db" }

    init() throws {
        directory = try TemporaryDirectory()
        path = try makeSuite(in: directory)
    }

    @Test func `Through a link recovers what is only in the log beside the file`() throws {
        let elsewhere = try TemporaryDirectory()
        let link = elsewhere.path + "/link.db"
        #expect(symlink(path, link) == 0)
        // Left open, it leaves the log as it is.
        let suite = try OnboardingSuite.open(at: link)
        _ = try suite.storage(prefix: auroraPrefix).commit([answer("com.example.aurora.b")])
        #expect(try directory.names.contains("suite.db-wal"))
        let recovered = try SuiteDoctor(link).repair(into: target)
        #expect(recovered.first { $0.table == "records" }?.rows == 2)
        #expect(try OnboardingSuite.open(at: target).storage(prefix: auroraPrefix).records().count == 2)
        #expect(try elsewhere.names == ["link.db"])
    }

    @Test func `Is preceded by a look at the file that a link leads to, and at what stands beside both`() throws {
        let elsewhere = try TemporaryDirectory()
        let link = elsewhere.path + "/link.db"
        #expect(symlink(path, link) == 0)
        func check(_ name: String) throws -> SuiteCheck {
            try #require(SuiteDoctor(link).examine().first { $0.name == name })
        }
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        #expect(try check("file").note == "\(size) bytes")
        #expect(try check("leftovers").fault == nil)
        let left = [directory.path + "/suite.db-wal.orphan-1", elsewhere.path + "/link.db.recovered.work-1"]
        for name in left { try Data("x".utf8).write(to: URL(fileURLWithPath: name)) }
        #expect(try check("leftovers").fault == "beside it: link.db.recovered.work-1, suite.db-wal.orphan-1")
    }

    @Test(arguments: [false, true])
    func `Goes on numbering events, so that no removal names one to come`(isCounterLost: Bool) throws {
        let suite = try OnboardingSuite.open(at: path)
        let storage = try suite.storage(prefix: auroraPrefix)
        for value in [false, true] { _ = try storage.commit([answer(auroraStep, value)]) }
        #expect(try suite.pruneHistory(before: OnboardingInstant(milliseconds: .max))?.events == 3)
        try suite.close()
        if isCounterLost { #expect(try RawDatabase(path).run("DELETE FROM sqlite_sequence") == 0) }
        _ = try SuiteDoctor(path).repair(into: target)
        let recovered = try OnboardingSuite.open(at: target)
        _ = try recovered.storage(prefix: auroraPrefix).commit([answer(auroraStep, false)])
        #expect(try recovered.history().map(\.sequence) == [4])
        #expect(try recovered.removals()?.count == 1)
        try recovered.close()
        #expect(try RawDatabase(target).run("DELETE FROM history") != 0)
        #expect(
            try RawDatabase(target).rows("SELECT name, seq FROM sqlite_sequence ORDER BY name")
                == ["history|4", "removals|1"])
    }
}
