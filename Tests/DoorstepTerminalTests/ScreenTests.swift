import Doorstep
import Testing

@testable import DoorstepTerminal

@Suite("The screen presenter")
struct ScreenTests {
    private let aurora: AuroraFlow

    init() throws {
        aurora = try AuroraFlow()
    }

    private func single(
        _ page: StepPage, isSkippable: Bool = true, language: String = "en", mode: OnboardingCommitMode = .eachStep
    ) throws -> (OnboardingPager, InMemoryOnboardingStorage) {
        let storage = InMemoryOnboardingStorage()
        let flow = try OnboardingFlow(
            steps: [OnboardingStepConfig(id: "a.one", isSkippable: isSkippable)], storage: storage)
        let pager = try OnboardingPager(flow: flow, commitMode: mode, languages: LanguagePreferences([language])) { _ in
            page
        }
        return (pager, storage)
    }

    private func textField(_ maximum: Int = 40, initial: String? = nil) -> StepField {
        StepField(key: "it", label: "It", kind: .text(length: 1...maximum, pattern: nil, initial: initial))
    }

    @Test("every page is drawn on every size from 20×8 to 400×100, and nothing lies outside or is torn")
    func sizes() async throws {
        for language in ["en", "de", "ar", "ja"] {
            let aurora = try AuroraFlow(language: language)
            for id in [AuroraFlow.welcome, AuroraFlow.profile, AuroraFlow.notifications, AuroraFlow.look] {
                let page = aurora.page(id)
                for (columns, rows) in [(20, 8), (21, 9), (39, 12), (40, 16), (80, 24), (132, 43), (400, 100)] {
                    for hasCard in columns < 200 ? [false, true] : [true] {
                        let (pager, _) = try single(page, language: language)
                        let port = ScriptedPort(columns: columns, rows: rows, keys: [.tab])
                        _ = try await port.show(pager, theme: TerminalTheme(card: hasCard ? Colour(9, 9, 9) : nil))
                        for frame in port.frames {
                            #expect(frame.buffer.columns == columns && frame.buffer.rows == rows)
                            for line in 0..<rows {
                                let cells = (0..<columns).map { frame.buffer[$0, line].text }.joined()
                                #expect(CellWidth.of(cells) == columns, "\(language) \(id) \(columns)×\(rows)")
                            }
                        }
                        #expect(port.frames.last?.text.isEmpty == false)
                    }
                }
            }
        }
    }

    @Test("scrolling shows every word of a page, on the smallest screen too")
    func nothingLost() async throws {
        for language in ["en", "de", "ja"] {
            let aurora = try AuroraFlow(language: language)
            let (pager, _) = try single(aurora.page(AuroraFlow.welcome), language: language)
            let port = ScriptedPort(columns: 20, rows: 8, keys: Array(repeating: .wheel(1), count: 40))
            _ = try await port.show(pager)
            // Each line once, as it leaves at the top.
            var seen = ""
            for (frame, next) in zip(port.screens, port.screens.dropFirst()) where next.scroll != frame.scroll {
                seen += frame.buffer.lines[0]
            }
            seen += port.screens.last?.buffer.lines.joined() ?? ""
            let letters = seen.filter { $0.isLetter }
            #expect(letters.contains(aurora.text(.welcomeTitle).filter { $0.isLetter }), "\(language)")
            #expect(letters.contains(aurora.text(.welcomeHeadline).filter { $0.isLetter }), "\(language)")
        }
    }

    @Test("below 20×8 a sentence asks for room")
    func tooSmall() async throws {
        let port = ScriptedPort(columns: 19, rows: 8, [])
        _ = try await port.show(aurora.pager())
        #expect(port.frames[0].text.contains("Please make"))
        let tiny = ScriptedPort(columns: 1, rows: 1, [])
        _ = try await tiny.show(AuroraFlow().pager())
        #expect(tiny.frames.count == 1)
    }

