import DoorstepJSON
import Foundation
import Testing

@Suite("Erasing")
struct EraseTests {
    private static let app = "com.example.aurora"
    private static let granted = "com.example.aurora.reqs.notifications"

    private func user() throws -> TestUser {
        var manifest = TestManifest.aurora()
        for name in ["notifications", "location", "camera"] {
            manifest.steps.append(["id": .string("\(Self.app).reqs.\(name)"), "plugin": .string(name)])
        }
        let user = try TestUser(manifest)
        let path = try user.write(
            #"{ "com.example.aurora.profile.name": { "name": "Quirinelda Vantongeren" } }"#, to: "answers.json")
        try user.succeed("run", Self.app, "--answers", path)
        try FileManager.default.removeItem(atPath: path)
        return user
    }

    /// The files of the user that hold the name.
    private func filesWithName(_ user: TestUser) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: user.directory).filter { path in
            !path.hasSuffix("release")
                && FileManager.default.contents(atPath: user.directory + "/" + path)?.range(of: Data("Quirinelda".utf8))
                    != nil
        }
    }

    @Test("erasing leaves the fact and no value, in no file")
    func erase() throws {
        let user = try user()
        #expect(try filesWithName(user).count == 1)
        let output = try user.succeed("erase", Self.app, "--inputs").output
        #expect(output == "erased 0 records, 1 input, 0 changes of history\n")
        #expect(try filesWithName(user) == [])
        #expect(try user.rows("SELECT count(*) FROM records") == [["7"]])
        let history = try user.succeed("history").output
        #expect(history.contains("erased the inputs of com.example.aurora") && !history.contains("Quirinelda"))
        try user.succeed("erase", Self.app)
        #expect(try user.rows("SELECT (SELECT count(*) FROM records), (SELECT count(*) FROM history)") == [["0", "0"]])
        #expect(try user.doorstep("erase").status == 64)
    }

    @Test func `a rehearsal says how much would go and which permission stays granted, and changes nothing`() throws {
        let user = try user()
        try user.succeed("record", Self.app, Self.granted, "true")
        let before = try user.suiteBytes
        let rehearsed = try user.succeed("erase", Self.app, "--dry-run")
        #expect(rehearsed.lines.first?.hasPrefix("would erase 7 records, 1 input, ") == true)
        #expect(rehearsed.output.contains("; nothing was changed") && rehearsed.output.contains("(\(Self.granted))"))
        #expect(
            try user.succeed("erase", Self.app, "--inputs", "--dry-run").output
                == "would erase 0 records, 1 input, 0 changes of history; nothing was changed\n")
        #expect(try user.succeed("erase", "--everything", "--dry-run").output.contains("7 records, 1 input"))
        #expect(try user.suiteBytes == before && filesWithName(user).count == 1)
        let erased = try user.succeed("erase", Self.app)
        #expect(
            "would \(erased.lines[0].replacing("erased", with: "erase")); nothing was changed" == rehearsed.lines[0])
        #expect(try TestUser(.aurora()).succeed("erase", Self.app, "--dry-run").output.contains("there is no suite"))
    }

    @Test func `an app and everything exclude each other`() throws {
        let result = try user().doorstep("erase", "--everything", Self.app)
        #expect(result.status == 64 && result.errors.contains("an app and --everything exclude each other"))
    }

    @Test("while another process reads, what is left in the files is said, and erasing again finishes it")
    func reader() throws {
        let user = try user()
        try #require(mkfifo(user.directory + "/release", 0o600) == 0)
        let script = """
            import sqlite3, sys
            suite = sqlite3.connect(sys.argv[1], isolation_level=None)
            suite.execute("BEGIN")
            print("read", suite.execute("SELECT count(*) FROM inputs").fetchone()[0], flush=True)
            open("release").read()
            """
        var reader = try CommandRunner.Running(
            ["/usr/bin/python3", "-c", script, user.suite], environment: user.environment, directory: user.directory,
            output: nil)
        try reader.waitForOutput("read 1")
        let result = try user.doorstep("erase", Self.app)
        #expect(result.status == 75 && result.output.contains("erased 7 records, 1 input"), "\(result.testDescription)")
        #expect(
            result.errors.contains("another process holds its log open") && result.errors.contains("run this again"))
        // It is so: nothing shows the value any more, but its bytes are still there.
        #expect(try user.succeed("export", "--inputs").output.contains("Quirinelda") == false)
        #expect(try !filesWithName(user).isEmpty)
        try "".write(toFile: user.directory + "/release", atomically: false, encoding: .utf8)
        #expect(try reader.finish().status == 0)
        #expect(try user.succeed("erase", Self.app).output.contains("erased 0 records, 0 inputs"))
        #expect(try filesWithName(user) == [])
    }

    @Test("a permission that the system granted is named, because erasing doesn't take it back")
    func notRevoked() throws {
        let user = try user()
        try user.succeed("record", Self.app, Self.granted, "true")
        try user.succeed("record", Self.app, "\(Self.app).reqs.camera", "false")
        func told(_ arguments: String...) throws -> [String] {
            try user.doorstep(["erase"] + arguments).lines.filter { $0.contains("not taken back") }
        }
        #expect(try told(Self.app, "--inputs") == [])
        let lines = try told(Self.app)
        #expect(lines.count == 1 && lines[0].contains("notifications (\(Self.granted))"), "\(lines)")
        #expect(lines.first?.contains("only the system's own settings") == true, "\(lines)")
        // It is told once: now nothing is recorded any more.
        #expect(try told("--everything") == [])
    }

    @Test("one app whose prefix is another's keeps neither status nor erasing from the others")
    func foreignPrefix() throws {
        let user = try user()
        try FileManager.default.removeItem(atPath: user.registry + "/\(Self.app).json")
        try user.drop(TestManifest("com.example.thief", prefix: "\(Self.app).", steps: [TestManifest.info("a")]))
        try user.drop(TestManifest("com.example.basalt", steps: [TestManifest.info("b")]))
        let status = try user.doorstep("status")
        #expect(status.status == 0 && status.output.contains("com.example.basalt"), "\(status.testDescription)")
        #expect(!status.output.contains("thief") && status.errors.contains("com.example.thief"))
        let json = try user.json("status")
        #expect((json["apps"] as? [Any])?.count == 1 && (json["problems"] as? [Any])?.count == 1)
        #expect(try user.succeed("erase", "--everything").output.contains("1 input"))
        #expect(try filesWithName(user) == [])
        // Without answers under it the prefix is free.
        #expect(try user.doorstep("status").errors.isEmpty)
    }
}
