import CSQLite
import Doorstep
import Foundation
import Synchronization
import Testing

@testable import DoorstepSQLite

@Suite struct `Inside the suite` {
    @Test(arguments: [[SuiteCreation.Placement.link], [.renameWithoutReplacing], [.renameUnderLock]])
    func `Every way to put a new suite in its place does so once`(placements: [SuiteCreation.Placement]) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/suite.db"
        let creation = SuiteCreation(path: path, placements: placements)
        try creation.run()
        #expect(try directory.names == ["suite.db"])
        let inode = try inode(of: path)
        try creation.run()
        #expect(try directory.names == ["suite.db"])
        #expect(try self.inode(of: path) == inode)
        #expect(try OnboardingSuite.open(at: path).history() == [])
    }

    @Test func `Without any way to put it in its place no suite is made`() throws {
        let directory = try TemporaryDirectory()
        #expect(failure { try SuiteCreation(path: directory.path + "/suite.db", placements: []).run() }?.code == .io)
        #expect(try directory.names == [])
    }

    @Test func `What a process that died while creating left is removed by the next creation`() throws {
        let directory = try TemporaryDirectory()
        for name in [".suite.db.new-abc", ".suite.db.new-abc-wal", ".suite.db.other", ".other.db.new-abc"] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: directory.path + "/" + name))
        }
        try SuiteCreation(path: directory.path + "/suite.db").run()
        #expect(try directory.names == [".other.db.new-abc", ".suite.db.other", "suite.db"])
    }

    @Test func `What a process killed while creating left beside a suite is removed by the next process that writes`()
        throws
    {
        let (directory, other) = (try TemporaryDirectory(), try TemporaryDirectory())
        let path = try makeSuite(in: directory)
        let names = [".suite.db.new-abc", ".suite.db.new-abc-journal", ".suite.db.new-def", ".other.db.new-abc"]
        for place in [path, other.path + "/link.db"] {
            if place != path { #expect(symlink(path, place) == 0) }
            #expect(link(path, directory.path + "/" + names[0]) == 0)
            for name in names.dropFirst() {
                try Data("x".utf8).write(to: URL(fileURLWithPath: directory.path + "/" + name))
            }
            let suite = try OnboardingSuite.open(at: place)
            #expect(try suite.history().count == 1)
            #expect(try Set(directory.names).isSuperset(of: names), "a read changes nothing")
            try suite.register(aurora2)
            try suite.close()
            #expect(try directory.names == [".other.db.new-abc", "suite.db"])
        }
    }

    @Test(arguments: ResultCodeCase.all)
    func `Every result of SQLite has its code`(result: ResultCodeCase) {
        #expect(ResultCode(extended: result.extended, systemError: result.error).code == result.code)
    }

    @Test func `Of many statements a few dozen are kept, and an error leaves none unfinished`() throws {
        let directory = try TemporaryDirectory()
        let connection = try Connection(path: try makeSuite(in: directory))
        for number in 0..<200 { _ = try connection.integer("SELECT \(number)", "count") }
        var kept = 0
        var statement = sqlite3_next_stmt(connection.handle, nil)
        while let found = statement {
            kept += 1
            #expect(sqlite3_stmt_busy(found) == 0)
            statement = sqlite3_next_stmt(connection.handle, found)
        }
        #expect(kept <= 48)
        try connection.close()
    }

    @Test func `A registration that is kept already writes nothing`() throws {
        let directory = try TemporaryDirectory()
        let connection = try Connection(path: try makeSuite(in: directory))
        try Registrar(connection: connection).ensure(aurora)
        #expect(sqlite3_total_changes(connection.handle) == 0)
        var moved = aurora
        moved.source?.size += 1
        try Registrar(connection: connection).ensure(moved)
        #expect(sqlite3_total_changes(connection.handle) == 1, "the app's row alone")
        moved.steps[0].isRequired.toggle()
        try Registrar(connection: connection).ensure(moved)
        #expect(sqlite3_total_changes(connection.handle) > 2)
    }

    @Test func `The first read of a suite at rest opens nothing for good, the second one does`() throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        try age(path)
        let suite = try OnboardingSuite.open(at: path)
        #expect(try suite.flowSnapshot(app: "com.example.aurora")?.records.count == 1)
        #expect(suite.state.withLock { $0.opened == nil })
        #expect(try suite.flowSnapshot(app: "com.example.aurora")?.records.count == 1)
        #expect(suite.state.withLock { $0.opened != nil })
    }

    @Test func `A suite that is being written is never read without locks`() throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        let writer = try OnboardingSuite.open(at: path)
        _ = try writer.storage(prefix: auroraPrefix).commit([answer("com.example.aurora.b")])
        try age(path)
        #expect(try SuiteConnector.openQuiet(path, access: .readWrite) == nil)
        let reader = try OnboardingSuite.open(at: path)
        #expect(try reader.storage(prefix: auroraPrefix).records().count == 2)
        try reader.close()
        try writer.close()
        try age(path, seconds: -3600)
        #expect(
            try SuiteConnector.openQuiet(path, access: .readWrite) == nil, "a change now might not show in its time")
        try age(path)
        #expect(try SuiteConnector.openQuiet(path, access: .readWrite) != nil)
    }

    @Test func `A change during a read without locks is seen`() throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        try age(path)
        let opened = try #require(try SuiteConnector.openQuiet(path, access: .readWrite))
        #expect(opened.file.isUnchanged)
        let writer = try OnboardingSuite.open(at: path)
        _ = try writer.storage(prefix: auroraPrefix).commit([answer("com.example.aurora.b")])
        #expect(opened.file.isUnchanged, "the answer is in the log alone")
        try writer.close()
        #expect(!opened.file.isUnchanged)
    }

    @Test func `A file of every version of the schema is among the old ones`() {
        #expect(OldVersions.all == 1...Int(SuiteSchema.version))
        #expect(SuiteSchema.migrations.map { Int($0.version) } == Array(OldVersions.all))
    }

    @Test func `A migration runs once, however many want it at the same moment`() throws {
        let directory = try TemporaryDirectory()
        let path = try makeSuite(in: directory)
        let migrations =
            SuiteSchema.migrations + [.init(name: "test", version: 4, sql: "CREATE TABLE added (x INTEGER) STRICT")]
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            do throws(OnboardingStorageError) {
                let connection = try Connection(path: path)
                connection.waitForLocks(milliseconds: 20_000)
                try connection.run("BEGIN IMMEDIATE", "migrate")
                try SuiteSchema.migrate(connection, with: migrations)
                try connection.run("COMMIT", "migrate")
            } catch {
                failures.withLock { $0.append(error.message) }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(try RawDatabase(path).rows("PRAGMA user_version") == ["4"])
        #expect(try RawDatabase(path).rows("SELECT count(*) FROM added") == ["0"])
    }

    private func inode(of path: String) throws -> UInt64 {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64)
    }
}

