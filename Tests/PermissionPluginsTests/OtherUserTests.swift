import BusTestSupport
import Foundation
import Testing

/// Kinds that ask the kernel, on the real thing and as a user for whom the kernel says no: root would see other answers.
@Suite("Kinds that ask the kernel", .serialized) struct KernelTests {
    /// The built command as somebody who is nobody, with a directory that they may look into.
    private struct Nobody {
        let directory: String
        private var doorstep: DoorstepCommand

        static func run(_ body: (Nobody) async throws -> Void) async throws {
            try #require(getuid() == 0, "this test drops privileges, so it must be started as root")
            try await withTemporaryDirectory { directory in
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory)
                var doorstep = try DoorstepCommand(in: directory, steps: [], environment: [:])
                // The build directory may be closed to others.
                try shell(#"install -m 755 "$1" "$2""#, DoorstepCommand.program, directory + "/doorstep")
                doorstep.program = directory + "/doorstep"
                try await body(Nobody(directory: directory, doorstep: doorstep))
            }
        }

        /// What `probe` says, in one word each: status, mode, basis.
        func probe(
            _ kind: String, _ options: String..., as more: [String] = [], groups: String? = nil, path: String? = nil,
            after setup: String = ":"
        ) throws -> String {
            var doorstep = doorstep
            if let path { doorstep.environment["PATH"] = path }
            // Mounts of the set-up are this command's alone.
            doorstep.launcher =
                ["/usr/bin/unshare", "--mount", "/bin/sh", "-ec", setup + "\nexec \"$@\"", "sh", "/usr/bin/setpriv"]
                + (more.contains { $0.hasPrefix("--euid") } ? [] : ["--reuid=65534", "--regid=65534"])
                + [groups.map { "--groups=" + $0 } ?? "--clear-groups"] + more
            let result = try doorstep.run(["probe", kind, "--json"] + options.flatMap { ["--option", $0] })
            guard result.status == 0 else {
                Issue.record("\(kind): \(result.errors)")
                return result.errors
            }
            let row = try result.json()
            return ["status", "mode", "basis"].compactMap { row[$0] as? String }.joined(separator: " ")
        }

        func make(_ name: String, mode: Int, from source: String? = nil) throws -> String {
            let path = directory + "/" + name
            if let source {
                try FileManager.default.copyItem(atPath: source, toPath: path)
            } else {
                try Data().write(to: URL(fileURLWithPath: path))
            }
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            return path
        }
    }

    @Test func `a file is as its mode says to this user`() async throws {
        try await Nobody.run { nobody async throws in
            let secret = try nobody.make("secret", mode: 0o600)
            let open = try nobody.make("open", mode: 0o644)
            #expect(try nobody.probe("file-access", "path=\(secret)") == "denied")
            #expect(try nobody.probe("file-access", "path=\(open)") == "granted always ungated")
            #expect(try nobody.probe("file-access", "path=\(open)", "mode=write") == "denied")
            // Who started it is root, but what it may do is decided by whom it acts as.
            #expect(try nobody.probe("file-access", "path=\(secret)", as: ["--euid=65534"]) == "denied")
        }
    }

    @Test func `a read-only file system is restricted, not denied`() async throws {
        try await Nobody.run { nobody async throws in
            let setup = "mount -t tmpfs none /mnt; touch /mnt/a; chmod 666 /mnt/a; mount -o remount,ro /mnt"
            #expect(try nobody.probe("file-access", "path=/mnt/a", "mode=write", after: setup) == "restricted")
            #expect(try nobody.probe("file-access", "path=/mnt/a", after: setup) == "granted always ungated")
        }
    }

    @Test func `a capability is what a program of this user would get`() async throws {
        try await Nobody.run { nobody async throws in
            let plain = try nobody.make("plain", mode: 0o755, from: "/bin/true")
            let option = "capability=cap_net_raw"
            #expect(try nobody.probe("linux-capability", option, "program=\(plain)") == "denied")
            let ambient = ["--inh-caps=+net_raw", "--ambient-caps=+net_raw"]
            #expect(
                try nobody.probe("linux-capability", option, "program=\(plain)", as: ambient)
                    == "granted always explicit")
            let able = try nobody.make("able", mode: 0o755, from: "/bin/true")
            let setcap = "/usr/sbin/setcap cap_net_raw+ep \(able)"
            #expect(
                try nobody.probe("linux-capability", option, "program=\(able)", after: setcap)
                    == "granted always explicit")
            #expect(
                try nobody.probe("linux-capability", option, "program=\(able)", as: ["--no-new-privs"]) == "restricted")
            #expect(
                try nobody.probe("linux-capability", option, "program=\(able)", as: ["--bounding-set=-net_raw"])
                    == "restricted")
            let nosuid =
                "mount -t tmpfs -o nosuid none /mnt; cp /bin/true /mnt/; /usr/sbin/setcap cap_net_raw+ep /mnt/true"
            #expect(
                try nobody.probe("linux-capability", option, "program=/mnt/true", after: nosuid) == "restricted")
        }
    }

    @Test func `a group counts once the session has it, and a device by its access list`() async throws {
        try await Nobody.run { nobody async throws in
            #expect(try nobody.probe("device-group", "group=dialout") == "denied")
            #expect(try nobody.probe("device-group", "group=dialout", groups: "dialout") == "granted always explicit")
            // The user database has it, this session not yet.
            let added = """
                sed 's/^dialout:.*/&nobody/' /etc/group >\(nobody.directory)/group
                chmod 644 \(nobody.directory)/group
                mount --bind \(nobody.directory)/group /etc/group
                """
            #expect(try nobody.probe("device-group", "group=dialout", after: added) == "restricted")
            let node = try nobody.make("node", mode: 0o660)
            #expect(try nobody.probe("device-group", "node=\(node)") == "denied")
            let list = "setfacl -m u:65534:rw \(node)"
            #expect(try nobody.probe("device-group", "node=\(node)", after: list) == "granted always ungated")
            let gone = nobody.directory + "/none"
            #expect(try nobody.probe("device-group", "node=\(gone)") == "unavailable")
        }
    }

    @Test func `a program that this user may not run isn't there for them`() async throws {
        try await Nobody.run { nobody async throws in
            let path = nobody.directory + ":/usr/bin:/bin"
            _ = try nobody.make("tool", mode: 0o700, from: "/bin/true")
            #expect(try nobody.probe("command", "program=tool", path: path) == "unavailable")
            _ = try nobody.make("other", mode: 0o755, from: "/bin/true")
            #expect(try nobody.probe("command", "program=other", path: path) == "granted always ungated")
        }
    }

    @Test func `lingering is this user's own`() async throws {
        try await Nobody.run { nobody async throws in
            let setup = "mkdir -p /var/lib/systemd/linger; mount -t tmpfs none /var/lib/systemd/linger\n"
            #expect(try nobody.probe("linger", after: setup + "touch /var/lib/systemd/linger/root") == "notDetermined")
            #expect(
                try nobody.probe("linger", after: setup + "touch /var/lib/systemd/linger/nobody")
                    == "granted always explicit")
        }
    }

    @Test func `another user's session bus turns this one away`() async throws {
        try await Nobody.run { nobody async throws in
            try await PrivateBus.run { bus in
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: bus.directory)
                let row = try nobody.probe("notifications", after: "export DBUS_SESSION_BUS_ADDRESS=\(bus.address)")
                #expect(row == "unavailable")
            }
        }
    }
}
