import Foundation
import Testing

@Suite("Export, import and erase")
struct ExportTests {
    private static let app = "com.example.aurora"
    private static let name = "Quirinelda, \"the\" Vantongeren\nof =1+1"

    private func user() throws -> TestUser {
        let user = try TestUser(.aurora())
        let answers = ["\(Self.app).profile.name": ["name": "Quirinelda, \"the\" Vantongeren of =1+1"]] as [String: Any]
        let text = String(decoding: try JSONSerialization.data(withJSONObject: answers), as: UTF8.self)
        let path = try user.write(text, to: "answers.json")
        try user.succeed("run", Self.app, "--answers", path)
        try FileManager.default.removeItem(atPath: path)
        try user.succeed("record", Self.app, "\(Self.app).tips", "true", "--origin", "admin")
        return user
    }

    /// The files of the user that hold the name.
    private func filesWithName(_ user: TestUser) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: user.directory).filter { path in
            FileManager.default.contents(atPath: user.directory + "/" + path)?.range(of: Data("Quirinelda".utf8)) != nil
        }
    }

    @Test("what is exported, erased and imported exports the same bytes again", arguments: ["jsonl", "csv"])
    func roundTrip(form: String) throws {
        let user = try user()
        let export = try user.succeed("export", "--format", form, "--inputs").output
        #expect(export.contains("Quirinelda"))
        #expect(!(try user.succeed("export", "--format", form).output.contains("Quirinelda")))
        try user.succeed("erase", "--everything")
        #expect(try user.rows("SELECT count(*) FROM records") == [["0"]])
        #expect(try filesWithName(user) == [])
        let file = try user.write(export, to: "../" + URL(filePath: user.directory).lastPathComponent + "/export")
        let planned = try user.succeed("import", "--dry-run", file)
        #expect(
            planned.output.contains("would import 4 records, 1 input") && planned.output.contains("unrecorded → true"))
        #expect(try user.rows("SELECT count(*) FROM records") == [["0"]])
        try user.succeed("import", file)
        #expect(try user.succeed("export", "--format", form, "--inputs").output == export)
        // Again, and nothing changes or doubles.
        #expect(try user.succeed("import", file).output.contains("imported 0 records, 0 inputs, 0 changes"))
        #expect(try user.succeed("export", "--format", form, "--inputs").output == export)
    }

    @Test("a restored suite keeps its apps' prefixes as the exported one did", arguments: ["jsonl", "csv"])
    func owners(form: String) throws {
        let user = try user()
        let restored = try TestUser()
        try restored.succeed("import", restored.write(user.succeed("export", "--format", form).output, to: "export"))
        #expect(try restored.rows("SELECT app, prefix FROM apps") == [[Self.app, "\(Self.app)."]])
        try FileManager.default.removeItem(atPath: user.registry + "/\(Self.app).json")
        for one in [user, restored] {
            try one.drop(TestManifest("com.example.thief", prefix: "\(Self.app).", steps: [TestManifest.info("a")]))
            for command in [["value", "com.example.thief", "a"], ["record", "com.example.thief", "a", "true"]] {
                let result = try one.doorstep(command)
                #expect(result.status == 65 && result.errors.contains("which has answers"), "\(result.testDescription)")
            }
            let findings = try #require(
                try TestUser.object(one.doorstep("audit", "--json").output)["findings"] as? [[String: Any]])
            #expect(findings.map { $0["code"] as? String } == ["unregistered-app"])
        }
        try FileManager.default.removeItem(atPath: restored.registry + "/com.example.thief.json")
        try restored.drop(.aurora())
        #expect(try restored.doorstep("needs", Self.app).status == 1)
        #expect(try restored.doorstep("audit").output.contains("nothing found"))
        try restored.succeed("record", Self.app, "\(Self.app).tips", "false")
    }

    @Test("a prefix that another app has here is no import's to take, and two lines can't share one")
    func takenPrefix() throws {
        let user = try user()
        let before = try user.suiteBytes
        func lines(_ owners: (app: String, prefix: String)...) -> String {
            ([#"{"doorstep":"export","format":1}"#]
                + owners.map { #"{"kind":"app","prefix":"\#($0.prefix)","app":"\#($0.app)"}"# }).joined(separator: "\n")
        }
        let overlapping = try user.write(lines(("com.example.x", "com.example.")), to: "overlapping")
        for command in [["import", overlapping], ["import", "--dry-run", overlapping]] {
            let result = try user.doorstep(command)
            #expect(result.status == 65 && result.errors.contains("overlaps"), "\(result.testDescription)")
        }
        let twice = try user.write(lines(("com.example.x", "x."), ("com.example.y", "x.y.")), to: "twice")
        #expect(try user.doorstep("import", twice).errors.contains("line 3: "))
        #expect(try user.suiteBytes == before)
        // What the suite says of its own prefix stays.
        try user.succeed("import", user.write(lines(("com.example.y", "\(Self.app).")), to: "other"))
        #expect(try user.rows("SELECT app, prefix FROM apps") == [[Self.app, "\(Self.app)."]])
    }

    @Test("an import with faults writes nothing and names each line, never a value")
    func faults() throws {
        let user = try user()
        let before = try user.suiteBytes
        let lines = [
            #"{"doorstep":"export","format":1}"#,
            #"{"kind":"record","prefix":"com.example.aurora.","step":"a","value":true,"revision":1,"origin":"user","at":1}"#,
            #"{"kind":"record","prefix":"no","step":"a","value":1,"revision":0,"origin":"you","at":1}"#,
            #"{"kind":"input","prefix":"a.","step":"a","key":"k","type":"integer","value":"Quirinelda"}"#, "not JSON",
            #"{"kind":"record","prefix":"com.example.aurora.","step":"a","value":true,"revision":1,"origin":"user","at":1}"#,
        ]
        let file = try user.write(lines.joined(separator: "\n"), to: "faulty.jsonl")
        let result = try user.doorstep("import", file)
        #expect(result.status == 65)
        for line in 3...6 { #expect(result.errors.contains("line \(line): ")) }
        #expect(!result.errors.contains("Quirinelda") && !result.errors.contains("line 2: "))
        #expect(try user.suiteBytes == before)
    }

    @Test("who wins is said: existing, imported or newest", arguments: ["existing", "imported", "newest"])
    func keep(rule: String) throws {
        let user = try user()
        func line(_ step: String, _ value: Bool, _ at: Int) -> String {
            #"{"kind":"record","prefix":"com.example.aurora.","step":"\#(step)","value":\#(value),"revision":1,"origin":"user","at":\#(at)}"#
        }
        let file = try user.write(
            [
                #"{"doorstep":"export","format":1}"#, line("\(Self.app).tips", false, 1),
                line("\(Self.app).profile.age", true, 9_999_999_999_999),
            ].joined(separator: "\n"), to: "other.jsonl")
        try user.succeed("import", "--keep", rule, file)
        #expect(
            try user.succeed("value", Self.app, "\(Self.app).tips").output
                == (rule == "imported" ? "false\n" : "true\n"))
        #expect(
            try user.succeed("value", Self.app, "\(Self.app).profile.age").output
                == (rule == "existing" ? "false\n" : "true\n"))
        let imports = try user.rows("SELECT count(*) FROM history WHERE origin = 'import'")
        #expect(imports == [[rule == "imported" ? "2" : rule == "existing" ? "0" : "1"]])
    }

    @Test(
        "a property list that Foundation wrote imports",
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func propertyList(format: PropertyListSerialization.PropertyListFormat) throws {
        let user = try TestUser(.aurora())
        let list: [String: Any] = [
            "onboarding.com.example.aurora.tips": true, "onboarding.profile.name": false,
            "other": ["a": [1, 2.5, "é&<"]],
            "hasCompletedOnboarding": true, "when": Date(), "bytes": Data([1, 2]), "wide": "日本語",
        ]
        let path = user.directory + "/defaults.plist"
        try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
            .write(to: URL(filePath: path))
        let result = try user.succeed(
            "import", "--from", "plist", "--app", Self.app, "--key-prefix", "onboarding.", path)
        #expect(result.output.contains("imported 2 records"))
        #expect(
            try user.rows("SELECT step, value, origin FROM records ORDER BY step") == [
                ["com.example.aurora.profile.name", "0", "import"], ["com.example.aurora.tips", "1", "import"],
            ])
    }

    @Test("UserDefaults of this machine import, and a legacy flag makes every step true only where none is recorded")
    func userDefaults() throws {
        let user = try TestUser(.aurora())
        let suite = "doorstep-test-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: suite))
        defaults.set(true, forKey: "hasCompletedOnboarding")
        #expect(defaults.synchronize())
        let config = ProcessInfo.processInfo.environment["XDG_CONFIG_HOME"] ?? NSHomeDirectory() + "/.config"
        let path = "\(config)/\(suite).plist"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try #require(FileManager.default.fileExists(atPath: path), "UserDefaults wrote no \(path)")
        let arguments = [
            "import", "--from", "plist", "--app", Self.app, "--legacy-flag", "hasCompletedOnboarding", path,
        ]
        #expect(try user.doorstep(arguments).output.contains("imported 4 records"))
        #expect(try user.doorstep("needs", Self.app).status == 1)
        try user.succeed("clear", Self.app, "\(Self.app).tips")
        #expect(try user.doorstep(arguments).output.contains("imported 0 records"))
        #expect(try user.succeed("value", Self.app, "\(Self.app).tips").output == "unrecorded\n")
    }

    @Test("a property list that is none is a fault, not a crash", arguments: 0..<40)
    func hostileList(seed: Int) throws {
        let user = try TestUser(.aurora())
        let list: [String: Any] = ["a": true, "b": ["c": 1, "d": "text"], "e": [1, 2, 3]]
        var bytes = try PropertyListSerialization.data(
            fromPropertyList: list, format: seed % 2 == 0 ? .binary : .xml, options: 0)
        bytes[(seed * 7919 + 8) % bytes.count] ^= UInt8(1 << (seed % 8))
        if seed % 5 == 0 { bytes = bytes.prefix(bytes.count / 2) }
        try bytes.write(to: URL(filePath: user.directory + "/list.plist"))
        let result = try user.doorstep("import", "--from", "plist", "--app", Self.app, "list.plist")
        #expect(result.status == 0 || result.status == 65)
    }
}
