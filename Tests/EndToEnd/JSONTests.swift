import DoorstepJSON
import Foundation
import Testing

@Suite("JSON output")
struct JSONTests {
    private static let app = "com.example.aurora"

    private func user() throws -> TestUser {
        let user = try TestUser(.aurora())
        try EveryCommand.prepare(user)
        return user
    }

    /// The keys that a command's object must have.
    private static let members: [(command: [String], keys: Set<String>)] = [
        (["apps"], ["apps", "problems"]), (["status"], ["apps", "problems"]),
        (
            ["show", app],
            ["app", "name", "prefix", "commit", "needsOnboarding", "allRequiredSatisfied", "nextStep", "steps"]
        ),
        (["needs", app], ["app", "needsOnboarding", "allRequiredSatisfied", "nextStep"]),
        (["plan", app], ["app", "recorded", "pages"]), (["value", app, "\(app).tips"], ["app", "id", "value"]),
        (["profile", app], ["app", "inputs"]), (["reconcile", app], ["checks", "failures"]),
        (["reconcile", "--all"], ["checks", "failures"]), (["plugins"], ["plugins"]),
        (["plugins", "info"], ["plugins"]),
        (["validate", "\(app).json"], ["valid", "apps", "faults"]),
    ]

    @Test("every reading command prints one object that begins with its version", arguments: members.indices)
    func version(place: Int) throws {
        let (command, keys) = Self.members[place]
        let user = try user()
        for isAnswered in [false, true] {
            if isAnswered { try user.succeed("run", Self.app, "--answers", "answers.json") }
            let result = try user.doorstep(command + ["--json"])
            #expect([0, 1].contains(result.status) && result.errors.isEmpty, "\(result.testDescription)")
            #expect(result.output.hasPrefix("{\n  \"version\": 1,\n") && result.output.hasSuffix("}\n"))
            let object = try TestUser.object(result.output)
            #expect(object["version"] as? Int == 1)
            #expect(keys.isSubset(of: object.keys), "\(command): \(object.keys.sorted())")
            #expect(user.hasSuite == isAnswered)
        }
    }

    @Test("every subcommand that reads takes --json")
    func everyReadingCommand() throws {
        let user = try user()
        for name in [
            "validate", "apps", "show", "needs", "plan", "value", "profile", "reconcile", "plugins", "probe", "status",
        ] {
            #expect(try user.doorstep(name, "--help").output.contains("--json"), "\(name)")
        }
    }

    @Test("plan lists the pages in order, each with its rules")
    func plan() throws {
        let pages = try #require(try user().json("plan", Self.app)["pages"] as? [[String: Any]])
        #expect(pages.map { $0["plugin"] as? String } == ["welcome", "profile", "profile", "info"])
        #expect(pages.map { $0["isWelcome"] as? Bool } == [true, false, false, false])
        #expect(pages.map { $0["required"] as? Bool } == [false, true, false, false])
        #expect(pages.map { $0["skippable"] as? Bool } == [false, false, true, true])
        #expect(pages.map { $0["id"] as? String }[3] == "com.example.aurora.tips")
    }

    @Test("show and value tell true, false and null apart, with who answered")
    func triState() throws {
        let user = try user()
        try user.succeed("record", Self.app, "\(Self.app).tips", "false", "--origin", "admin")
        try user.succeed("record", Self.app, "\(Self.app).profile.age", "true")
        let steps = try #require(try user.json("show", Self.app)["steps"] as? [[String: Any]])
        #expect(steps.map { $0["value"] as? Bool } == [nil, nil, true, false])
        #expect(steps.map { $0["value"] is NSNull } == [true, true, false, false])
        #expect(steps.map { $0["origin"] as? String } == [nil, nil, "user", "admin"])
        #expect(try user.json("value", Self.app, "\(Self.app).tips")["value"] as? Bool == false)
        #expect(try user.json("value", Self.app, "\(Self.app).welcome")["value"] is NSNull)
    }

    @Test("status names each app's need and next step, and what is wrong with the others")
    func status() throws {
        let user = try user()
        try user.drop(TestManifest("com.example.done", steps: []))
        try user.write("{", to: user.registry + "/com.example.broken.json")
        let status = try user.json("status")
        let apps = try #require(status["apps"] as? [[String: Any]])
        #expect(apps.map { $0["app"] as? String } == ["com.example.aurora", "com.example.done"])
        #expect(apps.map { $0["needsOnboarding"] as? Bool } == [true, false])
        #expect(apps.map { $0["allRequiredSatisfied"] as? Bool } == [false, true])
        #expect(apps.map { $0["nextStep"] as? String } == ["com.example.aurora.profile.name", nil])
        let problems = try #require(status["problems"] as? [[String: Any]])
        #expect(problems.map { $0["app"] as? String } == ["com.example.broken"])
        #expect(try user.doorstep("status").errors.contains("com.example.broken.json"))
    }

    @Test("texts with quotes, line ends and every script come back as they were")
    func texts() throws {
        let name = "A \"quoted\" \\ name\n愛 أ 👩‍👩‍👧 \u{2028}end"
        var manifest = TestManifest.aurora()
        manifest.members["name"] = .string(name)
        let user = try TestUser(manifest)
        #expect(try user.json("show", Self.app)["name"] as? String == name)
        let answers: JSONValue = ["com.example.aurora.profile.name": ["name": .string("Zoë \"Z\" 愛子")]]
        try user.write(answers.serialized(.pretty), to: "answers.json")
        try user.succeed("run", Self.app, "--answers", "answers.json")
        let inputs = try #require(try user.json("profile", Self.app)["inputs"] as? [String: Any])
        #expect(inputs["name"] as? String == "Zoë \"Z\" 愛子")
    }
}
