import Foundation
import Testing

/// What somebody else can put in the way, and input that is meant to break its reader.
@Suite("Hostile places and files")
struct HostileTests {
    private static let app = "com.example.aurora"
    private static let step = "com.example.aurora.tips"
    /// How much a refusal may take.
    private static let memory = 256 << 20

    /// Runs the command with a bound on its memory; a runaway would end by it, not in a sentence.
    private func bounded(_ user: TestUser, _ arguments: String...) throws -> CommandResult {
        try CommandRunner.run(
            ["/usr/bin/prlimit", "--data=\(Self.memory)", "--cpu=20", CommandRunner.doorstep] + arguments,
            environment: user.environment, directory: user.directory)
    }

    private func refused(_ result: CommandResult, _ statuses: Set<Int32>, _ words: String) {
        #expect(statuses.contains(result.status), "\(result.testDescription)")
        #expect(result.errors.contains(words), "\(result.testDescription)")
        #expect(!result.errors.contains("Fatal"), "\(result.testDescription)")
    }

    @Test func `A manifest of a gigabyte is refused without being read`() throws {
        let user = try TestUser()
        let path = try user.write("", to: user.registry + "/\(Self.app).json")
        #expect(truncate(path, 1 << 30) == 0)
        for command in ["needs", "plan", "show"] {
            refused(try bounded(user, command, Self.app), [65, 66, 74], "at most 4194304 are accepted")
        }
        refused(try bounded(user, "validate", path), [65, 66, 74], "at most 4194304 are accepted")
    }

