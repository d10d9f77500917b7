import DoorstepPluginKit
import Testing

@testable import PermissionPlugins

@Suite("What pages say") struct WordsTests {
    private static let statuses: [AuthorizationStatus] =
        [.notDetermined, .restricted, .denied, .unavailable, .unknown] + GrantMode.allCases.map { .granted($0) }

    @Test func `each kind has words for each status in each language, and none shows the evidence`() async throws {
        try await ProbeBench.run { bench in
            let options: [String: JSONObject] = [
                "command": ["program": "tool"], "device-group": ["node": "/dev/a"], "file-access": ["path": "/a"],
                "linux-capability": ["capability": "cap_chown", "program": "a"], "polkit": ["action": "a.b"],
                "service": ["name": "a.b"],
            ]
            for plugin in PermissionPlugins.plugins(on: bench.machine) {
                for status in Self.statuses {
                    var seen: Set<String> = []
                    for language in ["en", "de", "ar", "ja"] {
                        let satisfaction = Satisfaction(
                            isSatisfied: status.mode != nil, status: status, basis: .ungated, evidence: "org.x /y")
                        var context = bench.context(satisfaction: satisfaction)
                        context.languages = LanguagePreferences([language])
                        let step = try BoundStep(plugin, options: options[plugin.kind] ?? [:], at: .root)
                        let page = try await step.page(in: context)
                        let words = try #require(page.status)
                        #expect(!words.contains("/") && !words.contains("org."), "\(words)")
                        #expect(!words.isEmpty && seen.insert(words).inserted, "\(plugin.kind) \(status) \(language)")
                    }
                }
            }
        }
    }

    @Test func `the primary action follows the state`() async throws {
        try await ProbeBench.run { bench in
            var bench = bench
            try bench.write("", to: "/usr/bin/gnome-control-center", executable: true)
            bench.environment["XDG_CURRENT_DESKTOP"] = "GNOME"
            bench.environment["WAYLAND_DISPLAY"] = "wayland-0"
            let step = try bench.step("location")
            for (status, primary) in [
                (.notDetermined, .perform(action: "ask", title: .allow)),
                (.denied, .perform(action: "settings", title: .openSettings)),
                (.restricted, .perform(action: "settings", title: .openSettings)),
                (.granted(.always), .complete(title: nil)),
            ] as [(AuthorizationStatus, StepPage.Primary)] {
                let satisfaction = Satisfaction(isSatisfied: status.mode != nil, status: status, evidence: "")
                let page = try await step.page(in: bench.context(satisfaction: satisfaction))
                #expect(page.primary == primary)
            }
        }
    }

    @Test func `a grant on a basis that doesn't count says what is missing`() async throws {
        try await ProbeBench.run { bench in
            let step = try bench.step("notifications", ["accept": ["explicit"]])
            let satisfaction = Satisfaction(
                isSatisfied: false, status: .granted(.always), basis: .ungated, evidence: "")
            let page = try await step.page(in: bench.context(satisfaction: satisfaction))
            #expect(page.status == "It works already, but nobody has agreed to it yet.")
        }
    }
}
