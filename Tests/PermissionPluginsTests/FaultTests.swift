import BusTestSupport
import DoorstepBus
import DoorstepPluginKit
import Foundation
import Testing

@testable import PermissionPlugins

/// One question that a kind asks a service, and how to get as far as asking it.
struct Question: Sendable, CustomTestStringConvertible {
    /// The kind, and which of its questions.
    let name: String
    let kind: String
    var options: JSONObject = [:]
    var bus = Bus.session
    /// Who is asked and misbehaves.
    let service: String
    /// What that service answers well before it.
    var healthy: [String: String] = [:]
    /// Another name that the service owns.
    var alsoOwning: String?
    /// An answer of the right type with something else inside, where the type leaves room for it.
    var contents: String?
    /// What makes the machine one on which the question is asked.
    var prepare: @Sendable (inout ProbeBench) throws -> Void = { _ in }

    var testDescription: String { name }
}

extension Question {
    private static let portal = "org.freedesktop.portal.Desktop"
    private static let notifications = "org.freedesktop.Notifications"
    private static let geoClue = "org.freedesktop.GeoClue2"
    private static let store = "org.freedesktop.impl.portal.PermissionStore"
    private static let lockdown = "org.freedesktop.impl.portal.desktop.example"
    private static let unknown = #""org.freedesktop.DBus.Error.UnknownProperty""#
    private static let method = #""org.freedesktop.DBus.Error.UnknownMethod""#
    /// Something that no property is.
    private static let odd = #"("v", dbus.Struct((7, 7)))"#

