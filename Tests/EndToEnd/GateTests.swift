import DoorstepJSON
import Foundation
import Testing

@Suite("The launch gate")
struct GateTests {
    private static let app = "com.example.aurora"
    private static let answers = #"""
        { "com.example.aurora.profile.name": { "name": "Ada Lovelace" }, "com.example.aurora.tips": true }
        """#

    /// A user who has finished Aurora's flow.
    private func returningUser() throws -> TestUser {
        let user = try TestUser(.aurora())
        try user.succeed("run", Self.app, "--answers", user.write(Self.answers, to: "answers.json"))
        return user
    }

    @Test("onboarding is needed until the flow is finished, and then never again")
    func finished() throws {
        let user = try TestUser(.aurora())
        #expect(try user.doorstep("needs", Self.app).status == 0)
        try user.succeed("run", Self.app, "--answers", user.write(Self.answers, to: "answers.json"))
        #expect(try user.doorstep("needs", Self.app).status == 1)
        #expect(try user.doorstep("plan", Self.app).output == "com.example.aurora: nothing to record or show\n")
        #expect(try user.succeed("run", Self.app).status == 0)
    }

    @Test("a step that is added a year later is the only one that a returning user sees")
    func addedStep() throws {
        let user = try returningUser()
        var manifest = TestManifest.aurora()
        manifest.steps.append(TestManifest.info("com.example.aurora.news"))
        try user.drop(manifest)
        #expect(try user.doorstep("needs", Self.app).status == 0)
        #expect(try pages(user) == ["com.example.aurora.news"])
        try user.succeed("record", Self.app, "com.example.aurora.news", "true")
        #expect(try user.doorstep("needs", Self.app).status == 1)
    }

    @Test("a raised revision asks again, and history keeps the old answer")
    func raisedRevision() throws {
        let user = try returningUser()
        var manifest = TestManifest.aurora()
        manifest.steps[2]["revision"] = 2
        try user.drop(manifest)
        #expect(try user.doorstep("needs", Self.app).status == 0)
        #expect(try pages(user) == ["com.example.aurora.tips"])
        for command in ["plan", "show"] {
            #expect(try user.succeed(command, Self.app).output.contains("answered at revision 1, now 2"))
        }
        #expect(try user.doorstep("value", Self.app, "com.example.aurora.tips").output == "unrecorded\n")
        try user.succeed("record", Self.app, "com.example.aurora.tips", "false")
        #expect(try user.doorstep("needs", Self.app).status == 1)
        let history = "SELECT new, revision FROM history WHERE step = 'com.example.aurora.tips' ORDER BY sequence"
        #expect(try user.rows(history) == [["1", "1"], ["0", "2"]])
    }

    @Test("a removed step leaves its record, which can still be read and cleared")
    func removedStep() throws {
        let user = try returningUser()
        var manifest = TestManifest.aurora()
        manifest.steps.removeLast()
        try user.drop(manifest)
        #expect(try user.doorstep("needs", Self.app).status == 1)
        #expect(try user.doorstep("value", Self.app, "com.example.aurora.tips").output == "true\n")
        try user.succeed("clear", Self.app, "com.example.aurora.tips")
        #expect(try user.doorstep("value", Self.app, "com.example.aurora.tips").status == 66)
    }

    @Test("two apps with the very same step ID keep separate records")
    func separateRecords() throws {
        let user = try TestUser(
            TestManifest("com.example.aurora", steps: [TestManifest.info("tips")]),
            TestManifest("com.example.basalt", steps: [TestManifest.info("tips")]))
        try user.succeed("record", "com.example.aurora", "tips", "true")
        #expect(try user.doorstep("value", "com.example.aurora", "tips").output == "true\n")
        #expect(try user.doorstep("value", "com.example.basalt", "tips").output == "unrecorded\n")
        try user.succeed("record", "com.example.basalt", "tips", "false")
        try user.succeed("reset", "com.example.aurora")
        #expect(try user.doorstep("value", "com.example.aurora", "tips").output == "unrecorded\n")
        #expect(try user.doorstep("value", "com.example.basalt", "tips").output == "false\n")
    }

    @Test("after a registration the suite keeps the new flow, so that the gate needs no manifest")
    func keptFlow() throws {
        let user = try TestUser(.aurora())
        try user.write(TestManifest.aurora().text, to: "com.example.aurora.json")
        try user.succeed("register", "com.example.aurora.json")
        #expect(!user.hasSuite)
        try user.succeed("record", "com.example.aurora", "com.example.aurora.tips", "true")
        let steps = "SELECT count(*) FROM flow_steps"
        let before = try user.rows(steps)
        var changed = TestManifest.aurora()
        changed.steps.append(TestManifest.info("com.example.aurora.more"))
        try user.write(changed.text, to: "com.example.aurora.json")
        try user.succeed("register", "com.example.aurora.json", "--replace")
        #expect(try user.rows(steps) != before)
        let file = user.registry + "/com.example.aurora.json"
        let inode = try #require(
            FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int)
        #expect(try user.rows("SELECT source_inode FROM apps") == [["\(inode)"]])
    }

    @Test("an app can't change its prefix while answers stand under it, and is told so instead of asked for ever")
    func changedPrefix() throws {
        let user = try returningUser()
        let file = "\(user.registry)/\(Self.app).json"
        let before = try String(contentsOfFile: file, encoding: .utf8)
        var changed = TestManifest.aurora()
        changed.members["prefix"] = "com.example.dawn."
        try user.write(changed.text, to: "\(Self.app).json")
        func expectRefusal(_ result: CommandResult) {
            #expect(
                result.status == 65 && result.errors.contains("can't change its prefix to \"com.example.dawn.\""),
                "\(result.testDescription)")
        }
        expectRefusal(try user.doorstep("register", "\(Self.app).json", "--replace"))
        #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
        #expect(try user.doorstep("needs", Self.app).status == 1)
        // A package's manifest is refused by nobody, so the gate has to.
        try user.drop(changed)
        expectRefusal(try user.doorstep("needs", Self.app))
        expectRefusal(try user.doorstep("record", Self.app, "com.example.aurora.tips", "true"))
        #expect(try user.doorstep("status").errors.contains("can't change its prefix"))
        try user.succeed("erase", Self.app)
        #expect(try user.succeed("register", "\(Self.app).json", "--replace").output.contains(Self.app))
        #expect(try user.doorstep("needs", Self.app).status == 0)
    }

    @Test("registering needs no suite, and warns of one that can't be read")
    func unreadableSuite() throws {
        let user = try TestUser(.aurora())
        try user.write("no database", to: user.suite)
        var changed = TestManifest.aurora()
        changed.members["prefix"] = "com.example.dawn."
        try user.write(changed.text, to: "\(Self.app).json")
        let result = try user.doorstep("register", "\(Self.app).json", "--replace")
        #expect(result.status == 0 && result.output.hasPrefix("replaced"), "\(result.testDescription)")
        #expect(result.errors.contains("warning: whether answers stand under an earlier prefix"))
    }

    @Test("an app whose required step was declined is shown with its way out")
    func wayOut() throws {
        let user = try returningUser()
        #expect(try !user.succeed("status").output.contains("--unmet"))
        try user.succeed("record", Self.app, "\(Self.app).profile.name", "false")
        #expect(try user.succeed("status").output.contains("doorstep run \(Self.app) --unmet"))
    }

    @Test("a prefix that overlaps another app's is refused with both names, wherever it comes from")
    func overlappingPrefixes() throws {
        let user = try TestUser(.aurora())
        let intruder = TestManifest("com.example.aurora.pro", steps: [TestManifest.info("tips")])
        let file = try user.write(intruder.text, to: "com.example.aurora.pro.json")
        func expectRefusal(_ result: CommandResult, status: Int32) {
            #expect(result.status == status)
            #expect(result.errors.contains("\"com.example.aurora.pro\""), "\(result)")
            #expect(result.errors.contains("\"com.example.aurora\""), "\(result)")
        }
        expectRefusal(try user.doorstep("validate", file), status: 65)
        expectRefusal(try user.doorstep("register", file), status: 65)
        #expect(try user.doorstep("apps", "--names").lines == ["com.example.aurora"])
        // Two new ones are also held against each other.
        let other = TestManifest("org.example.moth", prefix: "com.example.", steps: [TestManifest.info("tips")])
        let otherFile = try user.write(other.text, to: "org.example.moth.json")
        #expect(try user.doorstep("validate", otherFile).errors.contains("com.example.aurora"))
        // One that a package drops hides nobody else.
        try user.drop(intruder)
        let apps = try user.doorstep("apps")
        expectRefusal(apps, status: 0)
        #expect(apps.lines.count == 2)
        expectRefusal(try user.doorstep("plan", "com.example.aurora.pro"), status: 65)
        #expect(try user.doorstep("plan", "com.example.aurora").status == 0)
    }

    /// The IDs of the pages that `plan` lists.
    private func pages(_ user: TestUser) throws -> [String] {
        let pages = try #require(try user.json("plan", Self.app)["pages"] as? [[String: Any]])
        return pages.compactMap { $0["id"] as? String }
    }

    @Test(arguments: [true, false], ["com.example.aurora", "com.example.aurorra", "", "a b", "é", "help", "-"])
    func `Asked plainly, the gate answers and complains as it does with options`(hasSuite: Bool, app: String) throws {
        let user = try TestUser(.aurora())
        if hasSuite { try user.succeed("record", "com.example.aurora", "com.example.aurora.tips", "true") }
        let plain = try user.doorstep("needs", app)
        let other = try user.doorstep("needs", "--suite", user.suite, app)
        #expect(
            plain.status == other.status && plain.output == other.output && plain.errors == other.errors,
            "\(plain.testDescription)\n\(other.testDescription)")
    }
}
