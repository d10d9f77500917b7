import Doorstep
import DoorstepTerminal
import Foundation
import Testing

@Suite("A whole showing at 40 columns")
struct TranscriptTests {
    /// Faults on the profile, back to it from the permission, a motto that looks like a command, an unknown choice,
    /// help.
    private static let typing = Typing(
        "", "", "Ada", "seventeen", "17", "36", "", "", "3", "", "", ":)", "", "1", "x", "", "2", "?", "no", "?", "", ""
    )

    private func show(in language: String) async throws -> (flow: AuroraFlow, outcome: PresenterOutcome, output: String)
    {
        let aurora = try AuroraFlow(language: language)
        let pager = try aurora.pager()
        let session = PresenterSession(perform: { (_, id) throws(OnboardingStorageError) in
            pager.update(aurora.page(id, isAllowed: true), for: id)
            return nil
        })
        let (outcome, output) = try await Self.typing.at(pager, columns: 40, session: session)
        return (aurora, outcome, output)
    }

    @Test("reads as recorded", arguments: ["en", "de", "ar", "ja"])
    func golden(language: String) async throws {
        let shown = try await show(in: language)
        #expect(shown.outcome == .finished)
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Golden/aurora.\(language).txt")
        if ProcessInfo.processInfo.environment["DOORSTEP_RECORD"] == "1" {
            try shown.output.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try shown.output == String(contentsOf: file, encoding: .utf8), "DOORSTEP_RECORD=1 records it again")
    }

    @Test("has no line over 40 cells and no control byte", arguments: ["en", "de", "ar", "ja"])
    func width(language: String) async throws {
        let output = try await show(in: language).output
        for line in output.split(separator: "\n") {
            #expect(CellWidth.of(String(line)) <= 40, "\(line)")
        }
        #expect(output.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0A })
    }

    @Test("loses nothing of the app's texts", arguments: ["en", "de", "ar", "ja"])
    func complete(language: String) async throws {
        let shown = try await show(in: language)
        let output = shown.output.filter { !$0.isWhitespace }
        let texts: [AuroraText] = [
            .welcomeTitle, .welcomeHeadline, .welcomeBody, .profileTitle, .name, .nameHelp, .age, .motto,
            .notifications,
            .notificationsBody, .notAllowed, .allowed, .look, .theme, .light, .dark, .sounds, .notice, .noticeBody,
        ]
        for text in texts {
            #expect(output.contains(shown.flow.text(text).filter { !$0.isWhitespace }), "\(text)")
        }
    }

    @Test("records what was answered", arguments: ["en", "de", "ar", "ja"])
    func records(language: String) async throws {
        let aurora = try await show(in: language).flow
        #expect(aurora.flow.needsOnboarding == false)
        let inputs = try aurora.storage.inputs()
        #expect(inputs[AuroraFlow.profile] == ["name": .text("Ada"), "age": .integer(36), "motto": .text(":)")])
        #expect(inputs[AuroraFlow.look] == ["theme": .text("dark"), "sounds": .toggle(false)])
    }
}
