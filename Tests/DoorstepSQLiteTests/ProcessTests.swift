import Doorstep
import DoorstepSQLite
import Foundation
import Testing

@Suite struct `Many processes share one suite` {
    @Test func `Twenty that start at once on no suite each record their answer`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/data/doorstep/suite.db"
        let results = try SuiteWriter.runAtOnce(
            (0..<20).map { ["record", path, "com.example.app\($0).", "com.example.app\($0).step"] })
        #expect(results.map(\.lines) == Array(repeating: ["won true"], count: 20))
        #expect(results.map(\.status) == Array(repeating: 0, count: 20))

        let database = try RawDatabase(path)
        #expect(try database.rows("PRAGMA integrity_check") == ["ok"])
        #expect(try database.rows("SELECT count(*) FROM records") == ["20"])
        #expect(try database.rows("SELECT count(*), count(DISTINCT app) FROM history") == ["20|20"])
        #expect(try database.rows("SELECT count(*) FROM apps") == ["20"])
        #expect(try database.rows("PRAGMA journal_mode") == ["wal"])
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path + "/data/doorstep")
        #expect(names.filter { $0.contains(".new-") } == [])
        #expect(try mode(of: path) == 0o600)
        #expect(try mode(of: directory.path + "/data/doorstep") == 0o700)
        #expect(try mode(of: directory.path + "/data") == 0o700)
    }

    @Test(arguments: ["unix-dotfile", "no-shm"])
    func `Where no log works, twenty that start at once each record their answer`(fileSystem: String) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/suite.db"
        let results = try SuiteWriter.runAtOnce(
            (0..<20).map {
                ["--vfs", fileSystem, "record", path, "com.example.app\($0).", "com.example.app\($0).step"]
            })
        #expect(results.map(\.lines) == Array(repeating: ["won true"], count: 20))
        let database = try RawDatabase(path)
        #expect(try database.rows("PRAGMA journal_mode") == ["delete"])
        #expect(try database.rows("PRAGMA integrity_check") == ["ok"])
        #expect(try database.rows("SELECT count(*) FROM history") == ["20"])
        #expect(try directory.names == ["suite.db"])
    }

    @Test func `Of those who answer an unanswered step at once, one wins and all see its answer`() throws {
        for _ in 0..<5 {
            let directory = try TemporaryDirectory()
            let path = directory.path + "/suite.db"
            let results = try SuiteWriter.runAtOnce([
                ["record-if-unanswered", path, auroraPrefix, auroraStep.rawValue, "true"],
                ["record-if-unanswered", path, auroraPrefix, auroraStep.rawValue, "false"],
            ])
            let lines = results.flatMap(\.lines)
            #expect(lines.filter { $0.hasPrefix("won") }.count == 1, "\(lines)")
            #expect(Set(lines.compactMap { $0.split(separator: " ").last }).count == 1, "\(lines)")
            #expect(try OnboardingSuite.open(at: path).history().count == 1)
        }
    }

    @Test func `An answer is still there after a kill right after its commit`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/suite.db"
        for number in 1...5 {
            let result = try SuiteWriter.run("record-and-die", path, auroraPrefix, "com.example.aurora.s\(number)")
            #expect(result.status == -SIGKILL)
            #expect(result.lines == ["won true"])
            let suite = try OnboardingSuite.open(at: path)
            #expect(try suite.storage(prefix: auroraPrefix).records().count == number)
            #expect(try suite.history().count == number)
        }
        #expect(try RawDatabase(path).rows("PRAGMA integrity_check") == ["ok"])
    }

    @Test(arguments: [false, true])
    func `A launch gate runs one statement, and leaves nothing behind`(isAtRest: Bool) throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        try age(path, seconds: isAtRest ? 3600 : -3600)
        let before = try contents(of: directory)
        let result = try SuiteWriter.run("gate", path, "com.example.aurora")
        #expect(result.lines.last == "gate 3 1")
        #expect(result.lines.filter { $0.hasPrefix("statement") }.count == 1, "\(result.lines)")
        #expect(try contents(of: directory) == before)
    }

    @Test func `A launch gate beside a running app runs one statement more, to see the version in the log`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/suite.db"
        let suite = try OnboardingSuite.open(at: path)
        try suite.register(aurora)
        let result = try SuiteWriter.run("gate", path, "com.example.aurora")
        #expect(result.lines.last == "gate 3 0")
        #expect(result.lines.filter { $0.hasPrefix("statement") }.count == 2, "\(result.lines)")
    }
}
