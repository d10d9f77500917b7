import Foundation
import Testing

/// A step as a policy case has it before the policy comes.
struct PolicyCase: Sendable, CustomTestStringConvertible {
    /// What the policy says.
    enum Rule: String, Sendable, CaseIterable { case skip, preset, lock }
    /// What the step is.
    enum State: String, Sendable, CaseIterable { case unanswered, answered, required, onFinish, oldRevision }

    let rule: Rule
    let state: State
    /// What the step then answers.
    let value: String
    /// Whether its page is still planned.
    var isPlanned = false

    var testDescription: String { "\(rule) on a step that is \(state)" }

    /// The rule's value is false for a preset and a lock, and every record is true.
    static let all = [
        PolicyCase(rule: .skip, state: .unanswered, value: "false"),
        PolicyCase(rule: .skip, state: .answered, value: "true"),
        PolicyCase(rule: .skip, state: .required, value: "false"),
        PolicyCase(rule: .skip, state: .onFinish, value: "false"),
        PolicyCase(rule: .skip, state: .oldRevision, value: "false"),
        PolicyCase(rule: .preset, state: .unanswered, value: "false"),
        PolicyCase(rule: .preset, state: .answered, value: "true"),
        PolicyCase(rule: .preset, state: .required, value: "false"),
        PolicyCase(rule: .preset, state: .onFinish, value: "false"),
        PolicyCase(rule: .preset, state: .oldRevision, value: "false"),
        PolicyCase(rule: .lock, state: .unanswered, value: "false"),
        PolicyCase(rule: .lock, state: .answered, value: "false"),
        PolicyCase(rule: .lock, state: .required, value: "false"),
        PolicyCase(rule: .lock, state: .onFinish, value: "false"),
        PolicyCase(rule: .lock, state: .oldRevision, value: "false"),
    ]
}

@Suite("Policy")
struct PolicyTests {
    private static let app = "com.example.aurora"
    private static let step = "com.example.aurora.tips"

    private func user(_ state: PolicyCase.State) throws -> TestUser {
        func manifest(_ revision: Int) -> TestManifest {
            TestManifest(
                Self.app, commit: state == .onFinish ? "onFinish" : "eachStep",
                steps: [
                    TestManifest.info(Self.step, required: state == .required, revision: revision),
                    TestManifest.info("com.example.aurora.last"),
                ])
        }
        let user = try TestUser(manifest(1))
        if state == .answered || state == .oldRevision { try user.succeed("record", Self.app, Self.step, "true") }
        if state == .oldRevision { try user.drop(manifest(2)) }
        return user
    }

    private func policy(_ user: TestUser, _ rule: String, file: String = "10.json") throws {
        try user.write(
            #"{ "format": 1, "rules": [ { "app": "com.example.*", "step": "*.tips", \#(rule) } ] }"#,
            to: "policy.d/\(file)")
    }

    private func run(_ user: TestUser, _ arguments: String...) throws -> CommandResult {
        try user.doorstep(arguments, environment: ["DOORSTEP_POLICY_PATH": user.directory + "/policy.d"])
    }

