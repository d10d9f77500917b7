import Doorstep
import Foundation
import Synchronization
import Testing

@testable import DoorstepSQLite

@Suite struct `Reading changes nothing` {
    /// The bytes and times of every file but the log's index, in which every reader leaves its mark.
    private func files(of directory: TemporaryDirectory) throws -> [String: [Data]] {
        var files: [String: [Data]] = [:]
        for (name, data) in try contents(of: directory) where !name.hasSuffix("-shm") {
            var facts = stat()
            try #require(lstat(directory.path + "/" + name, &facts) == 0)
            let time = Data("\(facts.st_mtim.tv_sec) \(facts.st_mtim.tv_nsec) \(facts.st_ino)".utf8)
            files[name] = [data, time]
        }
        return files
    }

    private func read(_ path: String, _ access: OnboardingSuite.Access, closes: Bool) throws {
        let suite = try OnboardingSuite.open(at: path, access: access)
        for _ in 0..<2 {
            #expect(try suite.flowSnapshot(app: "com.example.aurora")?.records.count == 1)
            #expect(try suite.storage(prefix: auroraPrefix).records().count == 2)
            #expect(try suite.history().count == 2)
        }
        if closes { try suite.close() }
    }

    @Test(arguments: [OnboardingSuite.Access.readWrite, .readOnly], [false, true])
    func `While a log holds answers`(access: OnboardingSuite.Access, closes: Bool) throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        #expect(try SuiteWriter.run("record-and-die", path, auroraPrefix, "com.example.aurora.b").status == -SIGKILL)
        for name in ["suite.db", "suite.db-wal"] { try age(directory.path + "/" + name) }
        let (names, before) = (try directory.names, try files(of: directory))
        #expect(names == ["suite.db", "suite.db-shm", "suite.db-wal"])
        try read(path, access, closes: closes)
        #expect(try directory.names == names)
        #expect(try files(of: directory) == before)
        let options = access == .readOnly ? ["--read-only"] : []
        let gate = try SuiteWriter.runAtOnce([options + ["gate", path, "com.example.aurora"]])
        #expect(gate.first?.lines.last == "gate 3 1")
        #expect(try directory.names == names)
        #expect(try files(of: directory) == before)
        // Whoever writes tidies up.
        let writer = try OnboardingSuite.open(at: path)
        try writer.register(aurora2)
        try writer.close()
        #expect(try directory.names == ["suite.db"])
        #expect(try writer.history().count == 2)
    }

    @Test(arguments: [OnboardingSuite.Access.readWrite, .readOnly], ["WAL", "DELETE"])
    func `Without a log`(access: OnboardingSuite.Access, mode: String) throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        _ = try OnboardingSuite.open(at: path).storage(prefix: auroraPrefix).commit([answer("com.example.aurora.b")])
        #expect(try RawDatabase(path).run("PRAGMA journal_mode = \(mode)") == 0)
        for seconds in [3600.0, -3600] {
            try age(path, seconds: seconds)
            let before = try files(of: directory)
            #expect(Array(before.keys) == ["suite.db"])
            try read(path, access, closes: true)
            #expect(try directory.names == ["suite.db"])
            #expect(try files(of: directory) == before)
        }
    }

    @Test func `For reading alone a suite with a log is open so that SQLite itself can't write`() throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        let writer = try OnboardingSuite.open(at: path)
        _ = try writer.storage(prefix: auroraPrefix).commit([answer("com.example.aurora.b")])
        let reader = try OnboardingSuite.open(at: path, access: .readOnly)
        for count in [2, 3] {
            #expect(try reader.storage(prefix: auroraPrefix).records().count == count)
            _ = try writer.storage(prefix: auroraPrefix).commit([answer("com.example.aurora.c")])
        }
        #expect(reader.state.withLock { $0.opened?.connection.isReadOnly } == true)
        #expect(writer.state.withLock { $0.opened?.connection.isReadOnly } == false)
    }
}