    @Test("an error stands under its field, focus goes there, and the page stays until it is right")
    func errors() async throws {
        let (pager, storage) = try single(StepPage(title: "One", fields: [textField(3), textField2()]))
        let port = ScriptedPort(keys: [.tab, .tab, .enter] + Key.typing("ab") + [.enter, .enter])
        #expect(try await port.show(pager) == .finished)
        let lines = port.screens[3].buffer.lines.map { $0.trimmingPrefix { $0 == " " } }
        let label = try #require(lines.firstIndex(of: "› It"))
        #expect(lines[label + 2] == "! Please fill this in.")
        #expect(try storage.inputs()["a.one"] == ["it": .text("ab"), "other": .text("x")])
    }

    private func textField2() -> StepField {
        StepField(key: "other", label: "Other", kind: .text(length: 1...9, pattern: nil, initial: "x"))
    }

    @Test("a number takes arrows, page keys, Home, End, digits of any script, and clicks")
    func numbers() async throws {
        let field = StepField(key: "n", label: "N", kind: .integer(range: 10...90, step: 5, initial: 50))
        let cases: [([Key], Int)] = [
            ([.right], 55), ([.left, .left], 40), ([.pageUp], 90), ([.pageDown], 10), ([.home], 10), ([.end], 90),
            (Key.typing("45"), 45), (Key.typing("٣٥"), 35),
            ([.character("6"), .character("5"), .backspace, .character("0")], 60),
        ]
        for (keys, wanted) in cases {
            let (pager, storage) = try single(StepPage(title: "One", fields: [field]))
            let port = ScriptedPort(keys: keys + [.enter])
            #expect(try await port.show(pager) == .finished)
            #expect(try storage.inputs()["a.one"] == ["n": .integer(wanted)], "\(keys)")
        }
        let (pager, storage) = try single(StepPage(title: "One", fields: [field]))
        let port = ScriptedPort([])
        var area: Frame.Area?
        let clicking = ScriptedPort([
            {
                let slider = port.frames.first?.areas.first { $0.target == .slider(field: 0) }
                area = slider
                return slider.map { [.key(.click(column: $0.columns.upperBound - 1, row: $0.row))] } ?? []
            }, { [.key(.enter)] },
        ])
        _ = try await port.show(single(StepPage(title: "One", fields: [field])).0)
        #expect(try await clicking.show(pager) == .finished)
        #expect(area != nil)
        #expect(try storage.inputs()["a.one"] == ["n": .integer(90)])
    }

    @Test("a choice is found by how it begins; a toggle is turned")
    func choices() async throws {
        let names = [
            "Oslo", "Östersund", "Tromsø", "Reykjavík", "New York", "Newcastle", "Kiruna", "Nuuk", "Bodø", "Luleå",
        ]
        let choices = names.map { StepChoice(value: $0, label: $0) }
        let cases: [([Key], String)] = [
            (Key.typing("new"), "New York"), (Key.typing("newc"), "Newcastle"), (Key.typing("york"), "New York"),
            (Key.typing("öst"), "Östersund"), (Key.typing("OST"), "Östersund"), (Key.typing("rey"), "Reykjavík"),
            (Key.typing("bodo"), "Bodø"), (Key.typing("lulea"), "Luleå"), ([.down, .down], "Östersund"),
            ([.end], "Luleå"),
            (Key.typing("xk"), "Kiruna"),
        ]
        for (keys, wanted) in cases {
            let page = StepPage(
                title: "One",
                fields: [
                    StepField(key: "c", label: "C", kind: .choice(choices, initial: nil)),
                    StepField(key: "t", label: "T", kind: .toggle(initial: false)),
                ])
            let (pager, storage) = try single(page)
            let port = ScriptedPort(keys: keys + [.enter, .character(" "), .enter])
            #expect(try await port.show(pager) == .finished)
            #expect(try storage.inputs()["a.one"] == ["c": .text(wanted), "t": .toggle(true)], "\(keys)")
        }
    }

