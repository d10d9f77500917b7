import BusTestSupport
import DoorstepBus

/// The service that these tests talk to.
extension MockService {
    static let path = "/org/example/Doorstep"
    static let interface = "org.example.Doorstep"

    /// Starts a service of that kind.
    static func run(
        _ name: String = "org.example.Doorstep", on bus: PrivateBus, _ body: (MockService) async throws -> Void
    ) async throws {
        try await run(name, on: bus, script: script, body)
    }

    /// Starts several services one inside the other.
    static func run(
        _ names: [String], on bus: PrivateBus, _ body: ([MockService]) async throws -> Void
    ) async throws {
        guard let first = names.first else { return try await body([]) }
        try await run(first, on: bus) { service in
            try await run(Array(names.dropFirst()), on: bus) { others in try await body([service] + others) }
        }
    }

    private static let script = """
        object("\(path)", "\(interface)", [
            ("GetServerInformation", "", "ssss", "ret = ('mock', 'doorstep', '1.0', '1.2')"),
            ("Echo", "v", "v", "ret = args[0]"),
            ("Add", "uu", "u", "ret = args[0] + args[1]"),
            ("Nothing", "", "", ""),
            ("Fail", "", "", "raise dbus.exceptions.DBusException('It broke.', name='org.example.Error.Broken')"),
            ("Vanish", "", "", "import os; os._exit(0)"),
            ("Kill", "u", "", "import os, signal; os.kill(args[0], signal.SIGKILL)"),
            ("Announce", "", "", "import time; print('called', flush=True); time.sleep(60)"),
        ], {
            "version": UInt32(4), "Label": "a label", "Enabled": True,
            "Levels": Dictionary({"a": Array([1, 2], signature="i")}, signature="sv"),
        })
        """
}

extension BusClient {
    /// Calls a method of the mock service.
    func ask(
        _ service: MockService, _ member: String, _ arguments: [BusValue] = [], on bus: Bus = .session,
        expecting signature: String? = nil, within: Duration = .seconds(20)
    ) async throws(BusError) -> [BusValue] {
        try await call(
            bus, destination: service.name, path: MockService.path, interface: MockService.interface, member: member,
            arguments: arguments, expecting: signature, deadline: .now + within)
    }
}
