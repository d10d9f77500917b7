import Foundation
import Testing

@Suite("Suites of many users")
struct ManySuitesTests {
    static let app = "com.example.aurora"
    static let isRoot = geteuid() == 0

    /// Fifty users with homes of their own, in a passwd file, each the owner of a copy of one suite.
    func machine(_ count: Int = 50) throws -> (admin: TestUser, homes: [String], passwd: String) {
        let admin = try TestUser(.aurora())
        try admin.succeed("record", Self.app, "\(Self.app).tips", "true")
        let files = FileManager.default
        // The users have to get to their homes.
        for path in [admin.directory] { try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path) }
        var homes: [String] = []
        var lines: [String] = []
        for index in 0..<count {
            let home = "\(admin.directory)/users/u\(index)"
            let directory = home + "/.local/share/doorstep"
            try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try files.copyItem(atPath: admin.suite, toPath: directory + "/suite.db")
            let id = uid_t(30_000 + index)
            for path in [home, home + "/.local", home + "/.local/share", directory, directory + "/suite.db"] {
                try #require(chown(path, id, id) == 0)
            }
            try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory)
            homes.append(home)
            lines.append("u\(index):x:\(id):\(id)::\(home):/bin/sh")
        }
        let passwd = try admin.write(lines.joined(separator: "\n") + "\n", to: "passwd")
        return (admin, homes, passwd)
    }

    func suite(_ home: String) -> String { home + "/.local/share/doorstep/suite.db" }

    @Test("four bad suites among fifty are named with their reasons, and forty-six are reported")
    func allUsers() throws {
        guard Self.isRoot else { return try refusesOthers() }
        let (admin, homes, passwd) = try machine()
        chmod(suite(homes[3]), 0)
        try Data(repeating: 7, count: 8192).write(to: URL(filePath: suite(homes[7])))
        try TestDatabase(suite(homes[11])).run("PRAGMA user_version = 99")
        let locking = try TestDatabase(suite(homes[13]))
        try locking.run("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM inputs")
        let result = try admin.doorstep("audit", "--all-users", "--passwd", passwd)
        #expect(result.status == 1)
        #expect(result.output.contains("in 46 suites (4 more can't be read): 4 findings"), "\(result.testDescription)")
        let bad = result.lines.filter { $0.contains(": can't be read: ") }
        #expect(bad.count == 4)
        for (name, reason) in [("u3 ", "not allowed"), ("u7 ", "damaged"), ("u11 ", "newer"), ("u13 ", "busy")] {
            #expect(bad.contains { $0.hasPrefix(name) && $0.contains(reason) }, "\(name): \(bad)")
        }
        try locking.run("ROLLBACK")
        // Reading as the owner leaves nothing of root's behind.
        for home in homes {
            for name in try FileManager.default.contentsOfDirectory(atPath: home + "/.local/share/doorstep") {
                let path = home + "/.local/share/doorstep/" + name
                #expect(try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? Int != 0)
            }
        }
    }

    @Test("a suite is read by a process that gave up root before it looked", .enabled(if: isRoot))
    func childOfOwner() throws {
        let (admin, homes, _) = try machine(2)
        func child(_ home: String, as id: Int) throws -> CommandResult {
            try admin.doorstep("audit-suite", "--uid", "\(id)", "--gid", "\(id)", "--", suite(home))
        }
        #expect(try child(homes[0], as: 30_000).output.contains("\"end\":true"))
        // Root could read it; who it became can't.
        #expect(try child(homes[1], as: 30_000).output.contains("\"error\":\"notPermitted\""))
        // And what an audit finds out, it finds out so: a suite that its own owner may not read is not read.
        chmod(suite(homes[0]), 0)
        let audit = try admin.doorstep("audit", "--suite", suite(homes[0]))
        #expect(audit.status == 1 && audit.output.contains("suite-unreadable: "), "\(audit.testDescription)")
        #expect(audit.output.contains("not allowed"), "\(audit.testDescription)")
    }

    /// Who isn't root can't become other users.
    func refusesOthers() throws {
        let user = try TestUser(.aurora())
        #expect(try user.doorstep("audit", "--all-users").status == 77)
    }

    @Test("somebody else's suite is read without links, in bounded time and memory")
    func hostile() throws {
        guard Self.isRoot else { return try refusesOthers() }
        let (admin, homes, passwd) = try machine(5)
        // A link to root's own suite, a schema that never ends, a text without measure, a pipe.
        let secret = admin.directory + "/secret.db"
        try FileManager.default.copyItem(atPath: admin.suite, toPath: secret)
        try FileManager.default.removeItem(atPath: suite(homes[0]))
        try FileManager.default.createSymbolicLink(atPath: suite(homes[0]), withDestinationPath: secret)
        let endless = try TestDatabase(suite(homes[1]))
        try endless.run(
            """
            DROP TABLE records;
            CREATE VIEW records AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)
            SELECT 'com.example.aurora.' AS prefix, 'x' || n AS step, 1 AS value, 1 AS revision, 'user' AS origin,
            1 AS at, NULL AS evidence FROM r
            """)
        let vast = try TestDatabase(suite(homes[2]))
        try vast.run(
            "UPDATE records SET evidence = CAST(zeroblob(30000000) AS TEXT) || 'x'; PRAGMA wal_checkpoint(TRUNCATE)")
        try FileManager.default.removeItem(atPath: suite(homes[3]))
        try #require(mkfifo(suite(homes[3]), 0o600) == 0 && chown(suite(homes[3]), 30_003, 30_003) == 0)
        let start = ContinuousClock.now
        let result = try admin.doorstep("audit", "--all-users", "--passwd", passwd)
        #expect(ContinuousClock.now - start < .seconds(60))
        #expect(
            result.status == 1 && result.output.contains("in 1 suite (4 more can't be read)"),
            "\(result.testDescription)")
        let lines = result.lines
        #expect(lines.contains { $0.hasPrefix("u0 ") && $0.contains("is a link") })
        #expect(lines.contains { $0.hasPrefix("u4 ") && $0.contains("1 app") })
    }

    @Test("memory doesn't grow with the number of suites")
    func memory() throws {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        for index in 0..<300 {
            try FileManager.default.copyItem(atPath: user.suite, toPath: "\(user.directory)/\(index).db")
        }
        func kilobytes(_ count: Int) throws -> Int {
            let suites = (0..<count).flatMap { ["--suite", "\(user.directory)/\($0).db"] }
            let script =
                "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
                + "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
            let result = try CommandRunner.run(
                ["/usr/bin/python3", "-c", script, CommandRunner.doorstep, "audit"] + suites,
                environment: user.environment, directory: user.directory)
            return try #require(Int(result.lines.first ?? ""), "\(result.testDescription)")
        }
        #expect(try kilobytes(300) < kilobytes(10) + 4096)
    }

    @Test("texts of a hostile suite stay texts on a terminal")
    func texts() throws {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        try TestDatabase(user.suite).run(
            "INSERT INTO records VALUES ('com.example.x\u{1B}[31m.', 'a\u{1B}]0;title\u{07}', 1, 1, 'user', 1, NULL)")
        for command in [["audit"], ["history"], ["export"], ["audit", "--json"]] {
            #expect(!(try user.doorstep(command).output.contains("\u{1B}")))
        }
    }
}

