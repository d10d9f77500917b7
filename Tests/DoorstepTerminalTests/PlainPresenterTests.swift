import Doorstep
import DoorstepTerminal
import Foundation
import Testing

@Suite("The plain presenter")
struct PlainPresenterTests {
    private func pager(
        _ steps: [OnboardingStepConfig], pages: [OnboardingStepID: StepPage] = [:], storage: InMemoryOnboardingStorage,
        mode: OnboardingCommitMode = .eachStep
    ) throws -> OnboardingPager {
        let flow = try OnboardingFlow(steps: steps, storage: storage)
        return try OnboardingPager(flow: flow, commitMode: mode, languages: LanguagePreferences(["en"])) {
            pages[$0.id] ?? StepPage(title: $0.id.rawValue)
        }
    }

    @Test("says nothing where there is nothing to show")
    func empty() async throws {
        let shown = try await Typing().at(pager([], storage: InMemoryOnboardingStorage()))
        #expect(shown.outcome == .finished)
        #expect(shown.output == "")
    }

    @Test("says nothing of a showing that has ended")
    func ended() async throws {
        let pager = try AuroraFlow().pager()
        pager.leave()
        let shown = try await Typing("").at(pager)
        #expect(shown.outcome == .left)
        #expect(shown.output == "")
    }

    @Test("isolates what runs against the reader's language, and nothing else")
    func isolates() async throws {
        func show(_ language: String, heading: String, lowest: Int) async throws -> String {
            let flow = try OnboardingFlow(
                steps: [OnboardingStepConfig(id: "a.one")], storage: InMemoryOnboardingStorage())
            let field = StepField(key: "n", label: "N", kind: .integer(range: lowest...5, step: 1, initial: lowest))
            let pager = try OnboardingPager(flow: flow, languages: LanguagePreferences([language])) { _ in
                StepPage(title: "One", fields: [field])
            }
            return try await Typing().at(pager, heading: heading).output
        }
        #expect(try await show("en", heading: "أورورا", lowest: -5).contains("\u{2068}أورورا\u{2069} · 1 of 1"))
        #expect(try await show("ar", heading: "أورورا", lowest: -5).contains("\nأورورا · 1 من 1"))
        #expect(try await show("ar", heading: "أورورا", lowest: -5).contains("[\u{2068}-5\u{2069}]:"))
        #expect(try await show("ar", heading: "أورورا", lowest: 1).contains("[1]:"))
        #expect(try await !show("en", heading: "Aurora", lowest: -5).contains("\u{2068}"))
    }

    @Test("takes an action by its number, its title, the beginning of it, or its English name")
    func names() async throws {
        for word in ["2", "Skip", "sk", "SKIP", ":skip", " 2 ", "٢", "２"] {
            let storage = InMemoryOnboardingStorage()
            let shown = try await Typing(word).at(pager([OnboardingStepConfig(id: "a.one")], storage: storage))
            #expect(shown.outcome == .finished, "\(word)")
            #expect(try storage.records()["a.one"]?.value == false, "\(word)")
        }
        let aurora = try AuroraFlow(language: "ar")
        let shown = try await Typing("next", "q").at(aurora.pager())
        #expect(shown.outcome == .left)
        #expect(aurora.flow.value(for: AuroraFlow.welcome) == true)
    }

    @Test("finds a right-to-left title without its vowel marks")
    func vowels() async throws {
        let aurora = try AuroraFlow(language: "ar")
        try aurora.flow.record(true, for: AuroraFlow.welcome)
        try aurora.flow.record(true, for: AuroraFlow.profile)
        _ = try await Typing("تخط").at(aurora.pager())
        #expect(aurora.flow.value(for: AuroraFlow.notifications) == false)
    }

    @Test("asks again for what is no action", arguments: ["0", "9", "99999999999999999999", "zebra", "-1", "nexto"])
    func unknown(word: String) async throws {
        let storage = InMemoryOnboardingStorage()
        let shown = try await Typing(word, "").at(pager([OnboardingStepConfig(id: "a.one")], storage: storage))
        #expect(shown.output.contains("That isn’t one of the choices."))
        #expect(try storage.records()["a.one"]?.value == true)
    }

    @Test("doesn't guess between two actions")
    func ambiguous() async throws {
        let storage = InMemoryOnboardingStorage()
        let page = StepPage(title: "One", primary: .complete(title: "Sketch"))
        let shown = try await Typing("sk", "q").at(
            pager([OnboardingStepConfig(id: "a.one")], pages: ["a.one": page], storage: storage))
        #expect(shown.output.contains("That isn’t one of the choices."))
        #expect(try storage.records().isEmpty)
    }

