import DoorstepJSON
import Foundation
import Testing

@Suite("Personal data")
struct PersonalDataTests {
    private static let app = "com.example.aurora"
    /// A name that nothing else in these tests contains.
    private static let name = "Quirinelda Vantongeren"
    private static let answers =
        #"{ "com.example.aurora.profile.name": { "name": "\#(name)" }, "com.example.aurora.profile.age": { "age": 61 } }"#

    private func user(commit: String = "eachStep") throws -> TestUser {
        let user = try TestUser(.aurora(commit: commit))
        try EveryCommand.prepare(user)
        try user.succeed("run", Self.app, "--answers", user.write(Self.answers, to: "personal.json"))
        try FileManager.default.removeItem(atPath: user.directory + "/personal.json")
        return user
    }

    /// The files under the user's home that hold the name.
    private func filesWithName(_ user: TestUser) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: user.directory).filter { path in
            let contents = FileManager.default.contents(atPath: user.directory + "/" + path)
            return contents?.range(of: Data("Quirinelda".utf8)) != nil
        }
    }

    @Test("profile prints what was typed, and reset keeps it")
    func profile() throws {
        let user = try user()
        let profile = try user.succeed("profile", Self.app)
        #expect(profile.lines.count == 3 && profile.output.contains(Self.name) && profile.output.contains("61"))
        try user.succeed("reset", Self.app)
        #expect(try user.doorstep("needs", Self.app).status == 0)
        #expect(try user.succeed("profile", Self.app).output == profile.output)
        #expect(try user.rows("SELECT count(*) FROM records") == [["0"]])
    }

    @Test("profile follows the flow, and tells apart what is left of removed steps")
    func removedSteps() throws {
        func input(_ key: String) -> JSONValue { ["key": .string(key), "type": "text", "default": .string(key)] }
        func step(_ id: String, _ keys: String...) -> JSONObject {
            [
                "id": .string(id), "plugin": "profile", "title": "What?",
                "options": ["inputs": .array(keys.map(input))],
            ]
        }
        var manifest = TestManifest("com.example.basalt", steps: [step("z", "y", "b"), step("m", "x"), step("a", "c")])
        let user = try TestUser(manifest)
        let answers = try user.write(#"{ "z": true, "m": true, "a": true }"#, to: "answers.json")
        try user.succeed("run", "com.example.basalt", "--answers", answers)
        func keys(_ member: String) throws -> [String] {
            let json = try JSONValue(parsing: user.succeed("profile", "com.example.basalt", "--json").output)
            return json.object?[member]?.object.map { Array($0.keys) } ?? []
        }
        #expect(try keys("inputs") == ["y", "b", "x", "c"])
        #expect(try keys("removed") == [])
        manifest.steps.remove(at: 1)
        try user.drop(manifest)
        for _ in 0..<4 {
            #expect(try keys("inputs") == ["y", "b", "c"])
            #expect(try keys("removed") == ["m"])
        }
        let lines = try user.succeed("profile", "com.example.basalt").lines
        #expect(
            lines.map { $0.split(separator: " ").joined(separator: " ") } == [
                "INPUT VALUE REMOVED STEP", "y y", "b b", "c c", "x x m",
            ])
    }

    @Test("signing out erases answers and inputs in one go, and leaves no trace in any file")
    func signOut() throws {
        let user = try user()
        #expect(try filesWithName(user) == ["home/.local/share/doorstep/suite.db"])
        try user.succeed("sign-out", Self.app)
        #expect(try filesWithName(user) == [])
        #expect(try user.rows("SELECT (SELECT count(*) FROM inputs), (SELECT count(*) FROM records)") == [["0", "0"]])
        #expect(try user.succeed("profile", Self.app).output == "com.example.aurora: no inputs are stored\n")
        // The next launch is a first launch, and history tells what happened without the values.
        let pages = try #require(try user.json("plan", Self.app)["pages"] as? [Any])
        #expect(pages.count == 4)
        #expect(try user.rows("SELECT count(*) FROM history WHERE new IS NULL") == [["4"]])
    }

    @Test("signing out erases also while another process has the suite open, and from a log that a crash left")
    func signOutWithLog() throws {
        let user = try user()
        let other = try TestDatabase(user.suite)
        // An open reader keeps the log from being tidied up by whoever leaves last.
        _ = try other.rows("SELECT count(*) FROM inputs")
        try user.succeed("sign-out", Self.app)
        try user.succeed("run", Self.app, "--answers", user.write(Self.answers, to: "personal.json"))
        try FileManager.default.removeItem(atPath: user.directory + "/personal.json")
        #expect(try filesWithName(user).contains { $0.hasSuffix("-wal") }, "the log was to hold the name")
        try user.succeed("sign-out", Self.app)
        #expect(try filesWithName(user) == [])
    }

    @Test("changing an answer leaves nothing of the old one")
    func changed() throws {
        let user = try user()
        try user.succeed("clear", Self.app, "\(Self.app).profile.name")
        try user.succeed("run", Self.app, "--answers", "answers.json")
        #expect(try user.succeed("profile", Self.app).output.contains("Ada Lovelace"))
        #expect(try filesWithName(user) == [])
    }

    @Test("a failed sign-out changes nothing")
    func failedSignOut() throws {
        let user = try user()
        let other = try TestDatabase(user.suite)
        try other.run("BEGIN IMMEDIATE")
        #expect(try user.doorstep("sign-out", Self.app).status == 75)
        try other.run("ROLLBACK")
        #expect(try user.succeed("profile", Self.app).output.contains(Self.name))
        #expect(try user.doorstep("needs", Self.app).status == 1)
    }

    @Test("what was typed shows in no output but the profile's")
    func neverPrinted() throws {
        let user = try user()
        var printed: [String] = []
        func look(_ commands: [[String]]) throws {
            for command in commands where command[0] != "profile" {
                let result = try user.doorstep(command)
                if (result.output + result.errors).contains("Quirinelda") { printed.append("\(command)") }
            }
        }
        try look(EveryCommand.reading + EveryCommand.reconciling + EveryCommand.suiteless)
        try look([["validate", "\(Self.app).json"], ["run", Self.app], ["apps"], ["show", Self.app, "--json"]])
        // Faults name the place, not the value.
        let faulty = #"{ "com.example.aurora.profile.name": { "name": ["Quirinelda"], "nickname": "Quirinelda" } }"#
        try user.write(faulty, to: "faulty.json")
        try user.write(#"{ "com.example.aurora.profile.age": { "age": "Quirinelda" } }"#, to: "answers.json")
        let export = try user.write(user.succeed("export", "--inputs").output, to: "export.jsonl")
        let broken = try user.write(
            user.succeed("export", "--inputs").output.replacing(#""type":"text""#, with: #""type":"integer""#),
            to: "broken.jsonl")
        #expect(try user.doorstep("import", broken).status == 65)
        try look([
            ["import", broken], ["import", export, "--dry-run"], ["import", export, "--keep", "imported", "--json"],
            ["backup", "copy.db"], ["doctor", "--repair"], ["history", "prune", "--before", "2999-01-01"],
            ["audit", "--suite", "copy.db", "--suite", user.suite, "--steps"],
        ])
        try look([["run", Self.app, "--answers", "faulty.json"]] + EveryCommand.writing)
        try user.succeed("import", export)
        try look([["erase", Self.app, "--inputs"], ["erase", Self.app], ["erase", "--everything"]])
        #expect(printed == [])
        // Nor does another app of the family see it.
        try user.drop(.aurora(app: "com.example.basalt"))
        #expect(try !user.succeed("profile", "com.example.basalt").output.contains("Quirinelda"))
    }

    @Test("two apps' inputs of the same name are separate, and signing out of one keeps the other's")
    func separate() throws {
        let user = try user()
        try user.drop(.aurora(app: "com.example.basalt"))
        let answers = #"{ "com.example.basalt.profile.name": { "name": "Grace Hopper" } }"#
        try user.succeed("run", "com.example.basalt", "--answers", user.write(answers, to: "answers.json"))
        try user.succeed("sign-out", Self.app)
        #expect(try user.succeed("profile", "com.example.basalt").output.contains("Grace Hopper"))
        #expect(try user.doorstep("needs", "com.example.basalt").status == 1)
    }
}
