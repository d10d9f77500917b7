import Foundation

@testable import DoorstepBus

/// A python-dbusmock service on a private bus.
struct MockService: Sendable {
    static let path = "/org/example/Doorstep"
    static let interface = "org.example.Doorstep"

    let name: String
    let process: ChildProcess

    /// Starts a service, hands it to `body` once it owns `name`, and ends it whatever happens.
    static func run(
        _ name: String = "org.example.Doorstep", on bus: PrivateBus, _ body: (MockService) async throws -> Void
    ) async throws {
        // The system's own Python: Debian's modules are invisible to any other.
        let process = try ChildProcess(
            ["/usr/bin/python3", "-c", script, name, path, interface], environment: bus.environment,
            package: "python3")
        defer { process.kill() }
        _ = try await process.line(orElse: "the mock service didn't come up: install the package python3-dbusmock")
        try await body(MockService(name: name, process: process))
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
        import ctypes, sys
        import dbus, dbus.service, dbus.mainloop.glib, dbusmock.mockobject
        name, path, interface = sys.argv[1:]
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        owned = dbus.service.BusName(name, dbus.SessionBus(), do_not_queue=True)
        mock = dbusmock.mockobject.DBusMockObject(owned, path, interface, {}, "/dev/null")
        dbusmock.mockobject.objects[path] = mock
        mock.AddMethods(interface, [
            ("GetServerInformation", "", "ssss", "ret = ('mock', 'doorstep', '1.0', '1.2')"),
            ("Echo", "v", "v", "ret = args[0]"),
            ("Add", "uu", "u", "ret = args[0] + args[1]"),
            ("Nothing", "", "", ""),
            ("Fail", "", "", "raise dbus.exceptions.DBusException('It broke.', name='org.example.Error.Broken')"),
            ("Vanish", "", "", "import os; os._exit(0)"),
            ("Kill", "u", "", "import os, signal; os.kill(args[0], signal.SIGKILL)"),
            ("Announce", "", "", "import time; print('called', flush=True); time.sleep(60)"),
        ])
        mock.AddProperties(interface, {
            "version": dbus.UInt32(4), "Label": "a label", "Enabled": True,
            "Levels": dbus.Dictionary({"a": dbus.Array([1, 2], signature="i")}, signature="sv"),
        })
        print("ready", flush=True)
        loop = ctypes.cdll.LoadLibrary("libglib-2.0.so.0")
        while True:
            loop.g_main_context_iteration(None, True)
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