    @Test("offers Skip only where the step allows it")
    func skip() async throws {
        let storage = InMemoryOnboardingStorage()
        let page = StepPage(title: "One", fields: [StepField(key: "on", label: "On", kind: .toggle(initial: true))])
        let shown = try await Typing(":skip", "", "skip", "q").at(
            pager([OnboardingStepConfig(id: "a.one", isSkippable: false)], pages: ["a.one": page], storage: storage))
        #expect(!shown.output.contains("Skip"))
        #expect(shown.output.contains("That isn’t possible on this page."))
        #expect(shown.output.contains("That isn’t one of the choices."))
        #expect(shown.outcome == .left)
        #expect(try storage.records().isEmpty)
    }

    @Test("lets Back change an answer")
    func back() async throws {
        let storage = InMemoryOnboardingStorage()
        let page = StepPage(
            title: "One",
            fields: [StepField(key: "name", label: "Name", kind: .text(length: 1...9, pattern: nil, initial: nil))])
        let shown = try await Typing("Ada", "", "back", "Grace", "", "").at(
            pager(
                [OnboardingStepConfig(id: "a.one"), OnboardingStepConfig(id: "a.two")], pages: ["a.one": page],
                storage: storage))
        #expect(shown.outcome == .finished)
        #expect(shown.output.contains("Answer [Ada]:"))
        #expect(try storage.inputs()["a.one"] == ["name": .text("Grace")])
    }