    @Test("a paste of 100 kB is kept, drawn in its part around the cursor, and refused with the limit")
    func paste() async throws {
        let (pager, storage) = try single(StepPage(title: "One", fields: [textField(40)]))
        let text = String(repeating: "日本 ab ", count: 100_000 / 11)
        let port = ScriptedPort(keys: [.paste(text), .enter, .control("u")] + Key.typing("ok") + [.enter])
        #expect(try await port.show(pager) == .finished)
        #expect(port.screens[1].text.contains("…"))
        #expect(port.screens[1].text.contains("\(text.count)/40"))
        #expect(port.screens[2].text.contains("! Please use at most 40 characters."))
        #expect(try storage.inputs()["a.one"] == ["it": .text("ok")])
    }

    @Test("one typed character costs a few bytes, 200 sizes in a row one frame each, and no input is lost")
    func bytes() async throws {
        let (pager, storage) = try single(StepPage(title: "One", body: ["Text."], fields: [textField()]))
        let typed = "abcdefghijklmnopqrst"
        var steps: [ScriptedPort.Step] = typed.map { character in { [.key(.character(character))] } }
        let port = ScriptedPort(columns: 80, rows: 24, [])
        let sizing = ScriptedPort(steps)
        _ = try await sizing.show(pager)
        #expect(sizing.byteCounts.dropFirst().allSatisfy { $0 < 100 }, "\(sizing.byteCounts)")
        #expect(port.frames.isEmpty)

        let (second, _) = try single(StepPage(title: "One", fields: [textField(300)]))
        steps = []
        var screen: ScriptedPort?
        for turn in 0..<200 {
            steps.append {
                screen?.size = (20 + turn * 7 % 380, 8 + turn * 3 % 92)
                return [.resized, .key(.character("x"))]
            }
        }
        let resized = ScriptedPort(steps)
        screen = resized
        _ = try await resized.show(second)
        #expect(resized.frames.count == 201)
        #expect(second.flow.value(for: "a.one") == nil)
        #expect(try storage.records().isEmpty)
        screen = nil
    }

    @Test("a grant made elsewhere turns the title and then the page; coming back from a suspension looks again")
    func live() async throws {
        try aurora.flow.record(true, for: AuroraFlow.welcome)
        try aurora.flow.record(true, for: AuroraFlow.profile)
        let pager = try aurora.pager()
        let aurora = aurora
        var looks = 0
        let session = PresenterSession(
            perform: { (_, _) throws(OnboardingStorageError) in "The portal isn’t running." },
            becameActive: { () throws(OnboardingStorageError) in
                looks += 1
                if looks == 1 {
                    pager.update(aurora.page(AuroraFlow.notifications, isAllowed: true), for: AuroraFlow.notifications)
                }
                if looks == 2 { try pager.reconcile(satisfied: [AuroraFlow.notifications: "granted"]) }
            })
        let port = ScriptedPort([{ [.key(.enter)] }, { [.changed] }, { [.stop, .continued] }, { [.key(.escape)] }])
        #expect(try await port.show(pager, session: session) == .left)
        #expect(port.screens[0].text.contains("[ Allow ]"))
        #expect(port.frames.contains { $0.text.contains("One moment …") })
        #expect(port.screens[1].text.contains("! The portal isn’t running."))
        #expect(port.screens[2].text.contains("[ Next ]") && port.screens[2].text.contains("Status: allowed"))
        #expect(port.screens[3].text.contains("Look and sound"))
        #expect(looks == 2 && port.suspensions == 1)
        #expect(aurora.flow.value(for: AuroraFlow.notifications) == true)
    }

