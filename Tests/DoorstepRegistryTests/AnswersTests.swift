import Doorstep
import DoorstepJSON
import DoorstepRegistry
import DoorstepSQLite
import Foundation
import Testing

@Suite struct `Answers from a file` {
    /// Answers a showing of an app of the family from a file's text.
    @discardableResult
    func answer(_ app: String, _ text: String, in household: Household) async throws -> OnboardingFlow {
        let suite = try household.suite()
        let showing = try await PreparedShowing(
            household.registry.app(app), in: suite,
            reconciler: Reconciler(environment: ["LANG": "de_DE.UTF-8"], timeout: .seconds(60)))
        try await AnswersFile(JSONValue(parsing: text)).answer(showing)
        return try household.registry.flow(for: app, in: suite)
    }

    func family() throws -> Household {
        let household = try Household()
        try household.putFamily()
        return household
    }

    /// The faults that the answers have, after a look that nothing was written.
    func faults(_ app: String, _ text: String) async throws -> [String] {
        let household = try family()
        do {
            try await answer(app, text, in: household)
        } catch AnswersError.invalid(let faults) {
            #expect(!FileManager.default.fileExists(atPath: household.suitePath))
            return faults.faults.map(\.description)
        }
        Issue.record("the answers were accepted")
        return []
    }

