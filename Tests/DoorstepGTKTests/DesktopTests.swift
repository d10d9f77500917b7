#if GTK
import Foundation
import DoorstepTestSupport
import Testing

extension WindowTests {
    @Suite("The built programs on a desktop")
    @MainActor
    struct DesktopTests {
        @Test(arguments: ["en", "de", "ar"], ["actions", "keyboard"])
        func `The sign-up flow is done by assistive technology and by keyboard, in every language`(
            language: String, way: String
        ) throws {
            let home = try Desktop.home()
            defer { try? FileManager.default.removeItem(at: home) }
            let environment = Desktop.environment(home: home, language: language)
            let result = try Desktop.run(
                "trailmates.py", [Desktop.program("doorstep-gtk"), way, language], environment: environment)
            #expect(result.status == 0, "\(result.output)")
            let profile = try Desktop.run(
                [Desktop.program("doorstep"), "profile", "com.example.trailmates", "--json"], environment: environment)
            for answer in ["Ada", "44", "female"] { #expect(profile.output.contains(answer), "\(profile.output)") }
        }

        @Test(arguments: ["dark", "light"])
        func `The flow with permissions is done on a light desktop and on a dark one`(scheme: String) throws {
            let home = try Desktop.home()
            defer { try? FileManager.default.removeItem(at: home) }
            let environment = Desktop.environment(
                home: home, language: "en", ["ADW_DEBUG_COLOR_SCHEME": "prefer-\(scheme)"])
            let result = try Desktop.run("aurora.py", [Desktop.program("doorstep-gtk")], environment: environment)
            #expect(result.status == 0, "\(result.output)")
            let show = try Desktop.run(
                [Desktop.program("doorstep"), "needs", "com.example.aurora"], environment: environment)
            #expect(show.status == 1, "\(show.output)")
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
