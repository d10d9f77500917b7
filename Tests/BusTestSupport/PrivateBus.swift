internal import DoorstepBus
internal import Foundation

/// A message bus of a test's own, in a directory of its own.
package struct PrivateBus: Sendable {
    package let directory: String
    package let daemon: ChildProcess

    package var address: String { "unix:path=\(directory)/bus" }
    /// An environment in which this bus is the session's.
    package var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address] }

    /// Starts a bus, hands it to `body` and ends it whatever happens.
    package static func run(_ body: (PrivateBus) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            try FileManager.default.createDirectory(atPath: directory + "/services", withIntermediateDirectories: true)
            let configuration = """
                <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
                 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
                <busconfig>
                  <type>session</type>
                  <listen>unix:path=\(directory)/bus</listen>
                  <auth>EXTERNAL</auth>
                  <servicedir>\(directory)/services</servicedir>
                  <policy context="default">
                    <allow send_destination="*" eavesdrop="true"/>
                    <allow eavesdrop="true"/>
                    <allow own="*"/>
                  </policy>
                </busconfig>
                """
            try configuration.write(toFile: directory + "/bus.conf", atomically: true, encoding: .utf8)
            let daemon = try ChildProcess(
                ["dbus-daemon", "--config-file=\(directory)/bus.conf", "--print-address", "--nofork"],
                isQuiet: true, package: "dbus-daemon")
            defer { daemon.kill() }
            _ = try await daemon.line(orElse: "dbus-daemon didn't come up: see /usr/bin/dbus-daemon's own messages")
            try await body(PrivateBus(directory: directory, daemon: daemon))
        }
    }

    /// An environment in which this bus is the session's and another one, if there is one, the machine's.
    package func environment(withSystem system: PrivateBus?) -> [String: String] {
        var environment = self.environment
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = system?.address ?? "unix:path=\(directory)/none"
        return environment
    }

    /// Waits until somebody owns `name`.
    ///
    /// - Throws: `ChildProcess.Missing` with `explanation` where nobody does within 20 seconds.
    package func wait(for name: String, orElse explanation: String) async throws {
        let client = BusClient(environment: environment)
        defer { client.close() }
        let deadline = ContinuousClock.now + .seconds(20)
        let signals = try await client.signals(.session, [.owner(of: name)], deadline: deadline)
        if try await client.nameHasOwner(.session, name, deadline: deadline) { return }
        // Nobody waits longer than this: closing the client ends the stream.
        let patience = Task {
            try await Task.sleep(until: deadline)
            client.close()
        }
        defer { patience.cancel() }
        for await signal in signals where signal.arguments.last?.string?.isEmpty == false { return }
        throw ChildProcess.Missing(description: explanation)
    }

    /// Makes `name` activatable by a program that leaves `marker` behind when it's started.
    package func addActivatable(_ name: String, marker: String) async throws {
        try await addActivatable(name, exec: "/usr/bin/touch \(marker)")
    }

    /// Makes `name` activatable by a command line.
    package func addActivatable(_ name: String, exec: String) async throws {
        let file = "[D-BUS Service]\nName=\(name)\nExec=\(exec)\n"
        try file.write(toFile: "\(directory)/services/\(name).service", atomically: true, encoding: .utf8)
        let client = BusClient(environment: environment)
        defer { client.close() }
        _ = try await client.call(
            .session, destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus", member: "ReloadConfig", deadline: .now + .seconds(10))
    }
}

/// Runs a shell script to its end.
///
/// What a test means to execute is written by one: a file that this process has open for writing is open, for a moment, in
/// each child that another test starts, and can't be run.
package func shell(_ script: String, _ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-ec", script, "sh"] + arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw ChildProcess.Missing(description: "the script ended with \(process.terminationStatus): \(script)")
    }
}

/// A fresh directory, removed afterwards. Its path is short, as socket paths must be.
package func withTemporaryDirectory(_ body: (String) async throws -> Void) async throws {
    let directory = "/tmp/bus-\(UUID().uuidString.prefix(13))"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try await body(directory)
}