struct ResultCodeCase: Sendable {
    let extended: Int32
    let error: Int32
    let code: OnboardingStorageError.Code

    init(_ extended: Int32, _ code: OnboardingStorageError.Code) {
        self.init(extended, 0, code)
    }

    init(_ extended: Int32, _ error: Int32, _ code: OnboardingStorageError.Code) {
        self.extended = extended
        self.error = error
        self.code = code
    }

    static let all: [ResultCodeCase] = [
        .init(SQLITE_FULL, .full), .init(SQLITE_READONLY, .notPermitted), .init(SQLITE_PERM, .notPermitted),
        .init(SQLITE_AUTH, .notPermitted), .init(SQLITE_BUSY, .busy), .init(SQLITE_LOCKED, .busy),
        .init(SQLITE_PROTOCOL, .busy), .init(SQLITE_CORRUPT, .damaged), .init(SQLITE_NOTADB, .damaged),
        .init(SQLITE_CORRUPT, EIO, .io),
        .init(SQLITE_FORMAT, .damaged), .init(SQLITE_ERROR, .damaged), .init(SQLITE_SCHEMA, .damaged),
        .init(SQLITE_CONSTRAINT, .invalid), .init(SQLITE_TOOBIG, .invalid), .init(SQLITE_MISMATCH, .invalid),
        .init(SQLITE_CANTOPEN, EACCES, .notPermitted), .init(SQLITE_CANTOPEN, EMFILE, .io),
        .init(SQLITE_IOERR, EIO, .io), .init(SQLITE_IOERR, EDQUOT, .full), .init(SQLITE_IOERR, ENOSPC, .full),
        .init(SQLITE_IOERR, EFBIG, .full), .init(SQLITE_IOERR, EROFS, .notPermitted), .init(SQLITE_NOMEM, .io),
        .init(SQLITE_INTERRUPT, .io), .init(SQLITE_MISUSE, .io), .init(SQLITE_NOLFS, .io), .init(SQLITE_ABORT, .io),
        .init(SQLITE_BUSY | 1 << 8, .busy), .init(SQLITE_CONSTRAINT | 3 << 8, .invalid),
        .init(SQLITE_IOERR | 19 << 8, ENOSPC, .full), .init(SQLITE_READONLY | 1 << 8, .notPermitted),
    ]
}
