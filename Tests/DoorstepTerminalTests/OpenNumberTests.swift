import Doorstep
import Testing

@testable import DoorstepTerminal

@Suite("A number whose range has no end")
struct OpenNumberTests {
    private func pager(
        _ range: ClosedRange<Int>, initial: Int? = nil, language: String = "en"
    ) throws -> (OnboardingPager, InMemoryOnboardingStorage) {
        let storage = InMemoryOnboardingStorage()
        let flow = try OnboardingFlow(steps: [OnboardingStepConfig(id: "a.one")], storage: storage)
        let field = StepField(key: "n", label: "N", kind: .integer(range: range, step: 1, initial: initial))
        let pager = try OnboardingPager(flow: flow, languages: LanguagePreferences([language])) { _ in
            StepPage(title: "One", fields: [field])
        }
        return (pager, storage)
    }

    @Test func `counts from the bound that there is, else from nought, and takes digits`() async throws {
        let cases: [(ClosedRange<Int>, [Key], Int)] = [
            (.min ... .max, [.right], 0), (.min ... .max, [.left], 0), (.min ... .max, [.right, .right], 1),
            (.min ... .max, [.left, .left], -1), (.min ... .max, Key.typing("-12"), -12),
            (.min ... .max, Key.typing("1999"), 1999), (1 ... .max, [.right], 1), (1 ... .max, [.left], 1),
            (1 ... .max, [.right, .right], 2), (1 ... .max, [.home], 1), (.min...9, [.left], 9),
            (.min...9, [.left, .left], 8), (.min...9, [.end], 9),
            (.min ... .max, Key.typing("120") + [.backspace, .character("5")], 125),
        ]
        for (range, keys, wanted) in cases {
            let (pager, storage) = try pager(range)
            let port = ScriptedPort(keys: keys + [.enter])
            #expect(try await port.show(pager) == .finished)
            #expect(try storage.inputs()["a.one"] == ["n": .integer(wanted)], "\(range) \(keys)")
        }
    }

    @Test func `Home and End go to no bound that isn't there`() async throws {
        let (pager, _) = try pager(.min ... .max, initial: 7)
        let port = ScriptedPort(keys: [.home, .end])
        _ = try await port.show(pager)
        #expect(port.screens[1].text == port.screens[0].text && port.screens[2].text == port.screens[0].text)
    }

    @Test(arguments: ["en", "ar"])
    func `is no slider, and its cursor stands behind its digits`(language: String) async throws {
        let (pager, _) = try pager(1 ... .max, initial: 42, language: language)
        let port = ScriptedPort([])
        _ = try await port.show(pager)
        let frame = try #require(port.frames.last)
        #expect(!frame.areas.contains { $0.target == .slider(field: 0) })
        #expect(frame.text.contains("42") && !frame.text.contains("◂"))
        let cursor = try #require(frame.cursor)
        let line = frame.buffer.lines[cursor.row]
        #expect(line.contains("42"))
        #expect(frame.buffer[cursor.column - 1, cursor.row].text == "2", "\(line)")
    }

    @Test(arguments: [
        (Int.min...Int.max, "A whole number.", "Eine ganze Zahl.", "عدد صحيح.", "整数。"),
        (
            1...Int.max, "A whole number of at least 1.", "Eine ganze Zahl, mindestens 1.", "عدد صحيح لا يقل عن 1.",
            "1以上の整数。"
        ),
        (
            Int.min...9, "A whole number of at most 9.", "Eine ganze Zahl, höchstens 9.", "عدد صحيح لا يزيد على 9.",
            "9以下の整数。"
        ),
    ])
    func `is described without a bound that isn't there`(
        range: ClosedRange<Int>, english: String, german: String, arabic: String, japanese: String
    ) async throws {
        for (language, sentence) in [("en", english), ("de", german), ("ar", arabic), ("ja", japanese)] {
            let (pager, _) = try pager(range, language: language)
            let shown = try await Typing("zebra", ":quit").at(pager)
            #expect(shown.output.contains("\n\(sentence)\n"), "\(shown.output)")
            #expect(!shown.output.contains("922337"))
        }
    }
}
