import Foundation
import Testing

/// Suites that are only counted.
extension ManySuitesTests {
    /// A table of records without its checks, with the least and the greatest value that SQLite holds.
    private static let unchecked = """
        DROP TABLE records;
        CREATE TABLE records (prefix, step, value, revision, origin, at, evidence);
        INSERT INTO records VALUES ('com.example.odd.', 'a', \(Int64.min), 1, 'user', \(Int64.min), NULL),
            ('com.example.odd.', 'b', \(Int64.min), 1, 'user', 5, NULL),
            ('com.example.odd.', 'c', \(Int64.max), 1, 'user', 5, NULL),
            ('com.example.odd.', 'd', 0, 1, 'user', \(Int64.max), NULL);
        """

    private static let endless = """
        DROP TABLE records;
        CREATE VIEW records AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)
        SELECT 'com.example.aurora.' AS prefix, 'x' || n AS step, 1 AS value, 1 AS revision, 'user' AS origin,
        1 AS at, NULL AS evidence FROM r
        """

    @Test func `somebody else's suite is counted as its owner, without links, in bounded time and memory`() throws {
        guard Self.isRoot else { return try refusesOthers() }
        let (admin, homes, passwd) = try machine(6)
        let secret = admin.directory + "/secret.db"
        try FileManager.default.copyItem(atPath: admin.suite, toPath: secret)
        try FileManager.default.removeItem(atPath: suite(homes[0]))
        try FileManager.default.createSymbolicLink(atPath: suite(homes[0]), withDestinationPath: secret)
        try TestDatabase(suite(homes[1])).run(Self.endless)
        try TestDatabase(suite(homes[2])).run(Self.unchecked)
        chmod(suite(homes[3]), 0)
        // More prefixes than anybody has apps.
        try TestDatabase(suite(homes[4])).run(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 80000)
            INSERT INTO records SELECT printf('com.example.many-%06d.', i), 'a', 1, 1, 'user', 1, NULL FROM n
            """)
        let start = ContinuousClock.now
        let result = try admin.doorstep("audit", "--totals", "--all-users", "--passwd", passwd)
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(result.status == 1 && result.lines.count == 3, "\(result.testDescription)")
        let rows = result.lines.map { $0.split(separator: " ").map(String.init) }
        #expect(rows[0] == ["SUITE", "PREFIX", "RECORDS", "TRUE", "FALSE", "FIRST", "LAST"])
        #expect(rows.contains { $0.prefix(5) == ["u2", "com.example.odd.", "4", "3", "1"] })
        #expect(rows.contains { $0.prefix(5) == ["u5", "com.example.aurora.", "1", "1", "0"] })
        for (user, reason) in [
            ("u0", "is a link"), ("u1", "could not count"), ("u3", "not allowed"), ("u4", "more than an audit reads"),
        ] {
            let told = result.errorLines.filter { $0.contains("can't be read: \(user): ") }
            #expect(told.count == 1 && told[0].contains(reason), "\(result.testDescription)")
        }
    }

    @Test func `counts of values that no suite of ours holds are true, in a table, as JSON and as CSV`() throws {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        try FileManager.default.copyItem(atPath: user.suite, toPath: user.directory + "/b.db")
        try TestDatabase(user.suite).run(Self.unchecked)
        let table = try user.succeed("audit", "--totals", "--utc").lines
        #expect(table.count == 2 && table[0].hasPrefix("PREFIX "))
        #expect(table[1].split(separator: " ").prefix(4) == ["com.example.odd.", "4", "3", "1"])
        try user.write("no database, but long enough", to: "broken.db")
        let several = ["audit", "--totals", "--suite", user.suite, "--suite", "broken.db", "--suite", "b.db"]
        let json = try user.doorstep(several + ["--json"])
        #expect(json.status == 1 && json.errors.contains("broken.db"), "\(json.testDescription)")
        let object = try TestUser.object(json.output)
        let prefixes = try #require(object["prefixes"] as? [[String: Any]])
        #expect(prefixes.map { $0["true"] as? Int } == [3, 1] && prefixes.map { $0["false"] as? Int } == [1, 0])
        #expect(prefixes[0]["first"] as? Int == Int.min && prefixes[0]["last"] as? Int == Int.max)
        let suites = try #require(object["suites"] as? [[String: Any]])
        #expect(suites.count == 3 && suites.filter { $0["error"] is String }.count == 1)
        let csv = try user.doorstep(several + ["--csv"])
        #expect(csv.status == 1 && csv.lines.count == 3, "\(csv.testDescription)")
        #expect(csv.lines[2].hasPrefix("\(user.directory)/b.db,com.example.aurora.,1,1,0,"))
        // One alone is what the command fails with.
        #expect(try user.doorstep("audit", "--totals", "--suite", "broken.db").status == 74)
    }

    @Test(arguments: [
        ["--app", app], ["--step", "x"], ["--finding", "orphan-record"], ["--since", "1d"], ["--verify"],
        ["--timeout", "1s"], ["--steps"], ["--strict"],
    ])
    func `an option that means nothing where only is counted is refused`(option: [String]) throws {
        let result = try TestUser(.aurora()).doorstep(["audit", "--totals"] + option)
        #expect(result.status == 64 && result.output.isEmpty, "\(result.testDescription)")
        #expect(result.errors.contains("--totals only counts, so \(option[0]) can't go with it"))
    }
}