    @Test("keeps what was answered when the user leaves, and says so")
    func leave() async throws {
        let aurora = try AuroraFlow()
        let shown = try await Typing("", ":quit").at(aurora.pager())
        #expect(shown.outcome == .left)
        #expect(
            shown.output.hasSuffix(
                "Left before the end. The pages answered so far are kept, what was typed on this\none is not.\n"))
        #expect(try Array(aurora.storage.records().keys) == [AuroraFlow.welcome])
        let first = try AuroraFlow()
        let unasked = try await Typing("q").at(first.pager())
        #expect(unasked.output.hasSuffix("Left before the end. What was answered so far is kept.\n"))
    }

    @Test("shows what was stored after the last page, and takes it back only when asked twice")
    func profile() async throws {
        let cases: [([String], PresenterOutcome)] = [
            (["1"], .finished), (["q"], .finished), ([], .finished), (["2", "1", "1"], .finished),
            (["sign out", "q"], .finished), (["2", "2"], .signedOut),
        ]
        for (lines, outcome) in cases {
            let storage = InMemoryOnboardingStorage()
            let pager = try pager([OnboardingStepConfig(id: "a.one")], pages: [:], storage: storage)
            let profile = PresenterProfile(
                entries: { () throws(OnboardingStorageError) in [.init(label: "Name", value: "Ada\u{1B}[2J")] },
                signOut: { () throws(OnboardingStorageError) in try pager.flow.signOut() })
            let typing = Typing(bytes: Array((["1"] + lines).map { $0 + "\n" }.joined().utf8))
            let shown = try await typing.at(pager, session: PresenterSession(profile: profile))
            #expect(shown.outcome == outcome, "\(lines)")
            #expect(shown.output.contains("Your profile\nThis is what was saved.\n\nName: Ada\n\n1) Done  2) Sign Out"))
            #expect(try storage.records().isEmpty == (outcome == .signedOut))
            #expect(shown.output.contains("Signed out.") == (outcome == .signedOut))
        }
    }

    @Test("writes nothing at all when the user leaves a showing that commits at its finish")
    func leaveWithoutTrace() async throws {
        let aurora = try AuroraFlow()
        let pager = try aurora.pager(.onFinish)
        let shown = try await Typing("", "Ada", "", "", "").at(pager)
        #expect(shown.outcome == .left)
        #expect(pager.phase == .left)
        #expect(shown.output.hasSuffix("Left before the end. Nothing was saved.\n"))
        #expect(try aurora.storage.records().isEmpty && aurora.storage.inputs().isEmpty)
    }

    @Test("takes a command for text when a colon stands before it, and other colons as they are")
    func colons() async throws {
        let cases = [("::back", ":back"), (":?", "?"), ("::1", "::1"), (":-)", ":-)"), ("back", "back"), ("::", "::")]
        for (typed, recorded) in cases {
            let storage = InMemoryOnboardingStorage()
            let page = StepPage(
                title: "One",
                fields: [StepField(key: "it", label: "It", kind: .text(length: 1...9, pattern: nil, initial: nil))])
            _ = try await Typing(typed, "").at(
                pager([OnboardingStepConfig(id: "a.one")], pages: ["a.one": page], storage: storage))
            #expect(try storage.inputs()["a.one"] == ["it": .text(recorded)], "\(typed)")
        }
    }

    @Test("empties an optional field and never a needed one")
    func clear() async throws {
        let storage = InMemoryOnboardingStorage()
        func field(_ key: String, isOptional: Bool) -> StepField {
            StepField(
                key: key, label: key, kind: .text(length: 0...9, pattern: nil, initial: "x"), isOptional: isOptional)
        }
        let page = StepPage(title: "One", fields: [field("may", isOptional: true), field("must", isOptional: false)])
        let shown = try await Typing(":clear", ":clear", "", "").at(
            pager([OnboardingStepConfig(id: "a.one")], pages: ["a.one": page], storage: storage))
        #expect(shown.output.contains("Please fill this in."))
        #expect(try storage.inputs()["a.one"] == ["must": .text("x")])
    }

    @Test("says why a plugin's action could not be done, and stays on the page")
    func performFails() async throws {
        let aurora = try AuroraFlow()
        try aurora.flow.record(true, for: AuroraFlow.welcome)
        try aurora.flow.record(true, for: AuroraFlow.profile)
        var asked: [String] = []
        let session = PresenterSession(perform: { (name, id) throws(OnboardingStorageError) in
            asked.append("\(name) \(id)")
            return "The portal isn’t running."
        })
        let shown = try await Typing("allow", "q").at(aurora.pager(), session: session)
        #expect(asked == ["request \(AuroraFlow.notifications)"])
        #expect(shown.output.contains("\nThe portal isn’t running.\n"))
        #expect(shown.output.components(separatedBy: "1 of 3").count == 3)
        #expect(aurora.flow.value(for: AuroraFlow.notifications) == nil)
    }

    @Test("goes on by itself when an action satisfied the step")
    func performSatisfies() async throws {
        let aurora = try AuroraFlow()
        try aurora.flow.record(true, for: AuroraFlow.welcome)
        try aurora.flow.record(true, for: AuroraFlow.profile)
        let pager = try aurora.pager()
        let session = PresenterSession(perform: { (_, id) throws(OnboardingStorageError) in
            try pager.reconcile(satisfied: [id: "granted"])
            return nil
        })
        let shown = try await Typing("", ":quit").at(pager, session: session)
        #expect(shown.output.contains("2 of 3"))
        #expect(aurora.flow.value(for: AuroraFlow.notifications) == true)
    }

    @Test("throws a storage's error on, and shows the same page when it is asked again")
    func storageError() async throws {
        let aurora = try AuroraFlow()
        let pager = try aurora.pager()
        aurora.storage.failure = OnboardingStorageError(.full, "no space")
        await #expect(throws: OnboardingStorageError(.full, "no space")) { try await Typing("").at(pager) }
        #expect(pager.page?.step.id == AuroraFlow.welcome)
        aurora.storage.failure = nil
        let shown = try await Typing("", "q").at(pager)
        #expect(shown.output.contains("1 of 5") && shown.output.contains("2 of 5"))
    }

    @Test("lets nothing but text out, whatever an app's texts hold")
    func hostileTexts() async throws {
        let evil = "\u{1B}]0;owned\u{7}Hi\u{1B}[2J\u{9B}31m\u{0}\u{8}\u{202E}"
        let page = StepPage(
            title: evil, headline: evil, body: [evil + "\r\n" + evil],
            fields: [
                StepField(
                    key: "it", label: evil, help: evil,
                    kind: .choice([StepChoice(value: "a", label: evil)], initial: "a"))
            ], primary: .complete(title: evil), status: evil)
        let shown = try await Typing("zebra", "?", "1", "?", "1").at(
            pager([OnboardingStepConfig(id: "a.one")], pages: ["a.one": page], storage: InMemoryOnboardingStorage()),
            heading: evil)
        #expect(shown.outcome == .finished)
        let unwanted = shown.output.unicodeScalars.filter {
            $0 != "\n" && $0.properties.generalCategory == .control || $0.value == 0x202E
        }
        #expect(unwanted.isEmpty)
        #expect(shown.output.contains("Hi · 1 of 1\n\nHi\nHi\n\nHi\nHi\n\nStatus: Hi"))
        #expect(!shown.output.contains("owned"))
    }

    @Test("runs on the main actor with a pager that belongs there")
    @MainActor func mainActor() async throws {
        let aurora = try AuroraFlow()
        let pager = try aurora.pager()
        let session = PresenterSession(becameActive: { () throws(OnboardingStorageError) in
            MainActor.assertIsolated()
            try pager.reconcile(satisfied: [:])
        })
        #expect(try await Typing("", "q").at(pager, session: session).outcome == .left)
    }
}
