import Foundation
import Testing

@Suite("Imports are read once, line by line, and happen whole or not at all")
struct ImportTests {
    private static let app = "com.example.aurora"
    private static let propertyList = "this looks like a property list; one is imported with --from plist and --app"
    private static let header = #"{"doorstep":"export","format":1}"#

    private static func record(_ step: String, prefix: String = "com.example.old.", at: Int = 1) -> String {
        #"{"kind":"record","prefix":"\#(prefix)","step":"\#(step)","value":true,"revision":1,"origin":"user","at":\#(at)}"#
    }

    private static func input(_ key: String) -> String {
        #"{"kind":"input","prefix":"com.example.old.","step":"a","key":"\#(key)","type":"toggle","value":true}"#
    }

    private static func event(_ sequence: Int, evidence: String = "") -> String {
        """
        {"kind":"event","sequence":\(sequence),"at":1,"prefix":"com.example.old.","app":"old","step":"a","old":null,\
        "new":true,"revision":1,"origin":"user","evidence":"\(evidence)","uid":0,"program":"p"}
        """
    }

    private func user() throws -> TestUser {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, "\(Self.app).tips", "true")
        return user
    }

    /// Imports a file by its name, or through a pipe, which nothing can be read from twice.
    private func run(_ file: String, piped: Bool, _ user: TestUser) throws -> CommandResult {
        if !piped { return try user.doorstep("import", file) }
        return try CommandRunner.run(
            ["/bin/sh", "-c", #"cat "$1" | "$0" import -"#, CommandRunner.doorstep, file],
            environment: user.environment, directory: user.directory)
    }

    @Test(arguments: [false, true])
    func `A fault on the last line of many keeps all of them out, and nothing is left behind`(piped: Bool) throws {
        let user = try user()
        let (before, names) = (try user.suiteBytes, try user.namesBesideSuite)
        let lines = [Self.header] + (0..<3000).map { Self.record("step\($0)") }
        let faulty = try user.write((lines + [#"{"kind":"record"}"#]).joined(separator: "\n"), to: "faulty")
        let refused = try run(faulty, piped: piped, user)
        #expect(refused.status == 65 && refused.errors.contains("line 3002: "), "\(refused.testDescription)")
        #expect(try user.suiteBytes == before)
        #expect(try user.namesBesideSuite == names)
        let sound = try user.write(lines.joined(separator: "\n"), to: "sound")
        let imported = try run(sound, piped: piped, user)
        #expect(imported.output.contains("imported 3000 records"), "\(imported.testDescription)")
        #expect(
            try user.rows("SELECT count(*), count(DISTINCT step) FROM records WHERE prefix = 'com.example.old.'")
                == [["3000", "3000"]])
        #expect(try user.rows("SELECT count(*) FROM history WHERE origin = 'import'") == [["3000"]])
        #expect(try user.namesBesideSuite == names)
    }

    @Test func `A history of one step and one moment meets itself without comparing each with each`() throws {
        let user = try user()
        // Each with each would be four hundred million comparisons, under the lock that writers need.
        let events = (1...20_000).map { Self.event($0 + 1000, evidence: "\($0)") }
        let file = try user.write(([Self.header, Self.record("a")] + events).joined(separator: "\n"), to: "same")
        for _ in 1...2 {
            try user.succeed("import", file)
            #expect(
                try user.rows("SELECT count(*) FROM history WHERE prefix = 'com.example.old.'") == [["20000"]])
        }
    }

    @Test func `While an import waits for its file, others write`() throws {
        let user = try user()
        let fifo = user.directory + "/fifo"
        try #require(mkfifo(fifo, 0o600) == 0)
        // Opened so, it waits for no reader.
        let end = open(fifo, O_RDWR | O_CLOEXEC)
        try #require(end >= 0)
        let running = try CommandRunner.Running(
            [CommandRunner.doorstep, "import", fifo], environment: user.environment, directory: user.directory,
            output: nil)
        let text = [Self.header, Self.record("a"), ""].joined(separator: "\n")
        #expect(write(end, text, text.utf8.count) == text.utf8.count)
        let deadline = ContinuousClock.now + ChildProcess.patience
        var left: Int32 = 1
        while left > 0, ContinuousClock.now < deadline {
            try #require(ioctl(end, UInt(FIONREAD), &left) == 0)
            usleep(1000)
        }
        #expect(left == 0, "the import didn't read what was there")
        try user.succeed("record", Self.app, "\(Self.app).tips", "false")
        close(end)
        let result = try running.finish()
        #expect(result.output.contains("imported 1 record"), "\(result.testDescription)")
    }

    @Test func `A line that brings what an earlier one has is named, whatever stands between`() throws {
        let user = try user()
        let lines = [
            Self.header, Self.record("a"), Self.input("k"), Self.event(7), "no JSON", Self.record("b"), Self.event(7),
            Self.record("a", at: 2), Self.input("k"), Self.input("l"), Self.record("b", prefix: "com.example.other."),
        ]
        let result = try user.doorstep("import", try user.write(lines.joined(separator: "\n"), to: "twice"))
        let file = user.directory + "/twice"
        #expect(result.status == 65)
        #expect(result.errorLines.map { $0.contains("\(file): line 5: this is not JSON") }.first == true)
        #expect(
            Array(result.errorLines.dropFirst()) == [
                "error: \(file): line 7: the same event stands on an earlier line",
                "error: \(file): line 8: the same record stands on an earlier line",
                "error: \(file): line 9: the same input stands on an earlier line",
            ], "\(result.testDescription)")
    }

    @Test func `Of more mistakes than anybody reads the first fifty are told`() throws {
        let user = try user()
        let lines = [Self.header] + (0..<60).flatMap { _ in [Self.record("a"), "no JSON"] }
        let result = try user.doorstep("import", try user.write(lines.joined(separator: "\n"), to: "many"))
        let told = result.errorLines.compactMap { line in
            line.split(separator: " ").dropFirst(3).first.flatMap { Int($0.dropLast()) }
        }
        #expect(result.status == 65 && told == Array(3...52), "\(result.testDescription)")
    }

    @Test func `What changes is listed in the order of the file, however the suite keeps it`() throws {
        let user = try user()
        let steps = ["c", "a", "b"]
        let file = try user.write(
            ([Self.header] + steps.map { Self.record($0) }).joined(separator: "\n"), to: "unsorted")
        for arguments in [["import", "--json", "--dry-run", file], ["import", "--json", file]] {
            let changes = try TestUser.object(user.doorstep(arguments).output)["changes"] as? [[String: Any]]
            #expect(changes?.map { $0["step"] as? String } == steps)
        }
    }

    @Test func `A record that an import brings back is the last thing that the history tells`() throws {
        let user = try user()
        let export = try user.write(try user.succeed("export").output, to: "export")
        try user.succeed("clear", Self.app, "\(Self.app).tips")
        let imported = try user.succeed("import", export)
        #expect(imported.output.contains("imported 1 record, 0 inputs, 0 changes of history"))
        #expect(
            try user.rows("SELECT old, new, origin FROM history ORDER BY sequence DESC LIMIT 1") == [
                ["NULL", "1", "import"]
            ])
    }

    @Test func `Inputs that were typed anew since an export stay`() throws {
        let user = try TestUser(.aurora())
        func run(_ name: String) throws {
            let answers = try user.write(#"{"\#(Self.app).profile.name":{"name":"\#(name)"}}"#, to: "answers.json")
            try user.succeed("run", Self.app, "--answers", answers)
        }
        try run("Ada Lovelace")
        try user.succeed("reset", Self.app)
        let old = try user.write(try user.succeed("export", "--inputs").output, to: "old")
        try run("Grace Hopper")
        let imported = try user.succeed("import", old)
        #expect(imported.output.contains(", 0 inputs, "), "\(imported.testDescription)")
        #expect(try user.succeed("profile", Self.app).output.contains("Grace Hopper"))
        try user.succeed("import", "--keep", "imported", old)
        #expect(try user.succeed("profile", Self.app).output.contains("Ada Lovelace"))
    }

    @Test func `Thousands of apps are imported, twice`() throws {
        let user = try user()
        let apps = (0..<5000).map { #"{"kind":"app","prefix":"com.example.old\#($0).","app":"old\#($0)"}"# }
        let file = try user.write(([Self.header] + apps).joined(separator: "\n"), to: "apps")
        for _ in 1...2 {
            try user.succeed("import", file)
            #expect(try user.rows("SELECT count(*) FROM apps") == [["5001"]])
        }
    }

    @Test(
        arguments: [
            ("bplist00\u{1}\n\u{2}", propertyList),
            (
                "<?xml version=\"1.0\"?>\n<plist/>", propertyList
            ),
            ("<!DOCTYPE plist>", propertyList),
            (
                "{\"doorstep\":\"export\" \"format\":1}\n{}",
                "this is not JSON: a comma or } is expected in an object, but this is \", in column 22"
            ),
            ("\n", "the file is empty"), ("", "the file is empty"),
        ])
    func `A file that is no export is called what it is, in one line`(text: String, words: String) throws {
        let user = try user()
        let result = try user.doorstep("import", try user.write(text, to: "file"))
        #expect(result.status == 65)
        #expect(result.errorLines == ["error: \(user.directory)/file: line 1: \(words)"])
    }

    @Test func `A fault of JSON is told by one line and a column`() throws {
        let user = try user()
        let file = try user.write([Self.header, "", "{\"kind\":x}"].joined(separator: "\n"), to: "file")
        let result = try user.doorstep("import", file)
        #expect(result.errorLines.count == 1 && result.errors.contains("file: line 3: this is not JSON: "))
        #expect(result.errors.hasSuffix(", in column 9\n"), "\(result.testDescription)")
    }

    @Test func `Names that a property list doesn't have are warned of`() throws {
        let user = try user()
        let step = "\(Self.app).tips"
        let list = try user.write(
            "<plist version=\"1.0\"><dict><key>old.\(step)</key><true/><key>done</key><false/></dict></plist>",
            to: "list")
        func warnings(_ arguments: String...) throws -> [String] {
            let result = try user.doorstep(["import", "--from", "plist", "--app", Self.app] + arguments + [list])
            #expect(result.status == 0, "\(result.testDescription)")
            return result.errorLines
        }
        let noStep = "warning: \(list): no key is the ID of a step of \(Self.app)"
        let way = "; --key-prefix says what stands before the IDs"
        #expect(try warnings("--key-prefix", "old.") == [])
        #expect(try warnings("--legacy-flag", "done") == [])
        #expect(try warnings() == [noStep + way])
        #expect(try warnings("--key-prefix", "odl.") == [noStep + " with \"odl.\" before it" + way])
        #expect(
            try warnings("--legacy-flag", "dnoe") == [
                "warning: \(list): there is no key \"dnoe\", which --legacy-flag asks for"
            ])
        #expect(try !user.succeed("import", "--help").output.contains("default: )"))
    }

    @Test func `A history that another suite has joins this one once, with places of its own`() throws {
        let (user, other) = (try user(), try TestUser(.aurora()))
        for value in ["false", "true", "false"] {
            try other.succeed("record", Self.app, "\(Self.app).tips", value)
        }
        let export = try user.write(try other.succeed("export").output, to: "export")
        let planned = try user.succeed("import", "--dry-run", "--keep", "imported", export)
        #expect(planned.output.contains("would import 1 record, 0 inputs, 3 changes of history"))
        let imported = try user.succeed("import", "--keep", "imported", export)
        #expect(imported.output.contains("imported 1 record, 0 inputs, 3 changes of history"))
        // The last change explains the record, so no other is written for it.
        #expect(try user.rows("SELECT origin, count(*) FROM history GROUP BY origin") == [["user", "4"]])
        #expect(try user.rows("SELECT count(DISTINCT sequence) FROM history") == [["4"]])
        let again = try user.succeed("import", "--keep", "imported", export)
        #expect(again.output.contains("imported 0 records, 0 inputs, 0 changes of history; 1 equal"))
    }
}
