package import DoorstepBus
internal import Foundation

/// A display of a test's own, for servers that don't come up without one.
package struct VirtualDisplay: Sendable {
    /// What `DISPLAY` must be.
    package let name: String

    /// Starts Xvfb on a free display, hands it to `body` once it takes clients, and ends it.
    package static func run(_ body: (VirtualDisplay) async throws -> Void) async throws {
        let process = try ChildProcess(
            ["Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "320x240x24"], isQuiet: true,
            package: "xvfb")
        defer { process.kill() }
        let number = try await process.line(orElse: "Xvfb gave no display: install the package xvfb")
        try await body(VirtualDisplay(name: ":" + number))
    }
}

/// A real service of the desktop or the machine, as Debian packages it.
package struct RealService: Sendable {
    package let process: ChildProcess
    package let bus: PrivateBus

    /// Starts a program on a private bus, hands it over once it owns its name, and ends it.
    package static func run(
        _ arguments: [String], owning name: String, on bus: PrivateBus, environment: [String: String] = [:],
        package: String, _ body: (RealService) async throws -> Void
    ) async throws {
        var variables = [
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "DBUS_SYSTEM_BUS_ADDRESS": bus.address, "HOME": bus.directory,
            "XDG_RUNTIME_DIR": bus.directory, "XDG_DATA_HOME": bus.directory + "/data", "LC_ALL": "C.UTF-8",
            "GSETTINGS_BACKEND": "memory",
        ]
        variables.merge(environment) { $1 }
        let process = try ChildProcess(arguments, environment: variables, isQuiet: true, package: package)
        defer { process.kill() }
        try await bus.wait(for: name, orElse: "\(arguments[0]) didn't come up: install the package \(package)")
        try await body(RealService(process: process, bus: bus))
    }

    /// dunst, a notification daemon.
    package static func dunst(on bus: PrivateBus, _ body: (RealService) async throws -> Void) async throws {
        try await VirtualDisplay.run { display in
            try await run(
                ["dunst"], owning: "org.freedesktop.Notifications", on: bus, environment: ["DISPLAY": display.name],
                package: "dunst", body)
        }
    }

    /// GeoClue, which tells where the machine is.
    package static func geoClue(on bus: PrivateBus, _ body: (RealService) async throws -> Void) async throws {
        try await run(
            ["/usr/libexec/geoclue"], owning: "org.freedesktop.GeoClue2", on: bus, package: "geoclue-2.0", body)
    }

    /// GeoClue's own agent, which answers for the user on a bus that has GeoClue, or who says so.
    package static func geoClueAgent(on bus: PrivateBus, _ body: (ChildProcess) async throws -> Void) async throws {
        let agent = try startGeoClueAgent(on: bus)
        defer { agent.kill() }
        // It says so once it has seen the service.
        _ = try await agent.line(orElse: "GeoClue's agent didn't come up: install the package geoclue-2.0")
        try await body(agent)
    }

    /// Starts GeoClue's own agent, without waiting for it.
    package static func startGeoClueAgent(on bus: PrivateBus) throws -> ChildProcess {
        try ChildProcess(
            ["/usr/libexec/geoclue-2.0/demos/agent"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "GSETTINGS_BACKEND": "memory", "LC_ALL": "C.UTF-8"],
            isQuiet: true, package: "geoclue-2.0")
    }

    /// dconf's service, which writes what GSettings keeps in a configuration directory.
    package static func dconf(
        on bus: PrivateBus, configuration: String, _ body: (RealService) async throws -> Void
    ) async throws {
        try await run(
            ["/usr/libexec/dconf-service"], owning: "ca.desrt.dconf", on: bus,
            environment: ["XDG_CONFIG_HOME": configuration], package: "dconf-service", body)
    }

    /// GNOME's key ring with an unlocked default collection.
    package static func keyRing(on bus: PrivateBus, _ body: (RealService) async throws -> Void) async throws {
        let password = bus.directory + "/password"
        try "secret".write(toFile: password, atomically: true, encoding: .utf8)
        // The daemon reads the password from its input; "exec" keeps the process that is waited for.
        let command = "exec gnome-keyring-daemon --unlock --components=secrets --foreground <\(password)"
        try await run(
            ["/bin/sh", "-c", command], owning: "org.freedesktop.secrets", on: bus, package: "gnome-keyring", body)
    }

    /// The accessibility bus' launcher.
    package static func accessibility(on bus: PrivateBus, _ body: (RealService) async throws -> Void) async throws {
        try await run(
            ["/usr/libexec/at-spi-bus-launcher"], owning: "org.a11y.Bus", on: bus, package: "at-spi2-core", body)
    }

    /// The desktop portal, without a backend.
    package static func portal(on bus: PrivateBus, _ body: (RealService) async throws -> Void) async throws {
        try await run(
            ["/usr/libexec/xdg-desktop-portal"], owning: "org.freedesktop.portal.Desktop", on: bus,
            environment: ["XDG_CURRENT_DESKTOP": "none"], package: "xdg-desktop-portal", body)
    }

    /// The portals' permission store.
    package static func permissionStore(on bus: PrivateBus, _ body: (RealService) async throws -> Void) async throws {
        try await run(
            ["/usr/libexec/xdg-permission-store"], owning: "org.freedesktop.impl.portal.PermissionStore", on: bus,
            package: "xdg-desktop-portal", body)
    }
}

extension PrivateBus {
    /// Sets a property, as the service's own tools do.
    package func set(
        _ property: String, of interface: String, at path: String, on name: String, to value: BusValue
    ) async throws {
        let client = BusClient(environment: environment)
        defer { client.close() }
        _ = try await client.call(
            .session, destination: name, path: path, interface: "org.freedesktop.DBus.Properties", member: "Set",
            arguments: [.string(interface), .string(property), .variant(value)], deadline: .now + .seconds(20))
    }

    /// Stores what was decided for an app in the portals' permission store, which must run.
    package func decide(_ words: [String], for app: String, in table: String, _ id: String) async throws {
        let client = BusClient(environment: environment)
        defer { client.close() }
        let name = "org.freedesktop.impl.portal.PermissionStore"
        _ = try await client.call(
            .session, destination: name, path: "/org/freedesktop/impl/portal/PermissionStore", interface: name,
            member: "SetPermission",
            arguments: [
                .string(table), .bool(true), .string(id), .string(app), .array(of: "s", words.map(BusValue.string)),
            ], deadline: .now + .seconds(20))
    }
}
