import BusTestSupport
import DoorstepBus
import DoorstepPluginKit
import Testing

@testable import PermissionPlugins

@Suite("Permission plugins") struct PermissionPluginTests {
    @Test func `each kind has a name of its own, help and a check`() {
        let plugins = PermissionPlugins.all
        #expect(Set(plugins.map(\.kind)).count == plugins.count)
        #expect(
            plugins.map(\.kind).sorted() == [
                "accessibility", "background", "bluetooth", "camera", "command", "device-group", "file-access",
                "linger",
                "linux-capability", "location", "microphone", "network", "notifications", "polkit", "screen-capture",
                "secrets", "service",
            ])
        for plugin in plugins {
            #expect(plugin.hasCheck)
            #expect(!plugin.summary.isEmpty && !plugin.summary.hasSuffix("."))
            #expect(plugin.optionHelp.map(\.name).contains("timeout"))
        }
    }

    @Test func `only kinds that look the app up are asked for each app`() {
        let ofApps = PermissionPlugins.all.filter { $0.checkSubject != .user }
        #expect(ofApps.allSatisfy { $0.checkSubject == .app })
        #expect(
            ofApps.map(\.kind) == [
                "background", "camera", "location", "microphone", "notifications", "screen-capture",
            ])
    }

    @Test(
        arguments: [
            ("command", [:]), ("command", ["program": "a", "minimumVersion": "new"]), ("device-group", [:]),
            ("device-group", ["node": "ttyUSB0"]), ("file-access", ["path": "notes"]),
            ("file-access", ["path": "/a", "mode": "eat"]),
            ("linux-capability", ["capability": "cap_net_bin", "program": "a"]),
            ("location", ["accuracy": "galaxy"]), ("polkit", ["action": "act"]), ("service", [:]),
            ("service", ["name": "a.b", "unit": "a.service"]), ("service", ["unit": "a"]),
            ("camera", ["timeout": "soon"]),
            ("camera", ["accept": ["luck"]]), ("camera", ["colour": true]), ("network", ["portalID": 1]),
        ] as [(String, JSONObject)])
    func `a mistake in the options is a fault with its path`(kind: String, options: JSONObject) throws {
        let plugin = try #require(PermissionPlugins.all.first { $0.kind == kind })
        #expect(throws: JSONFaults.self) { try BoundStep(plugin, options: options, at: JSONPath(elements: [])) }
    }

    @Test func `a timeout of the options is the check's own`() throws {
        let plugin = try #require(PermissionPlugins.all.first { $0.kind == "location" })
        #expect(try BoundStep(plugin, options: ["timeout": "3s"], at: JSONPath(elements: [])).timeout == .seconds(3))
    }

    @Test func `a page offers another look until the check is satisfied`() async throws {
        try await ProbeBench.run { bench in
            let plugin = try #require(PermissionPlugins.all.first { $0.kind == "notifications" })
            let step = try BoundStep(plugin, options: [:], at: JSONPath(elements: []))
            let denied = Satisfaction(isSatisfied: false, status: .denied, evidence: "somebody said no")
            let page = try await step.page(in: bench.context(satisfaction: denied))
            #expect(page.title == "Notifications")
            #expect(page.status == "This app isn’t allowed to.")
            #expect(page.primary == .perform(action: "check", title: .tryAgain))
            let granted = Satisfaction(isSatisfied: true, status: .granted(.always), basis: .ungated, evidence: "fine")
            let open = try await step.page(in: bench.context(satisfaction: granted))
            #expect(open.primary == .complete(title: nil))
            let unasked = try await step.page(in: bench.context())
            #expect(unasked.primary == .perform(action: "check", title: .next))

            try await step.perform("check", in: bench.context())
            await #expect(throws: PluginError.self) { try await step.perform("grant", in: bench.context()) }
        }
    }

    private static let freedesktop = "org.freedesktop.DBus.Error."

    @Test(
        arguments: [
            (.unavailable(.session, .noAddress), .unavailable), (.unavailable(.system, .notAllowed), .unavailable),
            (.timeout, .unknown), (.disconnected, .unknown), (.cancelled, .unknown),
            (.invalidReply(expected: "b", found: "s"), .unknown),
            (.remote(name: freedesktop + "UnknownInterface", message: ""), .unavailable),
            (.remote(name: freedesktop + "UnknownMethod", message: ""), .unavailable),
            (.remote(name: freedesktop + "InvalidArgs", message: "No such interface"), .unavailable),
            (.remote(name: freedesktop + "InvalidArgs", message: "Wrong"), .unknown),
            (.remote(name: freedesktop + "NoReply", message: ""), .unknown),
            (.remote(name: freedesktop + "NameHasNoOwner", message: ""), .unknown),
            (.remote(name: freedesktop + "Spawn.ChildExited", message: ""), .unknown),
            (.remote(name: "org.freedesktop.portal.Error.NotFound", message: ""), .notDetermined),
            (.remote(name: "org.freedesktop.portal.Error.Failed", message: "Unable to load db file"), .unknown),
        ] as [(BusError, AuthorizationStatus)])
    func `an error instead of an answer has a status, and is never denied`(
        error: BusError, status: AuthorizationStatus
    ) {
        let finding = Finding(error)
        #expect(finding.status == status)
        #expect(finding.evidence == error.description)
    }
}