    @Test("a failed write is told on the page, which stays; leaving then reports it, a second try forgets it")
    func failure() async throws {
        for isRepaired in [true, false] {
            let storage = BrittleStorage()
            let flow = try OnboardingFlow(steps: [OnboardingStepConfig(id: "a.one")], storage: storage)
            let pager = try OnboardingPager(flow: flow) { _ in StepPage(title: "One") }
            let port = ScriptedPort([
                { [.key(.enter)] },
                {
                    if isRepaired { storage.repair() }
                    return isRepaired ? [.key(.enter)] : [.end]
                },
            ])
            if isRepaired {
                #expect(try await port.show(pager) == .finished)
            } else {
                await #expect(throws: OnboardingStorageError.self) { try await port.show(pager) }
            }
            #expect(port.screens[1].text.contains("! no space is left"))
        }
    }

    @Test("an app's texts can't move the cursor, colour the screen, or turn its order")
    func hostile() async throws {
        let evil = "A\u{1B}[2J\u{1B}]0;x\u{7}B\u{202E}C\u{9B}31mD\u{0}\u{8}E"
        let field = StepField(
            key: "it", label: evil, help: evil, kind: .choice([StepChoice(value: "v", label: evil)], initial: nil))
        let page = StepPage(
            title: evil, headline: evil, body: [evil], fields: [field], primary: .complete(title: evil), status: evil)
        let (pager, _) = try single(page)
        let port = ScriptedPort(keys: [.down, .tab])
        _ = try await port.show(pager, heading: evil)
        for scalar in port.frames.flatMap(\.buffer.lines).joined().unicodeScalars {
            #expect(scalar.properties.generalCategory != .control && scalar != "\u{202E}")
        }
    }

    @Test("? and F1 explain the keys, and any key goes on where it was; Skip is offered only where it is allowed")
    func help() async throws {
        let (pager, _) = try single(StepPage(title: "One"), isSkippable: false)
        let port = ScriptedPort(keys: [.character("?"), .character("x")])
        #expect(try await port.show(pager) == .left)
        #expect(port.screens[1].text.contains("Ctrl-C, or Ctrl-D"))
        #expect(port.screens[2].text == port.screens[0].text)
        #expect(!port.screens[0].text.contains("Skip"))
    }

    @Test("a click on a dot jumps there and backfills what lies between; one that can't be passed keeps its page")
    func dots() async throws {
        func click(_ page: Int, on port: @escaping () -> ScriptedPort?) -> ScriptedPort.Step {
            {
                let area = port()?.frames.last?.areas.first { $0.target == .page(page) }
                return area.map { [.key(.click(column: $0.columns.lowerBound, row: $0.row))] } ?? []
            }
        }
        let pager = try aurora.pager()
        var screen: ScriptedPort?
        let port = ScriptedPort([
            click(3, on: { screen }), { Key.typing("Ada").map(ScreenEvent.key) }, click(3, on: { screen }),
            click(0, on: { screen }),
        ])
        screen = port
        #expect(try await port.show(pager) == .left)
        // The profile must be filled in, so the first jump ends there.
        #expect(port.screens[1].text.contains("! Please fill this in."))
        #expect(port.screens[3].text.contains("Look and sound") && pager.position == 0)
        let origins = try aurora.storage.records().mapValues { "\($0.value) \($0.origin.rawValue)" }
        #expect(
            origins == [
                AuroraFlow.welcome: "true leaving", AuroraFlow.profile: "true user",
                AuroraFlow.notifications: "false leaving",
            ])
        screen = nil
    }

    @Test("a headline's last line is no single word", arguments: 24...70)
    func balance(columns: Int) {
        let text = "Northern lights, forecast for where you are, and only when the sky is clear."
        let lines = LineWrapper(columns: columns).balancedLines(of: text)
        #expect(lines.joined(separator: " ") == text)
        #expect(lines.count == LineWrapper(columns: columns).lines(of: text).count)
        #expect(lines.allSatisfy { CellWidth.of($0) <= columns })
        if lines.count > 1 { #expect(lines[lines.count - 1].contains(" "), "\(lines)") }
    }
}