    @Test(
        arguments: [
            (String(repeating: "[", count: 100_000), "nest"),
            (String(repeating: #"{"a":"#, count: 100_000), "nest"),
            (#"{"format":1,"app":"com.example.aurora","app":"com.example.other","steps":[]}"#, "app"),
            ("{\"format\":1,\"app\":\"com.example.\u{0}\",\"steps\":[]}", "JSON"),
            (#"{"format":1,"app":"com.example.aurora","steps":[{"id":"a\u0000b","plugin":"info"}]}"#, "steps[0].id"),
            (#"{"format":1e400,"app":"com.example.aurora","steps":[]}"#, "too large"),
        ])
    func `JSON that is meant to break its reader is refused with a sentence`(text: String, words: String) throws {
        let user = try TestUser()
        let path = try user.write(text, to: user.registry + "/\(Self.app).json")
        refused(try bounded(user, "validate", path), [65], words)
        refused(try bounded(user, "needs", Self.app), [65], words)
    }

    @Test func `A hostile answers file changes nothing`() throws {
        let user = try TestUser(.aurora())
        for text in [
            String(repeating: "[", count: 100_000), "\u{0}",
            #"{"com.example.aurora.tips":true,"com.example.aurora.tips":false}"#,
        ] {
            let path = try user.write(text, to: "answers.json")
            refused(try bounded(user, "run", Self.app, "--answers", path), [65], "answers.json")
        }
        #expect(!user.hasSuite)
    }

    @Test func `An import that is meant to break its reader changes nothing`() throws {
        let user = try TestUser(.aurora())
        let header = #"{"doorstep":"export","format":1}"# + "\n"
        for text in [
            header + String(repeating: "[", count: 100_000), "\u{0}\u{0}",
            "kind,\"" + String(repeating: ",", count: 100_000),
            header + #"{"kind":"event","sequence":9223372036854775807}"#,
        ] {
            let path = try user.write(text, to: "import")
            refused(try bounded(user, "import", path), [65], path)
        }
        #expect(!user.hasSuite)
    }

    @Test func `A log or a journal that is a link is not followed`() throws {
        for suffix in ["-wal", "-journal", "-shm"] {
            let user = try TestUser(.aurora())
            try user.succeed("record", Self.app, Self.step, "true")
            let victim = try user.write("precious", to: "victim")
            try FileManager.default.createSymbolicLink(atPath: user.suite + suffix, withDestinationPath: victim)
            let result = try user.doorstep("record", Self.app, Self.step, "false")
            #expect(result.status == 0 || [74, 77].contains(result.status), "\(suffix): \(result.testDescription)")
            #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious", "\(suffix)")
        }
    }

    @Test func `Beside no suite yet, a log that is a link is not followed either`() throws {
        for suffix in ["-wal", "-journal", "-shm"] {
            let user = try TestUser(.aurora())
            let victim = try user.write("precious", to: "victim")
            try FileManager.default.createSymbolicLink(atPath: user.suite + suffix, withDestinationPath: victim)
            let result = try user.doorstep("record", Self.app, Self.step, "true")
            #expect(result.status == 0 || [74, 77].contains(result.status), "\(suffix): \(result.testDescription)")
            #expect(try String(contentsOfFile: victim, encoding: .utf8) == "precious", "\(suffix)")
        }
    }

    @Test func `Values of the environment that no sane one has are refused or passed over`() throws {
        let user = try TestUser(.aurora())
        let long = String(repeating: "x", count: 100_000)
        let languages = [
            long, String(repeating: "de:", count: 10_000), "../../etc", "\u{1B}[31m", "de_DE.UTF-8@\u{202E}",
        ]
        for value in languages {
            for name in ["LANGUAGE", "LC_ALL", "LANG"] {
                let result = try user.doorstep(["plan", Self.app], environment: [name: value])
                #expect(result.status == 0, "\(name): \(result.testDescription)")
                #expect(!result.output.contains("\u{1B}"), "\(name)")
            }
        }
        let places: [String] = [
            "/" + long, "/dev/null", "/proc/self/mem", "/dev/full", "\n", String(repeating: "/a", count: 5000),
        ]
        for value in places {
            for name in [
                "DOORSTEP_SUITE", "XDG_DATA_HOME", "DOORSTEP_REGISTRY_PATH", "XDG_DATA_DIRS", "XDG_CONFIG_DIRS",
            ] {
                let result = try user.doorstep(["needs", Self.app], environment: [name: value])
                #expect(
                    [0, 1, 65, 66, 74, 77].contains(result.status),
                    "\(name)=\(value.prefix(20)): \(result.testDescription.prefix(500))")
            }
        }
    }

    @Test func `Another time zone shows other hours of the same history`() throws {
        let user = try TestUser(.aurora())
        let zones = ["Pacific/Kiritimati", "Etc/GMT+12", "UTC", ":/nonexistent", "\u{1}"]
        for (number, zone) in zones.enumerated() {
            let value = number.isMultiple(of: 2) ? "true" : "false"
            let result = try user.doorstep(["record", Self.app, Self.step, value], environment: ["TZ": zone])
            #expect(result.status == 0, "\(zone): \(result.testDescription)")
        }
        let first = try user.doorstep(["history", "--json"], environment: ["TZ": zones[0]])
        let second = try user.doorstep(["history", "--json"], environment: ["TZ": zones[1]])
        let events = try #require(try TestUser.object(first.output)["events"] as? [[String: Any]])
        #expect(events.compactMap { $0["sequence"] as? Int } == [5, 4, 3, 2, 1])
        #expect(first.output == second.output)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can leave files of its own with somebody else"))
    func `What sudo has left with a user is told of, with what to do`() throws {
        let user = try TestUser(.aurora())
        try user.succeed("record", Self.app, Self.step, "true")
        for path in [user.directory, user.home, user.home + "/.local", user.home + "/.local/share"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let everything = try CommandRunner.run(
            ["/bin/chown", "-R", "54321:54321", user.home + "/.local"], environment: [:], directory: "/")
        #expect(everything.status == 0)
        _ = try CommandRunner.run(["/bin/chown", "0:0", user.suite], environment: [:], directory: "/")
        _ = try CommandRunner.run(
            ["/usr/bin/install", "--mode=755", CommandRunner.doorstep, user.directory + "/doorstep"], environment: [:],
            directory: "/")
        let result = try CommandRunner.run(
            [
                "/usr/bin/setpriv", "--reuid=54321", "--regid=54321", "--clear-groups", user.directory + "/doorstep",
                "record", Self.app, Self.step, "false",
            ], environment: user.environment, directory: "/")
        refused(result, [74, 77], user.suite)
        #expect(result.errorLines.count == 1, "\(result.testDescription)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can make a program that runs as somebody else"))
    func `A program with more rights than its caller works on nobody's suite but its own`() throws {
        let user = try TestUser(.aurora())
        for path in [user.directory, user.home, user.home + "/.local", user.home + "/.local/share"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        _ = try CommandRunner.run(
            ["/usr/bin/install", "--mode=4755", CommandRunner.doorstep, user.directory + "/doorstep"],
            environment: [:], directory: "/")
        // Root's rights, a stranger's environment: the suite that it names belongs to the stranger, not to root.
        let theirs = user.directory + "/theirs"
        try FileManager.default.createDirectory(atPath: theirs, withIntermediateDirectories: true)
        _ = try CommandRunner.run(["/bin/chown", "54321:54321", theirs], environment: [:], directory: "/")
        var variables = user.environment
        variables["DOORSTEP_SUITE"] = theirs + "/suite.db"
        let result = try CommandRunner.run(
            [
                "/usr/bin/setpriv", "--reuid=54321", "--regid=54321", "--clear-groups", user.directory + "/doorstep",
                "record", Self.app, Self.step, "true",
            ], environment: variables, directory: "/")
        #expect([74, 77].contains(result.status), "\(result.testDescription)")
        #expect(!FileManager.default.fileExists(atPath: theirs + "/suite.db"))
    }
}