    private static let inSandbox: @Sendable (inout ProbeBench) throws -> Void = {
        try $0.enterSandbox(as: "com.example.Box")
    }
    private static let withCamera: @Sendable (inout ProbeBench) throws -> Void = { try $0.write("", to: "/dev/video0") }
    private static let withLockdown: @Sendable (inout ProbeBench) throws -> Void = { bench in
        try bench.write(
            "[portal]\nDBusName=\(lockdown)\nInterfaces=org.freedesktop.impl.portal.Lockdown;\n",
            to: "/usr/share/xdg-desktop-portal/portals/example.portal")
    }
    private static let withMicrophone: @Sendable (inout ProbeBench) throws -> Void = { bench in
        bench.environment["XDG_RUNTIME_DIR"] = "/run/user/1000"
        try bench.write("", to: "/run/user/1000/pipewire-0")
        try bench.write("00-00: a : a : capture 1\n", to: "/proc/asound/pcm")
    }
    /// Every question that any kind asks a service on a bus.
    static let all: [Question] = [
        Question(
            name: "notifications: who are you?", kind: "notifications", service: notifications,
            healthy: ["Get Inhibited": unknown, "Get paused": unknown, "GetCapabilities": method]),
        Question(
            name: "notifications: are you inhibited?", kind: "notifications", service: notifications,
            healthy: [
                "GetServerInformation": #"("ssss", "a", "b", "c", "d")"#, "Get paused": unknown,
                "GetCapabilities": method,
            ],
            contents: odd),
        Question(
            name: "notifications: are you paused?", kind: "notifications", service: notifications,
            healthy: [
                "GetServerInformation": #"("ssss", "a", "b", "c", "d")"#, "Get Inhibited": unknown,
                "GetCapabilities": method,
            ],
            contents: odd),
        Question(
            name: "notifications: what can you do?", kind: "notifications", service: notifications,
            healthy: [
                "GetServerInformation": #"("ssss", "a", "b", "c", "d")"#, "Get Inhibited": unknown,
                "Get paused": unknown,
            ]),
        Question(name: "notifications: what is stored?", kind: "notifications", service: store),
        Question(
            name: "location: have you a source?", kind: "location", bus: .system, service: geoClue, contents: odd),
        Question(name: "location: what is stored?", kind: "location", service: store),
        Question(
            name: "location: is it locked?", kind: "location", service: lockdown, contents: odd, prepare: withLockdown),
        Question(
            name: "camera: is one there?", kind: "camera", service: portal, contents: odd, prepare: inSandbox),
        Question(name: "camera: what is stored?", kind: "camera", service: store, prepare: withCamera),
        Question(
            name: "camera: is it locked?", kind: "camera", service: lockdown, contents: odd,
            prepare: { bench in
                try withCamera(&bench)
                try withLockdown(&bench)
            }),
        Question(name: "microphone: what is stored?", kind: "microphone", service: store, prepare: withMicrophone),
        Question(
            name: "microphone: is it locked?", kind: "microphone", service: lockdown, contents: odd,
            prepare: { bench in
                try withMicrophone(&bench)
                try withLockdown(&bench)
            }),
        Question(name: "screen-capture: what is there?", kind: "screen-capture", service: portal, contents: odd),
        Question(
            name: "screen-capture: what is stored?", kind: "screen-capture", service: portal,
            healthy: ["Get AvailableSourceTypes": #"("v", UInt32(1))"#], alsoOwning: store),
        Question(
            name: "screen-capture: whose is it?", kind: "screen-capture", service: portal,
            healthy: ["Get AvailableSourceTypes": #"("v", UInt32(1))"#, "List": #"("as", ["token"])"#],
            alsoOwning: store),
        Question(
            name: "camera: what is stored in a sandbox?", kind: "camera", service: portal,
            healthy: ["Get IsCameraPresent": #"("v", True)"#], alsoOwning: store, prepare: inSandbox),
        Question(name: "background: what is stored?", kind: "background", service: store),
        Question(name: "secrets: which is yours?", kind: "secrets", service: "org.freedesktop.secrets"),
        Question(
            name: "secrets: is it locked?", kind: "secrets", service: "org.freedesktop.secrets",
            healthy: ["ReadAlias": #"("o", "/login")"#], contents: odd),
        Question(
            name: "bluetooth: what have you got?", kind: "bluetooth", bus: .system, service: "org.bluez",
            contents: #"("a{oa{sa{sv}}}", {"/a": {"org.bluez.Adapter1": {"Powered": "yes"}}})"#),
        Question(
            name: "network: how are you?", kind: "network", bus: .system, service: "org.freedesktop.NetworkManager",
            contents: #"("a{sv}", {"Connectivity": "full"})"#),
        Question(
            name: "network: do you check?", kind: "network", bus: .system, service: "org.freedesktop.NetworkManager",
            contents: #"("a{sv}", {"Connectivity": UInt32(4), "ConnectivityCheckEnabled": "yes"})"#),
        Question(name: "linger: where is the user?", kind: "linger", bus: .system, service: "org.freedesktop.login1"),
        Question(
            name: "linger: does the user?", kind: "linger", bus: .system, service: "org.freedesktop.login1",
            healthy: ["GetUser": #"("o", "/user")"#], contents: odd),
        Question(
            name: "polkit: may this be?", kind: "polkit", options: ["action": "org.example.act"], bus: .system,
            service: "org.freedesktop.PolicyKit1"),
        Question(
            name: "accessibility: is it on?", kind: "accessibility", service: "org.a11y.Bus", contents: odd),
        Question(
            name: "service: where is the unit?", kind: "service", options: ["unit": "a.service"],
            service: "org.freedesktop.systemd1"),
        Question(
            name: "service: how is the unit?", kind: "service", options: ["unit": "a.service"],
            service: "org.freedesktop.systemd1", healthy: ["GetUnit": #"("o", "/unit")"#], contents: odd),
    ]
}

extension BusProbeTests {
    @Suite("Services that misbehave", .timeLimit(.minutes(1))) struct Faults {
        @Test(arguments: Question.all)
        func `whatever a service does instead of answering, nobody knows`(question: Question) async throws {
            try await ProbeBench.run(system: true) { bench, session, system in
                var bench = bench
                try question.prepare(&bench)
                try await FaultyService.run(
                    question.service, on: question.bus == .session ? session : system, healthy: question.healthy,
                    contents: question.contents ?? "None", alsoOwning: question.alsoOwning
                ) { service in
                    // The last one is its end.
                    for fault in FaultyService.Fault.allCases {
                        if fault == .wrongContents, question.contents == nil { continue }
                        try service.misbehave(fault)
                        let deadline = ContinuousClock.now + (fault == .silence ? .milliseconds(300) : .seconds(20))
                        let answer = try await bench.ask(
                            question.kind, question.options, within: ContinuousClock.now.duration(to: deadline))
                        #expect(answer.status == .unknown, "\(fault): \(answer.outline), \(answer.evidence)")
                        #expect(answer.isSatisfied == nil, "\(fault)")
                        #expect(!answer.evidence.isEmpty)
                        // Only silence is waited for, and not beyond the deadline.
                        #expect((ContinuousClock.now >= deadline) == (fault == .silence), "\(fault)")
                    }
                }
            }
        }

        @Test func `every kind that asks a bus has its questions here`() throws {
            let asking = Set(Question.all.map(\.kind))
            let others = ["command", "device-group", "file-access", "linux-capability"]
            #expect(asking.union(others) == Set(PermissionPlugins.all.map(\.kind)))
        }
    }
}
