internal import Foundation

/// A python-dbusmock service on a private bus.
package struct MockService: Sendable {
    package let name: String
    package let process: ChildProcess

    /// Starts a service, hands it to `body` once it owns its name, and ends it whatever happens.
    ///
    /// - Parameters:
    ///   - name: The bus name that it owns.
    ///   - bus: Where it runs; the service takes it for the session bus.
    ///   - script: Python that makes its objects: `object(path, interface, methods, properties)`, with each method as
    ///     `(name, signature in, signature out, code)`, in which `args` are the arguments and `ret` is the answer.
    package static func run(
        _ name: String, on bus: PrivateBus, script: String, _ body: (MockService) async throws -> Void
    ) async throws {
        // The system's own Python: Debian's modules are invisible to any other.
        let process = try ChildProcess(
            ["/usr/bin/python3", "-c", preamble + script + "\n" + postamble, name], environment: bus.environment,
            package: "python3")
        defer { process.kill() }
        _ = try await process.line(orElse: "the mock service didn't come up: install the package python3-dbusmock")
        try await body(MockService(name: name, process: process))
    }

    private static let preamble = """
        import ctypes, sys
        import dbus, dbus.service, dbus.mainloop.glib
        from dbusmock.mockobject import DBusMockObject, objects
        from dbus import Array, Boolean, Dictionary, ObjectPath, String, Struct, UInt32
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        owned = dbus.service.BusName(sys.argv[1], dbus.SessionBus(), do_not_queue=True)
        def object(path, interface, methods=[], properties={}):
            mock = objects.get(path)
            if mock is None:
                mock = objects[path] = DBusMockObject(owned, path, interface, {}, "/dev/null")
            mock.AddMethods(interface, methods)
            if properties:
                mock.AddProperties(interface, properties)
            return mock

        """

    private static let postamble = """
        print("ready", flush=True)
        loop = ctypes.cdll.LoadLibrary("libglib-2.0.so.0")
        while True:
            loop.g_main_context_iteration(None, True)
        """
}
