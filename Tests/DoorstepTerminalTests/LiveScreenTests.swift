import Doorstep
import DoorstepTerminal
import Foundation
import Testing

/// The presenter itself at a terminal; signals and handlers belong to a process, so each test runs in one of its own.
@Suite("A terminal that pages fill")
struct LiveScreenTests {
    private static func field(_ maximum: Int) -> StepField {
        StepField(key: "it", label: "It", kind: .text(length: 1...maximum, pattern: nil, initial: nil))
    }

    /// A showing of pages in order, and where its answers go.
    private static func pager(_ pages: [StepPage]) throws -> (OnboardingPager, InMemoryOnboardingStorage) {
        let storage = InMemoryOnboardingStorage()
        let ids = pages.indices.map { OnboardingStepID("a.page\($0)") }
        let flow = try OnboardingFlow(steps: ids.map { OnboardingStepConfig(id: $0) }, storage: storage)
        let pager = try OnboardingPager(flow: flow, languages: LanguagePreferences(["en"])) { step in
            pages[ids.firstIndex(of: step.id) ?? 0]
        }
        return (pager, storage)
    }

    @Test(
        "pages slide, but not over a slow line, with DOORSTEP_REDUCED_MOTION, or with NO_COLOR",
        arguments: ["", "9600", "DOORSTEP_REDUCED_MOTION", "NO_COLOR"])
    func motion(reason: String) async {
        await #expect(processExitsWith: .success) { [reason] in
            let live = try LiveScreen.controlling()
            if reason == "9600" { live.slowDown(to: speed_t(B9600)) }
            let (pager, _) = try Self.pager(["One", "Two"].map { StepPage(title: $0, body: ["Text of \($0)."]) })
            let outcome = try await live.present(
                pager, environment: reason.contains("O") ? [reason: "1"] : [:]
            ) { live in
                for (title, key) in [("One", "\r"), ("Two", "\u{1B}"), ("One", "\r"), ("Two", "\u{1B}"), ("One", "\r")]
                {
                    guard live.wait(for: "Text of \(title).") else { return false }
                    live.type(key)
                }
                guard live.wait(for: "Text of Two.") else { return false }
                live.type("\u{3}")
                return true
            }
            try #require(outcome == .left)
            // Six pages; on a usual line at least one of the turns has something in between.
            if reason.isEmpty {
                try #require(live.frameSizes.count > 6)
            } else {
                try #require(live.frameSizes.count == 6, "\(live.frameSizes)")
            }
            try #require(live.frameSizes.allSatisfy { $0 < 80 * 24 * 2 })
        }
    }

    @Test("a key that is held loses no repeat, and a frame costs no more than its field")
    func heldKey() async {
        await #expect(processExitsWith: .success) {
            let live = try LiveScreen.controlling()
            let number = StepField(key: "n", label: "N", kind: .integer(range: 0...1000, step: 1, initial: 0))
            let (pager, storage) = try Self.pager([StepPage(title: "One", fields: [Self.field(5000), number])])
            let outcome = try await live.present(pager) { live in
                guard live.wait(for: "› It") else { return false }
                for _ in 0..<40 { live.type(String(repeating: "x", count: 50)) }
                live.type("\r" + String(repeating: "\u{1B}[C", count: 700))
                guard live.wait(for: " 700") else { return false }
                live.type("\r")
                return true
            }
            try #require(outcome == .finished)
            let stored = try storage.inputs()["a.page0"]
            try #require(stored == ["it": .text(String(repeating: "x", count: 2000)), "n": .integer(700)])
            try #require(live.frameSizes.dropFirst().allSatisfy { $0 < 400 }, "\(live.frameSizes)")
            try #require(live.frameSizes.count <= 2702)
        }
    }

    @Test("200 sizes in a row with typing in between lose no key, and cost a screen each at most")
    func resizing() async {
        await #expect(processExitsWith: .success) {
            let live = try LiveScreen.controlling()
            let (pager, storage) = try Self.pager([StepPage(title: "One", fields: [Self.field(400)])])
            let outcome = try await live.present(pager) { live in
                guard live.wait(for: "› It") else { return false }
                for turn in 0..<200 {
                    // Also far too small, where the field isn't drawn at all.
                    live.resize(12 + turn * 7 % 140, 5 + turn * 3 % 45)
                    live.type(["a", "é", "日"][turn % 3])
                }
                live.type("\r")
                return true
            }
            try #require(outcome == .finished)
            let typed = (0..<200).map { ["a", "é", "日"][$0 % 3] }.joined()
            try #require(try storage.inputs()["a.page0"] == ["it": .text(typed)])
            try #require(live.frameSizes.count <= 402)
            try #require(live.frameSizes.allSatisfy { $0 < 152 * 50 + 1500 }, "\(live.frameSizes.max() ?? 0)")
        }
    }

    @Test("a paste of 100 kB is stored whole, and drawn as little as a key")
    func paste() async {
        await #expect(processExitsWith: .success) {
            let live = try LiveScreen.controlling()
            let (pager, storage) = try Self.pager([StepPage(title: "One", fields: [Self.field(200_000)])])
            let text = String(repeating: "0123456789", count: 10_000)
            let outcome = try await live.present(pager) { live in
                guard live.wait(for: "› It") else { return false }
                live.type("\u{1B}[200~\(text)\u{1B}[201~!")
                guard live.wait(for: "6789!") else { return false }
                live.type("\r")
                return true
            }
            try #require(outcome == .finished)
            try #require(try storage.inputs()["a.page0"] == ["it": .text(text + "!")])
            try #require(live.frameSizes.dropFirst().allSatisfy { $0 < 400 }, "\(live.frameSizes)")
        }
    }

    @Test("output that can't be drawn on leaves, and the terminal is as it was")
    func drawingFails() async {
        await #expect(processExitsWith: .success) {
            let live = try LiveScreen.controlling()
            let (pager, storage) = try Self.pager([StepPage(title: "One")])
            let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
            try #require(full >= 0)
            let outcome = try await live.present(pager, output: full) { _ in true }
            try #require(outcome == .left && pager.phase == .left)
            try #require(try storage.records().isEmpty)
        }
    }

    @Test(
        "a trap in the middle of a showing gives the terminal back before the process dies", arguments: [true, false])
    func trap(whileDrawing: Bool) async throws {
        let live = try LiveScreen()
        var name = [CChar](repeating: 0, count: 128)
        try #require(ttyname_r(live.user, &name, name.count) == 0)
        let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let before = live.modes
        live.type("\r")
        await #expect(processExitsWith: .failure) { [path = path as String, whileDrawing] in
            let terminal = open(path, O_RDWR | O_NOCTTY)
            let (pager, _) = try Self.pager([
                StepPage(title: "One", primary: .perform(action: "go", title: .allow)), StepPage(title: "Two"),
            ])
            // The page that is turned to is drawn in the middle of this.
            if whileDrawing { pager.onPageShown = { if $0 == "a.page1" { fatalError("a trap") } } }
            let session = PresenterSession(perform: { (_, _) throws(OnboardingStorageError) in
                if whileDrawing { try pager.forward() } else { fatalError("a crash in a plugin") }
                return nil
            })
            let presenter = ScreenPresenter(
                input: terminal, output: terminal, languages: pager.languages,
                environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"])
            _ = try await presenter.run(pager, heading: "Aurora", session: session)
        }
        #expect(live.modes == before)
        #expect(live.wait(for: "One"))
        #expect(live.ends(with: "\u{1B}[?25h\u{1B}[?1049l"))
    }
}
