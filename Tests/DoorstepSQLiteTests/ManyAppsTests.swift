import CSQLite
import Doorstep
import Testing

@testable import DoorstepSQLite

@Suite struct `Among many apps` {
    private static func owner(_ number: Int) -> PrefixOwner {
        PrefixOwner(app: "app\(number)", prefix: "com.example.app\(number).")
    }

    /// How many instructions SQLite's machine runs for what a body asks of a connection.
    private func work(_ connection: Connection, _ body: () throws -> Void) throws -> Int {
        let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        count.initialize(to: 0)
        defer { count.deallocate() }
        sqlite3_progress_handler(
            connection.handle, 1,
            { count in
                count?.assumingMemoryBound(to: Int.self).pointee += 1
                return 0
            }, count)
        defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
        try body()
        return count.pointee
    }

    /// What it takes to find out that one more app's prefix is free in a suite and in an import, each of so many.
    private func work(among apps: Int) throws -> (suite: Int, restoration: Int) {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
        let restoration = try SuiteRestoration(beside: suite)
        for number in 0..<apps { try restoration.add(Self.owner(number)) }
        _ = try restoration.finish(limit: 1)
        _ = try suite.restore(restoration, keep: .newest, lists: false)
        try suite.close()
        let connection = try Connection(path: suite.path)
        let next = Self.owner(apps)
        return (
            try work(connection) { _ = try Registrar(connection: connection).owner(implied: next.registration) },
            try work(restoration.scratch) { _ = try restoration.rival(of: next) }
        )
    }

    @Test func `One more is no more work than among few`() throws {
        let (few, many) = (try work(among: 20), try work(among: 2000))
        #expect(few.suite > 0 && few.restoration > 0)
        #expect(many.suite < few.suite * 2 && many.restoration < few.restoration * 2, "\(few) \(many)")
    }

    @Test(arguments: [
        ("com.", true), ("com.example.", true), ("com.example.app1.", true), ("com.example.app1.x.y.", true),
        ("com.example.app.", false), ("com.example.app1é.", false), ("com.example.app1-.", false), ("org.", false),
        ("com.example.app10.", false), ("c.", false),
    ])
    func `Those are found whose prefixes begin with one or are begun by it`(prefix: String, isTaken: Bool) throws {
        let directory = try TemporaryDirectory()
        let suite = try OnboardingSuite.open(at: directory.path + "/suite.db")
        try suite.register(Self.owner(1).registration)
        try suite.close()
        let connection = try Connection(path: suite.path)
        #expect(FlowRegistration.overlap(prefix, Self.owner(1).prefix) == isTaken)
        #expect(try connection.owners(in: "apps", overlapping: prefix) == (isTaken ? [Self.owner(1)] : []))
        // A dot is one whatever stands behind it.
        let marked = Self.owner(1).prefix + "\u{301}x."
        #expect(try connection.owners(in: "apps", overlapping: marked) == [Self.owner(1)])
    }
}