    @Test func `every page is answered, and the inputs are kept`() async throws {
        let household = try family()
        let flow = try await answer(
            "com.example.aurora",
            """
            { "com.example.aurora.welcome": true, "com.example.aurora.profile.name": { "name": "Ada" },
              "com.example.aurora.profile.age": { "age": 36 }, "com.example.aurora.profile.gender": { "gender": "female" },
              "com.example.aurora.reqs.notifications": true, "com.example.aurora.reqs.location": false,
              "com.example.aurora.info.tips": true }
            """, in: household)
        #expect(!flow.needsOnboarding && flow.allRequiredSatisfied)
        #expect(flow.value(for: "com.example.aurora.reqs.location") == false)
        #expect(flow.records.values.allSatisfy { $0.origin == .user })
        #expect(
            try flow.storage.inputs() == [
                "com.example.aurora.profile.name": ["name": .text("Ada")],
                "com.example.aurora.profile.age": ["age": .integer(36)],
                "com.example.aurora.profile.gender": ["gender": .text("female")],
            ])
    }

    @Test func `all of them are written in one transaction`() async throws {
        let household = try family()
        let suite = try household.suite()
        let app = try household.registry.app("com.example.aurora")
        let flow = try app.flow(in: suite)
        try flow.record(true, for: "com.example.aurora.welcome")
        let before = try #require(try flow.storage.mark())
        let showing = try await PreparedShowing(
            app, in: suite, reconciler: Reconciler(environment: ["LANG": "C"], timeout: .seconds(60)))
        let answers = #"{ "com.example.aurora.profile.name": { "name": "Ada" }, "com.example.aurora.info.tips": true }"#
        try await AnswersFile(JSONValue(parsing: answers)).answer(showing)
        let after = try #require(try flow.storage.mark())
        #expect(after == OnboardingStorageMark(state: before.state, commits: before.commits + 1))
        #expect(try suite.history().count == 7)
    }

    @Test func `a step that isn't named is left as if the user moved past it`() async throws {
        let flow = try await answer(
            "com.example.aurora", #"{ "com.example.aurora.profile.name": { "name": "Ada" } }"#, in: try family())
        #expect(!flow.needsOnboarding)
        let left = flow.records.filter { $0.value.origin == .leaving }.mapValues(\.value)
        #expect(
            left == [
                "com.example.aurora.welcome": true, "com.example.aurora.profile.age": false,
                "com.example.aurora.profile.gender": false, "com.example.aurora.reqs.notifications": false,
                "com.example.aurora.reqs.location": false, "com.example.aurora.info.tips": true,
            ])
    }

    @Test func `true takes the values that the fields hold from the start`() async throws {
        let household = try family()
        let flow = try await answer(
            "com.example.trailmates",
            #"{ "com.example.trailmates.name": { "name": "Ada" }, "com.example.trailmates.age": true }"#,
            in: household)
        #expect(try flow.storage.inputs()["com.example.trailmates.age"] == ["age": .integer(50)])
    }

    @Test func `answers for steps that were answered before are checked and change nothing`() async throws {
        let household = try family()
        let all = #"{ "com.example.trailmates.name": { "name": "Ada" } }"#
        let before = try await answer("com.example.trailmates", all, in: household).records
        let again =
            #"{ "com.example.trailmates.name": { "name": "Grace" }, "com.example.trailmates.age": { "age": 20 } }"#
        let flow = try await answer("com.example.trailmates", again, in: household)
        #expect(flow.records == before)
        #expect(try flow.storage.inputs()["com.example.trailmates.name"] == ["name": .text("Ada")])
        await #expect(throws: AnswersError.self) {
            try await answer(
                "com.example.trailmates", #"{ "com.example.trailmates.age": { "age": 1 } }"#, in: household)
        }
    }

    @Test func `every mistake is told at once, and nothing is written`() async throws {
        let found = try await faults(
            "com.example.aurora",
            """
            { "com.example.aurora.welcome": false, "com.example.aurora.profile.nam": true,
              "com.example.aurora.profile.age": { "age": 17, "agee": 3 },
              "com.example.aurora.profile.gender": { "gender": 1 }, "com.example.aurora.reqs.notifications": "yes",
              "com.example.aurora.info.tips": false }
            """)
        #expect(
            found == [
                #"["com.example.aurora.welcome"]: this step can't be declined; accepted are true or an object of its inputs"#,
                #"["com.example.aurora.profile.nam"]: "com.example.aurora" has no step "com.example.aurora.profile.nam" (did you mean "#
                    + #""com.example.aurora.profile.name"?); accepted are "com.example.aurora.welcome", "#
                    + #""com.example.aurora.profile.name", "com.example.aurora.profile.age", "#
                    + #""com.example.aurora.profile.gender", "com.example.aurora.reqs.notifications", "#
                    + #""com.example.aurora.reqs.location", "com.example.aurora.info.tips""#,
                #"["com.example.aurora.profile.age"].age: its field refuses this value, saying "Please give a number from 18 to 100.""#,
                #"["com.example.aurora.profile.age"].agee: this key is unknown (did you mean "age"?); accepted are "age""#,
                #"["com.example.aurora.profile.gender"].gender: this is an integer; it must be a string"#,
                #"["com.example.aurora.reqs.notifications"]: this is a string; it must be true, false, or an object of inputs by key"#,
                #"["com.example.aurora.info.tips"]: this step can't be declined; accepted are true or an object of its inputs"#,
                #"["com.example.aurora.profile.name"].name: this input is needed and has no default; give it a value"#,
            ])
    }

    @Test(arguments: [
        #"{ "com.example.aurora.profile.name": true }"#, #"{ "com.example.aurora.profile.name": {} }"#, "{}",
    ])
    func `a step that needs an input and gets none is a mistake`(answers: String) async throws {
        let found = try await faults("com.example.aurora", answers)
        #expect(
            found == [
                #"["com.example.aurora.profile.name"].name: this input is needed and has no default; give it a value"#
            ])
    }

    @Test func `no fault repeats a value, which may be personal`() async throws {
        let found = try await faults(
            "com.example.aurora",
            """
            { "com.example.aurora.profile.name": { "name": "\\u0007Sq" }, "com.example.aurora.profile.age": { "age": 9973 },
              "com.example.aurora.profile.gender": { "gender": "quokka" }, "com.example.aurora.info.tips": "wombat" }
            """)
        #expect(found.count == 4)
        for value in ["Sq", "9973", "quokka", "wombat"] { #expect(!found.joined().contains(value)) }
    }

    @Test func `a step without inputs takes none`() async throws {
        let found = try await faults(
            "com.example.aurora",
            #"{ "com.example.aurora.profile.name": { "name": "Ada" }, "com.example.aurora.info.tips": { "read": true } }"#
        )
        #expect(found == [#"["com.example.aurora.info.tips"].read: this key is unknown; none is accepted here"#])
    }

    @Test(arguments: ["[]", "true", "null", #""com.example.aurora.welcome""#])
    func `anything but an object is refused`(text: String) throws {
        #expect(throws: AnswersError.self) { try AnswersFile(JSONValue(parsing: text)) }
    }
}