    @Test("a policy stands over the record, and taking it away restores what was there", arguments: PolicyCase.all)
    func overlays(_ example: PolicyCase) throws {
        let user = try user(example.state)
        let before = try user.doorstep("show", Self.app, "--json").output
        let bytes = user.hasSuite ? try user.suiteBytes : nil
        try policy(user, example.rule == .skip ? #""skip": true"# : #""\#(example.rule)": false"#)
        #expect(try run(user, "value", Self.app, Self.step).output == example.value + "\n")
        let plan = try TestUser.object(try run(user, "plan", Self.app, "--json").output)
        let planned = try #require(plan["pages"] as? [[String: Any]]).compactMap { $0["id"] as? String }
        #expect(planned == ["com.example.aurora.last"])
        // The gate and the pager see it too.
        #expect(try run(user, "needs", Self.app).status == 0)
        #expect(try run(user, "reconcile", Self.app, "--include-declined").status == 0)
        let unmet = try TestUser.object(try run(user, "plan", Self.app, "--unmet", "--json").output)
        let asked = try #require(unmet["pages"] as? [[String: Any]]).compactMap { $0["id"] as? String }
        #expect(asked == (example.state == .required && example.rule == .preset ? [Self.step] : []))
        #expect(user.hasSuite ? try user.suiteBytes == bytes : bytes == nil)
        try FileManager.default.removeItem(atPath: user.directory + "/policy.d/10.json")
        #expect(try user.doorstep("show", Self.app, "--json").output == before)
        // A showing under the policy finishes, and writes nothing of it.
        try policy(user, example.rule == .skip ? #""skip": true"# : #""\#(example.rule)": false"#)
        let answers = try user.write(#"{ "com.example.aurora.last": true }"#, to: "answers.json")
        #expect(try run(user, "run", Self.app, "--answers", answers).status == 0)
        #expect(try run(user, "needs", Self.app).status == 1)
        #expect(try user.rows("SELECT count(*) FROM records WHERE origin = 'policy'") == [["0"]])
        let own = try user.rows("SELECT value FROM records WHERE step = '\(Self.step)'")
        #expect(own == (example.state == .answered || example.state == .oldRevision ? [["1"]] : []))
    }

    @Test("the audit shows the policy's answer, its file, and the user's own record under it")
    func audited() throws {
        let user = try user(.answered)
        try policy(user, #""lock": false"#)
        let audit = try TestUser.object(try run(user, "audit", "--json").output)
        let apps = try #require(audit["apps"] as? [[String: Any]])
        let step = try #require((apps[0]["steps"] as? [[String: Any]])?.first)
        #expect(step["value"] as? Bool == false && step["origin"] as? String == "policy")
        #expect((step["evidence"] as? String)?.hasSuffix("policy.d/10.json") == true)
        #expect((step["recorded"] as? [String: Any])?["value"] as? Bool == true)
    }

    /// A user whose step is locked to the answer that it has, and an export that says otherwise.
    private func lockedUser() throws -> (user: TestUser, other: String) {
        let user = try user(.answered)
        let export = try user.succeed("export").output
        let other = try user.write(
            export.replacing(#""value":true"#, with: #""value":false"#).replacing(#""at":1"#, with: #""at":2"#),
            to: "other.jsonl")
        try policy(user, #""lock": true"#)
        return (user, other)
    }

    @Test(
        "a lock refuses, naming the step and the file, and nothing is written",
        arguments: [
            ["record", app, step, "false"], ["record", app, step, "false", "--origin", "admin"], ["clear", app, step],
            ["reset", app], ["import", "other.jsonl"], ["import", "other.jsonl", "--dry-run"],
            ["import", "other.jsonl", "--keep", "imported"],
        ])
    func refused(way: [String]) throws {
        let (user, _) = try lockedUser()
        let bytes = try user.suiteBytes
        let result = try user.doorstep(way, environment: ["DOORSTEP_POLICY_PATH": user.directory + "/policy.d"])
        #expect(result.status == 77, "\(result.testDescription)")
        #expect(result.errors.contains(Self.step) && result.errors.contains("policy.d/10.json"))
        #expect(result.errors.contains("--skip-locked") == (way[0] == "import"))
        #expect(try user.suiteBytes == bytes)
    }

    @Test("an import that leaves out what is locked brings the rest")
    func importSkippingLocked() throws {
        let (user, other) = try lockedUser()
        let line =
            #"{"kind":"record","prefix":"\#(Self.app).","step":"\#(Self.app).last","value":true,"revision":1,"origin":"user","at":5}"#
        try user.write(try String(contentsOfFile: other, encoding: .utf8) + line + "\n", to: "other.jsonl")
        #expect(try run(user, "import", other, "--skip-locked").output.contains("1 locked and left out"))
        #expect(try run(user, "value", Self.app, Self.step).output == "true\n")
        #expect(
            try user.rows("SELECT step, value FROM records ORDER BY step") == [
                ["\(Self.app).last", "1"], [Self.step, "1"],
            ])
    }

    @Test("signing out leaves a locked step's record alone, and says so")
    func signOut() throws {
        let (user, _) = try lockedUser()
        #expect(try run(user, "sign-out", Self.app).output.contains("still locked: \(Self.step) to true"))
        #expect(try run(user, "value", Self.app, Self.step).output == "true\n")
        #expect(try user.rows("SELECT step, value FROM records") == [[Self.step, "1"]])
    }

    @Test("a showing passes a locked step over, answered ahead or at a terminal")
    func showing() throws {
        let (user, _) = try lockedUser()
        let variables = ["DOORSTEP_POLICY_PATH": user.directory + "/policy.d"]
        let answers = try user.write(#"{ "\#(Self.step)": false }"#, to: "answers.json")
        #expect(try run(user, "run", Self.app, "--answers", answers).status == 0)
        #expect(try run(user, "value", Self.app, Self.step).output == "true\n")
        #expect(try user.rows("SELECT value FROM records WHERE step = '\(Self.step)'") == [["1"]])
        try user.succeed("reset", Self.app)
        let shown = try TerminalRun(user, "run", Self.app, environment: variables.mapValues { $0 })
        try shown.wait(for: "Your choice [1]: ")
        #expect(shown.shown.contains("1 of 1"), "\(shown.shown)")
        shown.cutPower()
        #expect(try run(user, "value", Self.app, Self.step).output == "true\n")
    }

    @Test("later files override earlier ones key by key, and null takes a key back")
    func laterFiles() throws {
        let user = try user(.unanswered)
        try policy(user, #""preset": true, "lock": false"#, file: "10.json")
        #expect(try run(user, "value", Self.app, Self.step).output == "false\n")
        try policy(user, #""lock": null"#, file: "20.json")
        #expect(try run(user, "value", Self.app, Self.step).output == "true\n")
        #expect(try run(user, "record", Self.app, Self.step, "false").status == 0)
        #expect(try run(user, "value", Self.app, Self.step).output == "false\n")
    }

    /// The findings of an audit under the policy, with the audit's status.
    private func findings(_ user: TestUser, _ arguments: String...) throws -> (list: [[String: Any]], status: Int32) {
        let result = try user.doorstep(
            ["audit", "--json"] + arguments, environment: ["DOORSTEP_POLICY_PATH": user.directory + "/policy.d"])
        return (try #require(try TestUser.object(result.output)["findings"] as? [[String: Any]]), result.status)
    }

    @Test func `a rule that concerns no registered app or step is named with what it may mean, and is no finding`()
        throws
    {
        let user = try user(.unanswered)
        try user.drop(TestManifest("com.example.basalt", steps: [TestManifest.info("com.example.basalt.a")]))
        try user.write(
            """
            { "format": 1, "rules": [
            { "app": "com.exampel.aurora", "step": "*", "lock": true },
            { "app": "com.exampel.aurora", "step": "\(Self.step)", "lock": true },
            { "app": "\(Self.app)", "step": "\(Self.app).tisp", "skip": true },
            { "app": "com.example.*", "step": "*.tpis", "skip": true },
            { "app": "org.elsewhere.app", "step": "*", "skip": true },
            { "app": "com.*", "step": "*.tips", "preset": true } ] }
            """, to: "policy.d/10.json")
        let shown = try run(user, "policy")
        let warnings = shown.errorLines.filter { $0.hasPrefix("warning: a rule of the policy ") }
        #expect(shown.status == 0 && warnings.count == 4, "\(shown.testDescription)")
        #expect(warnings[0].hasSuffix("no app \"com.exampel.aurora\" is registered; did you mean \"\(Self.app)\"?"))
        #expect(warnings[1].hasSuffix("has a step \"\(Self.app).tisp\"; did you mean \"\(Self.step)\"?"))
        #expect(warnings[2].hasSuffix("has a step \"*.tpis\"; did you mean \"*.tips\"?"))
        #expect(warnings[3].hasSuffix("no app \"org.elsewhere.app\" is registered"))
        #expect(try run(user, "policy", "com.example.basalt").errorLines.count == 1)
        #expect(try run(user, "policy", Self.app).errorLines.count == 3)
        let json = try TestUser.object(try run(user, "policy", "--json").output)
        let unmatched = try #require(json["unmatched"] as? [[String: Any]])
        #expect(unmatched.map { $0["nearest"] as? String } == [Self.app, Self.step, "*.tips", nil])
        let audit = try findings(user)
        #expect(audit.list.map { $0["code"] as? String } == Array(repeating: "unmatched-policy", count: 4))
        #expect(audit.status == 0 && audit.list.allSatisfy { $0["note"] as? Bool == true })
        #expect(try findings(user, "--app", "com.example.basalt").list.count == 1)
        #expect(try findings(user, "--app", Self.app).list.count == 3)
        // A manifest that can't be used may be the one that is meant.
        try user.write("{", to: "\(user.registry)/org.elsewhere.app.json")
        #expect(try run(user, "policy").errorLines.filter { $0.contains("org.elsewhere.app\" is") }.isEmpty)
    }

    @Test func `a bad file is one finding, whatever its rules name, and none of an app that they don't`() throws {
        let user = try user(.unanswered)
        try user.drop(TestManifest("com.example.basalt", steps: [TestManifest.info("com.example.basalt.a")]))
        try user.write(
            """
            { "format": 1, "rules": [
            { "app": "\(Self.app)", "step": "*", "lock": "yes" }, { "app": "com.example.other", "step": "*", "lock": true },
            { "app": "org.*", "step": "*", "lock": true } ] }
            """, to: "policy.d/10.json")
        let found = try findings(user)
        #expect(found.list.map { $0["code"] as? String } == ["invalid-policy"] && found.status == 1)
        // What the rule says is wrong, so it isn't said that it says nothing.
        let message = try #require(found.list[0]["message"] as? String)
        #expect(message.contains("true, false or null") && !message.contains("says nothing"))
        #expect(try findings(user, "--app", Self.app).list.count == 1)
        #expect(try findings(user, "--app", "com.example.basalt").list.isEmpty)
        let only = try run(user, "audit", "--finding", "invalid-policy")
        #expect(only.lines.contains { $0.hasPrefix("invalid-policy: ") }, "\(only.testDescription)")
        // With the rows of the apps that it names.
        #expect(only.output.contains("\(Self.app).") && !only.output.contains("com.example.basalt."))
    }

    @Test("an invalid file is reported, only it is ignored, and --strict refuses")
    func invalid() throws {
        let user = try user(.unanswered)
        try policy(user, #""lock": true"#, file: "10.json")
        try policy(user, #""lokc": false"#, file: "20.json")
        #expect(try run(user, "value", Self.app, Self.step).output == "true\n")
        let shown = try run(user, "policy")
        #expect(shown.status == 0 && shown.errors.contains("20.json") && shown.errors.contains("lock"))
        #expect(try run(user, "policy", "--strict").status == 65)
        let audit = try run(user, "audit")
        #expect(audit.status == 1 && audit.output.contains("invalid-policy") && audit.output.contains("20.json"))
        #expect(try run(user, "audit", "--strict").status == 65)
    }

    @Test(
        "every command that applies policies names an invalid file once, and refuses it with --strict",
        arguments: [
            ["record", app, step, "true"], ["clear", app, step], ["reset", app], ["sign-out", app],
            ["value", app, step],
            ["show", app], ["status"], ["plan", app], ["reconcile", app], ["policy"], ["import", "export.jsonl"],
            ["run", app, "--answers", "answers.json"],
        ])
    func invalidToldByAll(command: [String]) throws {
        let user = try user(.answered)
        try user.write(try user.succeed("export").output, to: "export.jsonl")
        try user.write("{}", to: "answers.json")
        try policy(user, #""lokc": false"#, file: "20.json")
        let bytes = try user.suiteBytes
        let variables = ["DOORSTEP_POLICY_PATH": user.directory + "/policy.d"]
        let refused = try user.doorstep(command + ["--strict"], environment: variables)
        #expect(refused.status == 65 && refused.errors.contains("20.json"), "\(refused.testDescription)")
        #expect(try user.suiteBytes == bytes)
        let result = try user.doorstep(command, environment: variables)
        #expect(result.status == 0, "\(result.testDescription)")
        let told = result.errorLines.filter { $0.hasPrefix("warning: policy ignored: ") && $0.contains("lokc") }
        #expect(told.count == 1, "\(result.testDescription)")
    }

    @Test("the gate tells of an invalid file only where it was asked to speak")
    func gate() throws {
        let user = try user(.unanswered)
        try policy(user, #""lokc": false"#, file: "20.json")
        let silent = try run(user, "needs", Self.app)
        #expect(silent.status == 0 && silent.errors.isEmpty && silent.output.isEmpty)
        #expect(try run(user, "needs", Self.app, "--verbose").errors.contains("20.json"))
    }
}
