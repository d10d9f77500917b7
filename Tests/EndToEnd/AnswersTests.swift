import Foundation
import Testing

@Suite("Running without somebody at the keyboard")
struct AnswersTests {
    private static let app = "com.example.aurora"
    private static let pages = ["welcome", "profile.name", "profile.age", "tips"].map { "com.example.aurora.\($0)" }

    /// What `run --answers` does with these answers.
    private func answer(_ user: TestUser, _ answers: String) throws -> CommandResult {
        try user.doorstep("run", Self.app, "--answers", user.write(answers, to: "answers.json"))
    }

    @Test("answers come from standard input too, and mistakes in them name it")
    func standardInput() throws {
        let user = try TestUser(.aurora())
        func run(_ answers: String) throws -> CommandResult {
            try CommandRunner.run(
                [
                    "/bin/sh", "-c", #"printf %s "$1" | "$0" run com.example.aurora --answers -"#,
                    CommandRunner.doorstep, answers,
                ],
                environment: user.environment, directory: user.directory)
        }
        let faulty = try run(#"{ "com.example.aurora.profile.name": { "name": 7 } }"#)
        #expect(faulty.status == 65 && faulty.errors.hasPrefix("error: -: "), "\(faulty.testDescription)")
        let broken = try run("{")
        #expect(broken.status == 65 && broken.errors.contains("line 1"), "\(broken.testDescription)")
        #expect(!user.hasSuite)
        let result = try run(#"{ "com.example.aurora.profile.name": { "name": "Ada Lovelace" } }"#)
        #expect(result.status == 0, "\(result.testDescription)")
        #expect(try user.succeed("profile", "com.example.aurora").output.contains("Ada Lovelace"))
    }

    @Test("without a terminal and with nothing pending there is nothing to do")
    func nothingPending() throws {
        let user = try TestUser(TestManifest("com.example.empty", steps: []))
        let result = try user.doorstep("run", "com.example.empty")
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.testDescription)")
        #expect(!user.hasSuite)
    }

    @Test("without a terminal pending pages are named, and nothing is recorded", arguments: [[], ["--ui", "plain"]])
    func noTerminal(options: [String]) throws {
        let user = try TestUser(.aurora())
        let result = try user.doorstep(["run", Self.app] + options)
        #expect(result.status == 69 && result.output.isEmpty, "\(result.testDescription)")
        #expect(
            result.errors.hasSuffix("pending: \(Self.pages.joined(separator: ", "))\n"), "\(result.testDescription)")
        #expect(!user.hasSuite)
    }

    @Test("an answers file answers every page in one go, and steps that it doesn't name are moved past")
    func happyPath() throws {
        let user = try TestUser(.aurora())
        let result = try answer(user, #"{ "com.example.aurora.profile.name": { "name": "Ada Lovelace" } }"#)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.testDescription)")
        let records = "SELECT step, value, origin FROM records ORDER BY step"
        #expect(
            try user.rows(records) == [
                [Self.pages[2], "0", "leaving"], [Self.pages[1], "1", "user"], [Self.pages[3], "0", "leaving"],
                [Self.pages[0], "1", "leaving"],
            ])
        #expect(try user.rows("SELECT key, type, value FROM inputs") == [["name", "text", "Ada Lovelace"]])
    }

    @Test("every kind of answer is taken: true, false, and inputs of each type")
    func kindsOfAnswers() throws {
        let user = try TestUser(.aurora(commit: "onFinish"))
        let result = try answer(
            user,
            #"""
            { "com.example.aurora.welcome": true, "com.example.aurora.profile.name": { "name": "愛" },
              "com.example.aurora.profile.age": { "age": 61 }, "com.example.aurora.tips": false }
            """#)
        // Three characters are asked for, and this is one.
        #expect(result.status == 65 && !user.hasSuite, "\(result.testDescription)")
        let accepted = try answer(
            user,
            #"""
            { "com.example.aurora.welcome": true, "com.example.aurora.profile.name": { "name": "愛子さん" },
              "com.example.aurora.profile.age": { "age": 61 }, "com.example.aurora.tips": false }
            """#)
        #expect(accepted.status == 0, "\(accepted.testDescription)")
        let inputs = try #require(try user.json("profile", Self.app)["inputs"] as? [String: Any])
        #expect(inputs["name"] as? String == "愛子さん" && inputs["age"] as? Int == 61)
        // With one commit at the end every answer carries the same time.
        #expect(try user.rows("SELECT count(*), count(DISTINCT at) FROM history") == [["4", "1"]])
    }

    @Test("every fault is told at once, and nothing is written")
    func everyFault() throws {
        let user = try TestUser(.aurora())
        let result = try answer(
            user,
            #"""
            { "com.example.aurora.profile.nam": true, "com.example.aurora.profile.name": { "nmae": "x", "name": "Al" },
              "com.example.aurora.profile.age": { "age": "old" }, "com.example.aurora.tips": 3,
              "com.example.aurora.welcome": false }
            """#)
        #expect(result.status == 65 && result.output.isEmpty)
        #expect(result.errorLines.count == 6, "\(result.testDescription)")
        for part in [
            "did you mean \"com.example.aurora.profile.name\"?", "did you mean \"name\"?", "3", "must be an integer",
            "must be true, false, or an object", "can't be declined",
        ] {
            #expect(result.errors.contains(part), "\(part): \(result.testDescription)")
        }
        #expect(result.errorLines.allSatisfy { $0.hasPrefix("error: ") && $0.contains("answers.json: ") })
        #expect(!result.errors.contains("\"Al\"") && !result.errors.contains("old"), "values are nobody's business")
        #expect(!user.hasSuite)
    }

    @Test("a step that needs an input and gets none is a fault")
    func missingInput() throws {
        let user = try TestUser(.aurora())
        for answers in ["{}", #"{ "com.example.aurora.profile.name": true }"#] {
            let result = try answer(user, answers)
            #expect(result.status == 65 && result.errors.contains("this input is needed"), "\(result.testDescription)")
        }
        #expect(!user.hasSuite)
    }

    @Test(
        "a file that is no answers file is 65, with the place of the mistake", arguments: ["", "[1]", "{\n  \"a\": }"])
    func notAnswers(text: String) throws {
        let user = try TestUser(.aurora())
        let result = try answer(user, text)
        #expect(result.status == 65 && result.errors.contains("answers.json"), "\(result.testDescription)")
        if text.hasPrefix("{") { #expect(result.errors.contains("line 2"), "\(result.testDescription)") }
        #expect(!user.hasSuite)
    }

    @Test("a required step that was declined can be answered after all with --unmet")
    func unmet() throws {
        let step = TestManifest.info("com.example.basalt.terms", required: true)
        let user = try TestUser(TestManifest("com.example.basalt", steps: [step]))
        try user.succeed("record", "com.example.basalt", "com.example.basalt.terms", "false")
        #expect(try user.doorstep("needs", "com.example.basalt").status == 1)
        #expect(try user.json("show", "com.example.basalt")["allRequiredSatisfied"] as? Bool == false)
        #expect(try user.doorstep("run", "com.example.basalt").status == 0)
        #expect(try user.doorstep("run", "com.example.basalt", "--unmet").status == 69)
        let answers = try user.write(#"{ "com.example.basalt.terms": true }"#, to: "answers.json")
        try user.succeed("run", "com.example.basalt", "--unmet", "--answers", answers)
        #expect(try user.json("show", "com.example.basalt")["allRequiredSatisfied"] as? Bool == true)
    }
}
