internal import Foundation

/// A sandbox as Flatpak makes one: bubblewrap, a `/.flatpak-info`, and a proxy before the session bus.
package struct Sandbox: Sendable {
    /// What stands before a command to run it inside.
    package let launcher: [String]
    /// The session bus as the sandbox sees it.
    package let busAddress: String

    /// Makes a sandbox around a private bus, hands it to `body` and ends its proxy.
    ///
    /// - Parameters:
    ///   - id: The sandbox's name for the app.
    ///   - isFiltered: Whether its proxy hides everything but the portal, as Flatpak's does.
    package static func run(
        _ id: String, on bus: PrivateBus, isFiltered: Bool = true, _ body: (Sandbox) async throws -> Void
    ) async throws {
        let socket = bus.directory + "/proxied-bus"
        var arguments = ["xdg-dbus-proxy", "--fd=1", bus.address, socket]
        if isFiltered { arguments += ["--filter", "--talk=org.freedesktop.portal.Desktop"] }
        let proxy = try ChildProcess(arguments, package: "xdg-dbus-proxy")
        defer { proxy.kill() }
        // It writes one byte once it listens.
        try await proxy.byte(orElse: "xdg-dbus-proxy didn't come up: install the package xdg-dbus-proxy")

        let info = bus.directory + "/flatpak-info"
        try "[Application]\nname=\(id)\n\n[Context]\nshared=ipc;\n".write(
            toFile: info, atomically: true, encoding: .utf8)
        // Everything of the machine, read-only, but for what the sandbox has of its own.
        var mounts: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: "/").sorted() {
            let path = "/" + name
            if ["proc", "dev", "sys", "tmp", "run"].contains(name) { continue }
            if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
                mounts += ["--symlink", target, path]
            } else {
                mounts += ["--ro-bind", path, path]
            }
        }
        // Where these tests and the command beside them were built, which may be below a directory that is left out above.
        let built = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
        let launcher =
            ["/usr/bin/bwrap"] + mounts + [
                "--dev", "/dev", "--proc", "/proc", "--ro-bind", built, built, "--bind", bus.directory, bus.directory,
                "--ro-bind", info,
                "/.flatpak-info", "--",
            ]
        try await body(Sandbox(launcher: launcher, busAddress: "unix:path=" + socket))
    }
}
