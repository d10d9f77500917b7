import Doorstep
import Testing

@testable import DoorstepTerminal

@Suite("Try Again")
struct TryAgainTests {
    private static let evidence =
        "the permission store says \"no\" for com.example.aurora, and nothing else was asked about it at all"

    /// A page whose check can be asked again, and says what is put there by then.
    private func pager(_ evidence: String = evidence) throws -> OnboardingPager {
        let flow = try OnboardingFlow(
            steps: [OnboardingStepConfig(id: "a.one")], storage: InMemoryOnboardingStorage())
        return try OnboardingPager(flow: flow, languages: LanguagePreferences(["en"])) { _ in page(evidence) }
    }

    private func page(_ evidence: String) -> StepPage {
        StepPage(
            title: "One", primary: .perform(action: "check", title: .tryAgain), status: "This app isn’t allowed to.",
            evidence: evidence)
    }

    /// A session whose check says something else from the second time on.
    private func secondAnswerIsNew(_ pager: OnboardingPager) -> PresenterSession {
        var asked = 0
        return PresenterSession(perform: { (_, step) throws(OnboardingStorageError) in
            asked += 1
            if asked == 2 { pager.update(page("it was switched off"), for: step) }
            return nil
        })
    }

    @Test func `says why below the status, and that it has asked again, each time`() async throws {
        let pager = try pager()
        let port = ScriptedPort(keys: [.enter, .enter])
        _ = try await port.show(pager)
        let lines = port.screens[0].buffer.lines.map { $0.filter { $0 != "\u{0}" } }
        let status = try #require(lines.firstIndex { $0.contains("Status: This app isn’t allowed to.") })
        let reason = (lines[status + 1] + lines[status + 2]).split(separator: " ").joined(separator: " ")
        #expect(reason == Self.evidence)
        #expect(!port.screens[0].text.contains("Checked"))
        #expect(port.screens[1].text.contains("Checked again: nothing has changed."))
        #expect(port.screens[2].text.contains("Checked 2 times: nothing has changed."))
    }

    @Test func `another answer is its own sign`() async throws {
        let pager = try pager()
        let port = ScriptedPort(keys: [.enter, .enter])
        _ = try await port.show(pager, session: secondAnswerIsNew(pager))
        #expect(port.screens[1].text.contains("Checked again"))
        #expect(!port.screens[2].text.contains("Checked") && port.screens[2].text.contains("it was switched off"))
    }

    @Test func `news from outside take the sign away`() async throws {
        let pager = try pager()
        let port = ScriptedPort(keys: [.enter, .enter, .tab])
        _ = try await port.show(pager, session: secondAnswerIsNew(pager))
        #expect(port.screens.last?.text.contains("Checked") == false)
    }

    @Test func `what does something else, such as opening the settings, isn't a check`() async throws {
        let flow = try OnboardingFlow(
            steps: [OnboardingStepConfig(id: "a.one")], storage: InMemoryOnboardingStorage())
        let pager = try OnboardingPager(flow: flow, languages: LanguagePreferences(["en"])) { _ in
            StepPage(
                title: "One", primary: .perform(action: "settings", title: .openSettings),
                status: "This app isn’t allowed to.", evidence: Self.evidence)
        }
        let port = ScriptedPort(keys: [.enter, .enter])
        _ = try await port.show(pager)
        #expect(port.screens.allSatisfy { !$0.text.contains("Checked") })
        #expect(try await !Typing("1", "1", "q").at(pager).output.contains("Checked"))
    }

    @Test func `line by line it does the same`() async throws {
        let shown = try await Typing("1", "1", "q").at(pager())
        #expect(shown.output.contains("Status: This app isn’t allowed to.\nthe permission store says"))
        #expect(shown.output.contains("\nChecked again: nothing has changed.\n"))
        #expect(shown.output.contains("\nChecked 2 times: nothing has changed.\n"))
    }
}
