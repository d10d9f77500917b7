import BusTestSupport
import DoorstepBus
import DoorstepPluginKit
import DoorstepTestSupport
import Foundation
import Testing

@testable import PermissionPlugins

/// What a test of probes stands on: a machine whose files are a directory, an environment, and up to two buses.
struct ProbeBench: Sendable {
    static let app = "com.example.aurora"

    let directory: String
    var machine: Machine
    var environment: [String: String]

    /// A bench without any bus.
    static func run(_ body: (ProbeBench) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            var machine = Machine(root: directory)
            machine.isRoot = false
            let environment = [
                "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(directory)/no-system-bus", "HOME": "/home/aurora",
                "PATH": "/usr/bin:/bin",
            ]
            try await body(ProbeBench(directory: directory, machine: machine, environment: environment))
        }
    }

    /// A bench with a session bus, and a system bus where one is wanted.
    static func run(
        system: Bool = false, _ body: (ProbeBench, _ session: PrivateBus, _ system: PrivateBus) async throws -> Void
    ) async throws {
        try await run { bench in
            try await PrivateBus.run { session in
                var bench = bench
                bench.environment["DBUS_SESSION_BUS_ADDRESS"] = session.address
                guard system else { return try await body(bench, session, session) }
                try await PrivateBus.run { [bench] system in
                    var bench = bench
                    bench.environment["DBUS_SYSTEM_BUS_ADDRESS"] = system.address
                    try await body(bench, session, system)
                }
            }
        }
    }

    /// Puts a file into the machine.
    func write(_ text: String, to path: String, executable: Bool = false) throws {
        let url = URL(fileURLWithPath: directory + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        guard executable else { return try text.write(to: url, atomically: true, encoding: .utf8) }
        let written = url.appendingPathExtension("text")
        try text.write(to: written, atomically: true, encoding: .utf8)
        try #require(TestProgram.install(written.path, at: url.path))
        try FileManager.default.removeItem(at: written)
    }

    /// Lets the machine have the real processes, and with them who is behind a connection.
    func showProcesses() throws {
        try FileManager.default.createSymbolicLink(atPath: directory + "/proc", withDestinationPath: "/proc")
    }

    /// Makes the machine a sandbox that knows the app by this name.
    func enterSandbox(as name: String) throws {
        try write("[Application]\nname=\(name)\n", to: "/.flatpak-info")
    }

    /// Asks a step of this kind, in a pass of its own.
    func ask(_ kind: String, _ options: JSONObject = [:], within: Duration = .seconds(20)) async throws -> Satisfaction
    {
        let plugin = try #require(PermissionPlugins.plugins(on: machine).first { $0.kind == kind })
        let step = try BoundStep(plugin, options: options, at: JSONPath(elements: []))
        return await step.satisfaction(in: context(within: within))
    }

    /// Expects a step of this kind to answer with this outline.
    func expect(
        _ kind: String, _ options: JSONObject = [:], within: Duration = .seconds(20), is outline: String,
        _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await ask(kind, options, within: within)
        #expect(answer.outline == outline, comment ?? "\(answer.evidence)", sourceLocation: sourceLocation)
    }

    /// Expects a step of this kind to be satisfied, not satisfied, or unable to tell.
    func expect(
        _ kind: String, _ options: JSONObject = [:], within: Duration = .seconds(20), isSatisfied: Bool?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await ask(kind, options, within: within)
        #expect(answer.isSatisfied == isSatisfied, "\(answer.evidence)", sourceLocation: sourceLocation)
    }

    /// A context for one check or page.
    func context(within: Duration = .seconds(20), satisfaction: Satisfaction? = nil) -> StepContext {
        StepContext(
            app: Self.app, appName: "Aurora", step: OnboardingStepConfig(id: "com.example.aurora.step"),
            languages: LanguagePreferences(["en"]), deadline: .now + within, environment: environment,
            scope: PassScope(), satisfaction: satisfaction)
    }
}

extension Satisfaction {
    /// Status, mode and basis in one word each, as far as they are there: what most tests compare.
    var outline: String {
        ([status.name, status.mode?.rawValue, basis?.rawValue] as [String?]).compactMap(\.self).joined(separator: " ")
    }
}

/// The real permission store, on a private bus and with a directory of its own.
struct PermissionStoreProcess {
    let bus: PrivateBus

    static func run(on bus: PrivateBus, _ body: (PermissionStoreProcess) async throws -> Void) async throws {
        var environment = bus.environment
        environment["HOME"] = bus.directory
        environment["XDG_DATA_HOME"] = bus.directory + "/data"
        let process = try ChildProcess(
            ["/usr/libexec/xdg-permission-store"], environment: environment, package: "xdg-desktop-portal")
        defer { process.kill() }
        try await bus.wait(
            for: "org.freedesktop.impl.portal.PermissionStore",
            orElse: "the permission store didn't come up: install the package xdg-desktop-portal")
        try await body(PermissionStoreProcess(bus: bus))
    }

    /// Stores what was decided for an app.
    func set(_ table: String, _ id: String, app: String = ProbeBench.app, _ words: [String]) async throws {
        try await bus.decide(words, for: app, in: table, id)
    }
}
