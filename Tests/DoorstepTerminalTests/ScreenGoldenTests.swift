import Doorstep
import DoorstepRegistry
import DoorstepSQLite
@testable import DoorstepTerminal
import Foundation
import ProfilePlugin
import Testing
import WelcomePlugins

/// The example sign-up flow as it looks in each language on each size; the same screens are compared with a real
/// terminal's in the end-to-end tests.
@Suite("The sign-up flow on a screen")
struct ScreenGoldenTests {
    static let cases = ["en", "de", "ar", "ja"].flatMap { language in
        [(80, 24), (40, 12), (200, 50)].map { (language, $0.0, $0.1) }
    }

    /// The keys of the showing, one step for each screen.
    static let steps: [[Key]] = [
        [.enter], Key.typing("Ad") + [.enter], Key.typing("a") + [.enter], [.right, .pageUp], [.enter], [.down, .down],
        [.enter], [.enter],
    ]

    @Test("looks as recorded", arguments: cases)
    func golden(language: String, columns: Int, rows: Int) async throws {
        try await compare("\(language)-\(columns)x\(rows)", language, columns, rows)
    }

    @Test("stands on a card where the theme asks for one and the screen has room", arguments: ["en", "ar"])
    func card(language: String) async throws {
        let colour = Colour(0x2B, 0x2D, 0x42)
        try await compare("card-\(language)-80x24", language, 80, 24, card: colour)
        // Here it hasn't.
        try await compare("\(language)-40x12", language, 40, 12, card: colour)
    }

    /// Shows the flow and compares its screens with those of a file.
    private func compare(
        _ name: String, _ language: String, _ columns: Int, _ rows: Int, card: Colour? = nil
    ) async throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let registry = folder.deletingLastPathComponent().deletingLastPathComponent().appending(path: "registry").path
        let app = try Registry(
            directories: [registry], catalogue: PluginCatalogue([WelcomePlugin(), InfoPlugin(), ProfilePlugin()])
        ).app("com.example.trailmates")
        let suite = try OnboardingSuite.open(at: NSTemporaryDirectory() + "doorstep-\(UUID().uuidString)/suite.db")
        defer { try? FileManager.default.removeItem(atPath: (suite.path as NSString).deletingLastPathComponent) }
        let environment = ["LANG": language == "en" ? "en_US.UTF-8" : "\(language).UTF-8"]
        let session = try await PreparedShowing(
            app, in: suite, reconciler: Reconciler(environment: environment, timeout: .seconds(2))
        ).begin()
        let port = ScriptedPort(
            columns: columns, rows: rows, Self.steps.map { keys in { keys.map(ScreenEvent.key) } })
        let pages = session.pager.pages
        let profile = PresenterProfile(
            entries: { () throws(OnboardingStorageError) in
                let stored = try session.pager.flow.storage.inputs().values.reduce(into: [:]) { all, one in
                    all.merge(one) { first, _ in first }
                }
                return pages.flatMap(\.content.fields).map { field in
                    var value = ""
                    switch stored[field.key] {
                    case .integer(let number)?: value = String(number)
                    case .text(let text)?: value = text
                    default: break
                    }
                    if case .choice(let choices, _) = field.kind {
                        value = choices.first { $0.value == value }?.label ?? ""
                    }
                    return .init(label: field.label, value: value)
                }
            }, signOut: {})
        let outcome = try await port.show(
            session.pager, heading: app.manifest.name.text(for: session.pager.languages),
            theme: TerminalTheme(card: card, icon: app.manifest.theme.icon), session: PresenterSession(profile: profile)
        )
        #expect(outcome == .finished)
        let rule = "\n" + String(repeating: "=", count: columns) + "\n"
        let shown = port.screens.map(\.text).joined(separator: rule) + "\n"
        let file = folder.appending(path: "Golden/Screens/\(name).txt")
        if ProcessInfo.processInfo.environment["DOORSTEP_RECORD"] == "1" {
            try shown.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try shown == String(contentsOf: file, encoding: .utf8), "DOORSTEP_RECORD=1 records it again")
        #expect(port.screens.count == Self.steps.count)
    }
}
