import Doorstep
import Foundation
import Testing

@testable import DoorstepTerminal

@Suite("The line of hints")
struct HintTests {
    private static let choices = [StepChoice(value: "a", label: "Ash"), StepChoice(value: "b", label: "Birch")]
    private static let fields = [
        StepField(key: "text", label: "Text", kind: .text(length: 1...9, pattern: nil, initial: "x")),
        StepField(key: "slider", label: "Slider", kind: .integer(range: 1...9, step: 1, initial: 5)),
        StepField(key: "number", label: "Number", kind: .integer(range: 1...Int.max, step: 1, initial: 5)),
        StepField(key: "choice", label: "Choice", kind: .choice(choices, initial: nil)),
        StepField(key: "toggle", label: "Toggle", kind: .toggle(initial: false)),
    ]

    private func pager(_ page: StepPage, language: String = "en") throws -> OnboardingPager {
        let flow = try OnboardingFlow(
            steps: [OnboardingStepConfig(id: "a.one")], storage: InMemoryOnboardingStorage())
        return try OnboardingPager(flow: flow, languages: LanguagePreferences([language])) { _ in page }
    }

    @Test func `follows what has the focus, and always says how to leave`() async throws {
        let port = ScriptedPort(rows: 40, keys: Array(repeating: .tab, count: 5))
        _ = try await port.show(pager(StepPage(title: "One", fields: Self.fields)))
        let hints = port.screens.map { $0.buffer.lines.first { $0.contains("F1 help") } ?? "" }
        let wanted = [
            "Type your answer", "Left/Right changes it", "Type digits", "Up/Down or Space chooses", "Space turns it",
            "Enter chooses",
        ]
        #expect(hints.count == wanted.count)
        for (hint, text) in zip(hints, wanted) {
            #expect(hint.contains("\(text) · Tab moves · Ctrl-C leaves"), "\(hint)")
        }
    }

    @Test(arguments: ["en", "de"], [20, 30, 40, 60])
    func `gives up what there is no room for, but never how to leave`(language: String, columns: Int) async throws {
        let leave = TerminalPhrase.hintLeave.text(for: LanguagePreferences([language]))
        let port = ScriptedPort(columns: columns, rows: 24, keys: [.tab])
        _ = try await port.show(pager(StepPage(title: "One", fields: [Self.fields[3]]), language: language))
        for frame in port.frames { #expect(frame.text.contains(leave), "\(frame.text)") }
    }

    @Test func `F1 names both keys that leave`() async throws {
        let port = ScriptedPort(keys: [.function(1), .enter])
        _ = try await port.show(pager(StepPage(title: "One")))
        #expect(port.screens[1].text.contains("Ctrl-C, or Ctrl-D outside a text: leave."))
    }

    @Test func `a screen of ASCII has nothing else in the presenter's own English`() async throws {
        let page = StepPage(
            title: "One", fields: Self.fields, primary: .perform(action: "go", title: .tryAgain), status: "Not yet.")
        let pager = try pager(page)
        let port = ScriptedPort(rows: 40, keys: [.character("z"), .tab, .function(1), .enter, .enter])
        try pager.start()
        let showing = ScreenShowing(
            pager: pager, heading: "Aurora", icon: nil, session: PresenterSession(), port: port,
            layout: PageLayout(theme: TerminalTheme(), depth: .none, glyphs: .ascii), languages: pager.languages)
        _ = try await showing.result().get()
        #expect(port.frames.count > 3)
        for frame in port.frames {
            let foreign = frame.text.filter { !$0.isASCII }
            #expect(foreign.isEmpty, "\(foreign)")
        }
        #expect(port.frames[0].text.contains("Type your answer | Tab moves | Ctrl-C leaves"))
    }

    @Test func `an untouched choice asks for a choice`() async throws {
        for (language, sentence) in [("en", "Please choose one."), ("de", "Bitte eine Auswahl treffen.")] {
            let page = StepPage(title: "One", fields: [Self.fields[3]])
            let port = ScriptedPort(keys: [.enter])
            _ = try await port.show(pager(page, language: language))
            #expect(port.frames.last?.text.contains("! \(sentence)") == true)
            let shown = try await Typing("", ":clear", ":quit").at(pager(page, language: language))
            #expect(shown.output.components(separatedBy: sentence).count == 3, "\(shown.output)")
        }
    }

    @Test func `line by line, brackets are explained where there are any, and a length only where the help is silent`()
        async throws
    {
        let fields = [
            StepField(
                key: "a", label: "A", help: "At least 3 characters.",
                kind: .text(length: 3...80, pattern: nil, initial: nil)),
            StepField(key: "b", label: "B", kind: .text(length: 3...80, pattern: nil, initial: nil)),
            StepField(key: "c", label: "C", kind: .text(length: 1...9, pattern: nil, initial: "x")),
            StepField(key: "d", label: "D", kind: .text(length: 1...9, pattern: nil, initial: "y")),
        ]
        let shown = try await Typing("Ada", "Bea", "", ":quit").at(pager(StepPage(title: "One", fields: fields)))
        let parts = shown.output.components(separatedBy: "Enter takes what stands in brackets.")
        #expect(parts.count == 2, "\(shown.output)")
        #expect(parts[0].contains("\nA\nAt least 3 characters.\nInstead of an answer"), "\(shown.output)")
        #expect(parts[0].contains("\nB\n3 to 80 characters.\nAnswer: "), "\(shown.output)")
        #expect(parts[0].hasSuffix("\nC\n1 to 9 characters.\n"))
    }
}
