package import DoorstepBus

/// A service as one of python-dbusmock's own templates imitates it.
package struct MockTemplate: Sendable {
    package let name: String
    /// The object that takes the template's own methods.
    package let path: String
    package let bus: PrivateBus

    /// Starts a template on a private bus, hands it to `body` once it owns its name, and ends it.
    package static func run(
        _ template: String, owning name: String, at path: String, on bus: PrivateBus,
        _ body: (MockTemplate) async throws -> Void
    ) async throws {
        // The system's own Python: Debian's modules are invisible to any other.
        let arguments = ["/usr/bin/python3", "-m", "dbusmock", "--template", template, "--logfile", "/dev/null"]
        try await RealService.run(arguments, owning: name, on: bus, package: "python3-dbusmock") { _ in
            try await body(MockTemplate(name: name, path: path, bus: bus))
        }
    }

    /// BlueZ, without adapters.
    package static func bluez(on bus: PrivateBus, _ body: (MockTemplate) async throws -> Void) async throws {
        try await run("bluez5", owning: "org.bluez", at: "/org/bluez", on: bus, body)
    }

    /// NetworkManager, whose template lacks what it says of costs and of its own checks.
    package static func networkManager(on bus: PrivateBus, _ body: (MockTemplate) async throws -> Void) async throws {
        let name = "org.freedesktop.NetworkManager"
        try await run("networkmanager", owning: name, at: "/org/freedesktop", on: bus) { template in
            for (property, value) in ["Metered": .uint32(0), "ConnectivityCheckEnabled": .bool(false)]
                as [String: BusValue]
            {
                try await template.call(
                    "AddProperty", .string(name), .string(property), .variant(value),
                    at: "/org/freedesktop/NetworkManager")
            }
            try await body(template)
        }
    }

    /// polkit, which allows nothing.
    package static func polkit(on bus: PrivateBus, _ body: (MockTemplate) async throws -> Void) async throws {
        try await run(
            "polkitd", owning: "org.freedesktop.PolicyKit1", at: "/org/freedesktop/PolicyKit1/Authority", on: bus, body)
    }

    /// logind, whose template's own way to a user fails, so that it gets another one.
    package static func logind(on bus: PrivateBus, _ body: (MockTemplate) async throws -> Void) async throws {
        let path = "/org/freedesktop/login1"
        try await run("logind", owning: "org.freedesktop.login1", at: path, on: bus) { template in
            let code = """
                path = "/org/freedesktop/login1/user/%d" % args[0]
                if path not in objects:
                    raise dbus.exceptions.DBusException("nobody", name="org.freedesktop.login1.NoSuchUser")
                ret = path
                """
            try await template.call(
                "AddMethod", .string("org.freedesktop.login1.Manager"), .string("GetUser"), .string("u"), .string("o"),
                .string(code))
            try await body(template)
        }
    }

    /// Calls a method of the template or of python-dbusmock.
    package func call(
        _ member: String, _ arguments: BusValue..., at path: String? = nil,
        interface: String = "org.freedesktop.DBus.Mock"
    ) async throws {
        let client = BusClient(environment: bus.environment)
        defer { client.close() }
        _ = try await client.call(
            .session, destination: name, path: path ?? self.path, interface: interface, member: member,
            arguments: arguments, deadline: .now + .seconds(20))
    }

    /// Changes properties and tells of it.
    package func update(_ properties: [String: BusValue], of interface: String, at path: String) async throws {
        var entries: [BusValue: BusValue] = [:]
        for (name, value) in properties { entries[.string(name)] = .variant(value) }
        try await call("UpdateProperties", .string(interface), .dictionary(key: "s", value: "v", entries), at: path)
    }
}
