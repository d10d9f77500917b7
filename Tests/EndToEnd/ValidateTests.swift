import DoorstepJSON
import Foundation
import Testing

@Suite("Checking manifests")
struct ValidateTests {
    /// A manifest with a mistake of every sort.
    private static let faulty = """
        {
          "format": 2, "app": "com.example.faulty", "prefix": "com.example", "comit": "onFinish", "commit": "sometimes",
          "theme": { "primary": "red" },
          "welcome": { "id": "com.example.faulty.tips" },
          "steps": [
            { "id": "com.example.faulty.tips", "plugin": "info", "required": "yes" },
            { "id": "com.example.faulty.age", "plugin": "profil" },
            { "id": "com.example.faulty.name", "plugin": "profile",
              "options": { "inputs": [ { "key": "na me", "type": "text", "minLength": 9, "maxLength": 3 } ] } },
            { "plugin": "info", "revision": 0 }
          ]
        }
        """

    /// What must be told of it: the path, and a part of the reason.
    private static let faults = [
        ("format", "newer doorstep"), ("prefix", "dot at its end"), ("comit", "did you mean \"commit\"?"),
        ("commit", "eachStep"), ("theme.primary", "#RRGGBB"), ("steps[0].id", "already stands at"),
        ("steps[0].required", "true or false"), ("steps[1].plugin", "did you mean \"profile\"?"),
        ("steps[2].options.inputs[0].key", "accepted"), ("steps[2].options.inputs[0].minLength", "swap"),
        ("steps[3].id", ""), ("steps[3].revision", "1"),
    ]

    @Test("a file that isn't there has the same status with JSON as without, and is in the JSON")
    func absentFile() throws {
        let user = try TestUser(.aurora())
        let other = try user.write(TestManifest.aurora().text, to: "com.example.aurora.json")
        for (files, status) in [(["nowhere.json"], 66), (["nowhere.json", other], 65)] as [([String], Int32)] {
            #expect(try user.doorstep(["validate"] + files).status == status)
            let result = try user.doorstep(["validate", "--json"] + files)
            let faults = try #require(try TestUser.object(result.output)["faults"] as? [[String: Any]])
            #expect(result.status == status && faults.map { $0["file"] as? String } == ["nowhere.json"])
        }
    }

    @Test("every fault is told at once: file, path, reason, and what is accepted")
    func everyFault() throws {
        let user = try TestUser()
        let file = try user.write(Self.faulty, to: "com.example.faulty.json")
        let result = try user.doorstep("validate", file)
        #expect(result.status == 65 && result.output.isEmpty, "\(result.testDescription)")
        for (path, reason) in Self.faults {
            let line = result.errorLines.first { $0.hasPrefix("error: \(file): \(path): ") }
            #expect(
                line?.contains(reason) == true || reason.isEmpty && line != nil, "\(path): \(result.testDescription)")
        }
        #expect(result.errorLines.count == Self.faults.count, "\(result.testDescription)")
        let json = try user.doorstep("validate", file, "--json")
        #expect(json.status == 65 && json.errors.isEmpty)
        let object = try TestUser.object(json.output)
        #expect(object["valid"] as? Bool == false)
        let told = try #require(object["faults"] as? [[String: Any]])
        #expect(Set(told.compactMap { $0["path"] as? String }) == Set(Self.faults.map(\.0)))
        #expect(told.allSatisfy { $0["file"] as? String == file && $0["message"] is String })
        // Nothing of it gets into the registry, and the same faults are told.
        #expect(try user.doorstep("register", file).errors == result.errors)
        #expect(!FileManager.default.fileExists(atPath: user.registry))
    }

    @Test("the faults of several files are told together, and then none is registered")
    func severalFiles() throws {
        let user = try TestUser()
        let good = try user.write(TestManifest.aurora().text, to: "com.example.aurora.json")
        let faulty = try user.write(Self.faulty, to: "com.example.faulty.json")
        let misnamed = try user.write(TestManifest("com.example.basalt", steps: []).text, to: "basalt.json")
        let broken = try user.write("{\n  \"format\": 1,,\n}", to: "com.example.broken.json")
        let result = try user.doorstep("register", good, faulty, misnamed, broken, user.directory + "/nowhere.json")
        #expect(result.status == 65)
        #expect(result.errorLines.count == Self.faults.count + 3, "\(result.testDescription)")
        #expect(result.errors.contains("must be named \"com.example.basalt.json\""))
        #expect(result.errors.contains("line 2") && result.errors.contains("nowhere.json"), "\(result.testDescription)")
        #expect(!FileManager.default.fileExists(atPath: user.registry))
    }

    @Test("one broken manifest never hides the other apps, and can't be mistaken for an app without steps")
    func brokenNeighbour() throws {
        let user = try TestUser(.aurora())
        try user.write(Self.faulty, to: user.registry + "/com.example.faulty.json")
        try user.write("not json", to: user.registry + "/com.example.broken.json")
        try user.write(TestManifest("com.example.x", steps: []).text, to: user.registry + "/com.example.misnamed.json")
        #expect(try user.doorstep("needs", "com.example.aurora").status == 0)
        #expect(try user.doorstep("apps").lines.count == 2)
        for app in ["com.example.faulty", "com.example.broken", "com.example.misnamed"] {
            for command in ["needs", "plan", "show", "run"] {
                let result = try user.doorstep(command, app)
                #expect(result.status == 65 && result.errors.contains("\(app).json"), "\(result.testDescription)")
            }
        }
        // The gate looks at no plugin; whoever shows pages does.
        try user.drop(
            TestManifest("com.example.future", steps: [["id": "com.example.future.x", "plugin": "hologram"]]))
        #expect(try user.doorstep("run", "com.example.future").status == 69)
    }

    @Test("what can't be a manifest file is told without reading it for ever")
    func oddFiles() throws {
        let user = try TestUser()
        let fifo = user.directory + "/com.example.fifo.json"
        try #require(mkfifo(fifo, 0o600) == 0)
        for path in [fifo, user.directory, "/dev/zero"] {
            let result = try user.doorstep("validate", path)
            #expect(result.status == 65 && result.errors.contains("not a regular file"), "\(result.testDescription)")
        }
        let huge = user.directory + "/com.example.huge.json"
        try user.write("", to: huge)
        try #require(truncate(huge, 1 << 40) == 0)
        #expect(try user.doorstep("validate", huge).errors.contains("at most"))
    }
}