@Suite("Doctor and backup")
struct DoctorTests {
    private static let app = "com.example.aurora"

    private func user(records: Int = 0) throws -> TestUser {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        if records > 0 {
            try TestDatabase(user.suite).run(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(records))
                INSERT INTO records SELECT 'com.example.big.', printf('com.example.big.step-%06d', i), i % 2, 1, 'user', i, NULL FROM n;
                PRAGMA wal_checkpoint(TRUNCATE)
                """)
        }
        return user
    }

    @Test("a sound suite has nothing wrong, and each fault is explained")
    func examine() throws {
        let user = try user()
        #expect(try user.succeed("doctor").lines.count == 10)
        chmod(user.suite, 0o644)
        try user.write("", to: "\(user.home)/.local/share/doorstep/.suite.db.new-abc")
        try TestDatabase(user.suite).run("CREATE TABLE stranger (x)")
        let result = try user.doorstep("doctor", "--json")
        #expect(result.status == 1)
        let checks = try #require(try TestUser.object(result.output)["checks"] as? [[String: Any]])
        let faults = checks.filter { $0["fault"] is String }.compactMap { $0["name"] as? String }
        #expect(faults == ["schema", "permissions", "leftovers"])
    }

    @Test("a log that was set aside is named as something to keep, and a repair touches nothing that was there")
    func orphans() throws {
        let user = try user()
        let beside = URL(filePath: user.suite).deletingLastPathComponent().path
        // The suite is moved away without its log, and the next answer makes a new one.
        try FileManager.default.removeItem(atPath: user.suite)
        try user.write("a log with answers", to: user.suite + "-wal")
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        let orphan = try #require(user.namesBesideSuite.first { $0.contains(".orphan-") })
        try FileManager.default.createDirectory(
            atPath: user.suite + ".recovered.work-1", withIntermediateDirectories: true)
        let checks = try #require(try user.json("doctor")["checks"] as? [[String: Any]])
        let check = try #require(checks.first { $0["name"] as? String == "leftovers" })
        #expect((check["fault"] as? String)?.contains(orphan) == true && "\(check)".contains("recovered.work-1"))
        #expect((check["note"] as? String)?.contains("may hold the answers") == true)
        func contents() throws -> [String: Data?] {
            var contents: [String: Data?] = [:]
            for name in try user.namesBesideSuite where !name.hasSuffix(".recovered") {
                contents[name] = FileManager.default.contents(atPath: "\(beside)/\(name)")
            }
            return contents
        }
        let before = try contents()
        #expect(try user.doorstep("doctor", "--repair").status == 1)
        #expect(try contents() == before)
        #expect(FileManager.default.fileExists(atPath: user.suite + ".recovered"))
    }

    @Test("what is readable of a damaged suite is recovered beside it, and the suite itself stays as it is")
    func repair() throws {
        let user = try user(records: 20_000)
        var bytes = try user.suiteBytes
        // Some pages in the middle are gone.
        let middle = bytes.count / 2 / 4096 * 4096
        bytes.replaceSubrange(middle..<middle + 3 * 4096, with: Data(repeating: 0xA5, count: 3 * 4096))
        try bytes.write(to: URL(filePath: user.suite))
        let result = try user.doorstep("doctor", "--repair")
        #expect(result.status == 1 && result.output.contains("the table couldn't be read to its end"))
        #expect(try user.suiteBytes == bytes)
        let recovered = user.suite + ".recovered"
        let count = try TestDatabase(recovered).rows("SELECT count(*) FROM records WHERE prefix = 'com.example.big.'")
        #expect(try #require(Int(count[0][0])) > 15_000)
        #expect(try user.doorstep("doctor", "--suite", recovered).status == 0)
        #expect(try user.doorstep("doctor", "--repair").status == 77)
    }

    @Test("what a suite has lost at its end costs no more than that")
    func repairWithoutEnd() throws {
        let user = try user(records: 20_000)
        var bytes = try user.suiteBytes
        bytes.removeLast(3 * 4096 + 100)
        try bytes.write(to: URL(filePath: user.suite))
        #expect(try user.doorstep("doctor", "--repair", "--into", "whole.db").status == 1)
        let count = try TestDatabase(user.directory + "/whole.db").rows(
            "SELECT count(*) FROM records WHERE prefix = 'com.example.big.'")
        #expect(try #require(Int(count[0][0])) > 15_000)
        #expect(try user.suiteBytes == bytes)
    }

    @Test(
        "a repair on a disk that fills up leaves a whole suite or none, and says so",
        .enabled(if: Unshare.isAllowed))
    func repairOnFullDisk() throws {
        let user = try user(records: 20_000)
        let script = """
            mkdir disk
            for size in $(seq 1 24); do
                mount -t tmpfs -o size=${size}m,mode=700 tmpfs disk
                "$0" doctor --repair --into disk/r.db > /dev/null 2> errors
                echo "$? $(grep -ci space errors) $(ls -A disk | tr '\\n' ' ')" \
                    "$([ ! -e disk/r.db ] || sqlite3 disk/r.db 'PRAGMA integrity_check; SELECT count(*) FROM records' | tr '\\n' ' ')"
                umount disk
            done
            """
        let result = try CommandRunner.run(
            ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, CommandRunner.doorstep],
            environment: user.environment, directory: user.directory)
        let whole = "0 0 r.db  ok 20001 "
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 24 && lines.first == "74 1  " && lines.last == whole, "\(result.testDescription)")
        #expect(lines.allSatisfy { $0 == "74 1  " || $0 == whole }, "\(result.testDescription)")
    }

    @Test("a backup is consistent while others write, and replaces nothing")
    func backup() throws {
        let user = try user(records: 2000)
        let writing = try CommandRunner.Running(
            [
                "/usr/bin/bash", "-c",
                "for i in $(seq 40); do \(CommandRunner.doorstep) record \(Self.app) \(Self.app).tips false; \(CommandRunner.doorstep) record \(Self.app) \(Self.app).tips true; done",
            ], environment: user.environment, directory: user.directory, output: "/dev/null")
        for index in 0..<5 {
            try user.succeed("backup", "copy-\(index).db")
            let copy = try TestDatabase(user.directory + "/copy-\(index).db")
            #expect(try copy.rows("PRAGMA integrity_check") == [["ok"]])
            // Each answer and its history are one.
            let rows = try copy.rows(
                "SELECT (SELECT value FROM records WHERE step = '\(Self.app).tips') = (SELECT new FROM history ORDER BY sequence DESC LIMIT 1)"
            )
            #expect(rows == [["1"]])
        }
        #expect(try writing.finish().status == 0)
        #expect(try user.doorstep("backup", "copy-0.db").status == 77)
        #expect(try user.doorstep("doctor", "--suite", "copy-4.db").status == 0)
    }
}
