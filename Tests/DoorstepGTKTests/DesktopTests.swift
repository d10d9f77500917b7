#if GTK
import Foundation
import DoorstepTestSupport
import Testing

extension WindowTests {
    @Suite("The built programs on a desktop")
    @MainActor
    struct DesktopTests {
        /// What a flow is done with and on.
        struct Way: Sendable, CustomTestStringConvertible {
            var hands: String
            var language: String
            var scheme = "light"

            var testDescription: String { "by \(hands), \(language), \(scheme)" }

            static let all = ["actions", "keyboard"].flatMap { hands in
                ["en", "de", "ar"].flatMap { language in
                    ["light", "dark"].map { Way(hands: hands, language: language, scheme: $0) }
                }
            }
        }

        private nonisolated static let apps = ["com.example.trailmates", "com.example.aurora", "com.example.lantern"]

        @Test(arguments: apps, Way.all)
        func `The example flows are done by assistive technology and by keyboard, in every language, light and dark`(
            app: String, way: Way
        ) throws {
            try go(through: app, way)
        }

        @Test(arguments: zip(apps, ["ar", "en", "de"]))
        func `With high contrast the example flows are clicked through`(app: String, language: String) throws {
            try go(
                through: app, Way(hands: "pointer", language: language), look: "contrast",
                ["ADW_DEBUG_HIGH_CONTRAST": "1"])
        }

        @Test(arguments: apps)
        func `With text twice as large the example flows are clicked through`(app: String) throws {
            try go(
                through: app, Way(hands: "pointer", language: "de"), look: "large", resources: "Xft.dpi: 192",
                lines: 28...40)
        }

        /// Does an app's flow in the built program; nothing is left to ask then, and the answers are stored.
        private func go(
            through app: String, _ way: Way, look: String = "plain", _ variables: [String: String] = [:],
            resources: String = "", lines: ClosedRange<Int> = 12...20
        ) throws {
            let home = try Desktop.home()
            defer { try? FileManager.default.removeItem(at: home) }
            // The settings of a user without a desktop's daemon.
            try Data("\(resources)\n".utf8).write(to: home.appending(component: ".Xdefaults"))
            var environment = Desktop.environment(
                home: home, language: way.language,
                variables.merging(["ADW_DEBUG_COLOR_SCHEME": "prefer-\(way.scheme)"]) { $1 })
            if let directory = ProcessInfo.processInfo.environment["DOORSTEP_PICTURES"] {
                environment["DOORSTEP_PICTURES"] =
                    "\(directory)/\(look)-\(app)-\(way.hands)-\(way.language)-\(way.scheme)"
            }
            let result = try Desktop.run(
                "flow.py", [app, way.hands, way.language, Desktop.program("doorstep-gtk")], environment: environment)
            #expect(result.status == 0, "\(result.output)")
            let line = result.output.split(separator: "\n").compactMap { Int($0.replacing("line height: ", with: "")) }
                .first
            #expect(lines.contains(line ?? 0), "\(result.output)")
            let needs = try Desktop.run([Desktop.program("doorstep"), "needs", app], environment: environment)
            #expect(needs.status == 1, "\(needs.output)")
            guard app != "com.example.lantern" else { return }
            let profile = try Desktop.run(
                [Desktop.program("doorstep"), "profile", app, "--json"], environment: environment)
            // A click on a slider is less exact.
            for answer in ["Ada", "female"] + (way.hands == "pointer" ? [] : ["44"]) {
                #expect(profile.output.contains(answer), "\(profile.output)")
            }
        }

        @Test func `doorstep run opens the window where it is wanted, and in a graphical session unasked`() throws {
            for arguments in [["--ui", "gtk"], []] {
                let home = try Desktop.home()
                defer { try? FileManager.default.removeItem(at: home) }
                let environment = Desktop.environment(home: home, language: "en")
                let result = try Desktop.run(
                    "lantern.py", [Desktop.program("doorstep"), "run", "com.example.lantern"] + arguments,
                    environment: environment)
                #expect(result.status == 0, "\(result.output)")
            }
        }

