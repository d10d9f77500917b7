import Doorstep
import DoorstepTerminal
import Foundation
import Testing

@Suite("Odd input")
struct OddInputTests {
    /// Shows one page that asks for a name of up to a million characters.
    private func show(_ bytes: [UInt8]) async throws -> (
        shown: (outcome: PresenterOutcome, output: String), name: String?
    ) {
        let storage = InMemoryOnboardingStorage()
        let flow = try OnboardingFlow(steps: [OnboardingStepConfig(id: "a.name")], storage: storage)
        let pager = try OnboardingPager(flow: flow, languages: LanguagePreferences(["en"])) { _ in
            let kind = StepField.Kind.text(length: 1...1_000_000, pattern: nil, initial: nil)
            return StepPage(title: "Name", fields: [StepField(key: "name", label: "Name", kind: kind)])
        }
        let shown = try await Typing(bytes: bytes).at(pager)
        guard case .text(let name) = try storage.inputs()["a.name"]?["name"] else { return (shown, nil) }
        return (shown, name)
    }

    @Test("that ends at once leaves")
    func nothing() async throws {
        let (shown, name) = try await show([])
        #expect(shown.outcome == .left)
        #expect(name == nil)
    }

    @Test("without its last line end counts")
    func noLineEnd() async throws {
        let (shown, name) = try await show(Array("Ada\nnext".utf8))
        #expect(shown.outcome == .finished)
        #expect(name == "Ada")
    }

    @Test("of empty lines asks until the end")
    func emptyLines() async throws {
        let (shown, _) = try await show(Array("\n\n  \n".utf8))
        #expect(shown.outcome == .left)
        #expect(shown.output.components(separatedBy: "Please fill this in.").count == 4)
    }

    @Test("from other systems and broken encodings is repaired")
    func repaired() async throws {
        #expect(try await show(Array("Ada\r\n\r\n".utf8)).name == "Ada")
        #expect(try await show([0x41, 0xFF, 0x62, 0xE2, 0x82, 0x0A, 0x0A]).name == "A\u{FFFD}b\u{FFFD}")
        #expect(try await show(Array("A\u{0}d\u{1B}[Ca\u{7F}\n\n".utf8)).name == "Ada")
    }

    @Test("of 64 KiB is a line, of one byte more isn't")
    func longLines() async throws {
        let most = [UInt8](repeating: UInt8(ascii: "x"), count: 64 * 1024)
        #expect(try await show(most + [0x0A, 0x0A]).name?.utf8.count == 64 * 1024)
        #expect(try await show(most + [0x0D, 0x0A, 0x0A]).name?.utf8.count == 64 * 1024)

        let (shown, name) = try await show(most + [0x78, 0x0A] + Array("Ada\n\n".utf8))
        #expect(shown.output.contains("That line is too long; at most 65536 bytes are accepted."))
        #expect(name == "Ada")
        #expect(try await show(most + most + most).shown.outcome == .left)
    }

    @Test("beyond the last answer stays for whoever reads next")
    func remainder() async throws {
        let ends = Pipe()
        ends.fileHandleForWriting.write(Data("\nrest\n".utf8))
        try ends.fileHandleForWriting.close()
        let flow = try OnboardingFlow(steps: [OnboardingStepConfig(id: "a.one")], storage: InMemoryOnboardingStorage())
        let pager = try OnboardingPager(flow: flow) { _ in StepPage(title: "One") }
        let output = try TemporaryFolder().file("output", [])
        defer { close(output) }
        let presenter = PlainPresenter(
            input: ends.fileHandleForReading.fileDescriptor, output: output, columns: 80,
            languages: LanguagePreferences([]))
        #expect(try await presenter.run(pager, heading: "A") == .finished)
        #expect(try ends.fileHandleForReading.readToEnd() == Data("rest\n".utf8))
    }

    @Test("and output that can't be used leave")
    func closedDescriptors() async throws {
        for (input, output) in [(Int32(-1), Int32(-1)), (open("/dev/zero", O_RDONLY | O_CLOEXEC), Int32(-1))] {
            let storage = InMemoryOnboardingStorage()
            let flow = try OnboardingFlow(steps: [OnboardingStepConfig(id: "a.one")], storage: storage)
            let pager = try OnboardingPager(flow: flow) { _ in StepPage(title: "One") }
            let presenter = PlainPresenter(
                input: input, output: output, columns: 80, languages: LanguagePreferences([]))
            #expect(try await presenter.run(pager, heading: "A") == .left)
            #expect(try storage.records().isEmpty)
            close(input)
        }
    }
}