        @Test func `A policy file that can't be used is named once, by the program that shows the pages`() throws {
            let home = try Desktop.home()
            defer { try? FileManager.default.removeItem(at: home) }
            let policy = home.appending(component: "policy.d")
            try FileManager.default.createDirectory(at: policy, withIntermediateDirectories: true)
            try Data("{".utf8).write(to: policy.appending(component: "10.json"))
            var environment = Desktop.environment(
                home: home, language: "en", ["DOORSTEP_POLICY_PATH": policy.path])
            let run = [Desktop.program("doorstep"), "run", "com.example.lantern"]
            func warnings(_ result: Desktop.Result) -> Int {
                result.output.components(separatedBy: "warning: policy ignored").count - 1
            }
            // Two windows, one after the other.
            let shown = try Desktop.run("lantern.py", run, environment: environment)
            #expect(shown.status == 0 && warnings(shown) == 2, "\(shown.output)")
            environment["DISPLAY"] = ":4242"
            environment["DOORSTEP_SUITE"] = home.appending(component: "unanswered.db").path
            for command in [run + ["--ui", "gtk"], [Desktop.program("doorstep-gtk"), run[2], "--otherwise", "plain"]] {
                let refused = try Desktop.run(command, environment: environment)
                #expect(refused.status == 69 && warnings(refused) == 1, "\(refused.output)")
            }
        }

        @Test func `Without a display, it is said that no window can be opened, and nothing is recorded`() throws {
            let home = try Desktop.home()
            defer { try? FileManager.default.removeItem(at: home) }
            var environment = Desktop.environment(home: home, language: "en")
            environment["DISPLAY"] = ":4242"
            let result = try Desktop.run(
                [Desktop.program("doorstep"), "run", "com.example.lantern", "--ui", "gtk"], environment: environment)
            #expect(result.status == 69)
            #expect(result.output.contains("no window can be opened"), "\(result.output)")
            #expect(!FileManager.default.fileExists(atPath: home.appending(component: "suite.db").path))
        }

        @Test func `Where no window can be opened, the pages come up on the terminal instead`() throws {
            let home = try Desktop.home()
            defer { try? FileManager.default.removeItem(at: home) }
            var environment = Desktop.environment(home: home, language: "en")
            environment["DISPLAY"] = ":4242"
            let result = try Desktop.run(
                [
                    Desktop.program("doorstep-gtk"), "com.example.lantern", "--otherwise", "plain",
                ], environment: environment)
            // Here there is no terminal either, and the command at it says so.
            #expect(result.status == 69)
            #expect(result.output.contains("there is no terminal to show them on"), "\(result.output)")
        }

        @Test
        func `Where doorstep-gtk isn't installed, it is said what to do, and a session's default is the terminal`()
            throws
        {
            let home = try Desktop.home()
            defer { try? FileManager.default.removeItem(at: home) }
            let alone = home.appending(component: "doorstep").path
            try #require(TestProgram.install(Desktop.program("doorstep"), at: alone))
            let environment = Desktop.environment(home: home, language: "en")
            let wanted = try Desktop.run(
                [alone, "run", "com.example.lantern", "--ui", "gtk"], environment: environment)
            #expect(wanted.status == 69)
            #expect(wanted.output.contains("doorstep-gtk"), "\(wanted.output)")
            let unasked = try Desktop.run([alone, "run", "com.example.lantern"], environment: environment)
            #expect(unasked.status == 69)
            #expect(unasked.output.contains("there is no terminal to show them on"), "\(unasked.output)")
        }

        @Test func `The example app goes from its gate to its main window and back by signing out`() throws {
            let home = try Desktop.home()
            defer { try? FileManager.default.removeItem(at: home) }
            let result = try Desktop.run(
                "example.py", [Desktop.program("aurora-gtk")],
                environment: Desktop.environment(home: home, language: "en"))
            #expect(result.status == 0, "\(result.output)")
        }
    }
}
#endif
