import BusTestSupport
import DoorstepPluginKit
import Foundation
import Testing

@testable import PermissionPlugins

@Suite("Kinds that files answer") struct FileProbeTests {
    private static let route = """
        Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
        eth0\t%\t0100000A\t0003\t0\t0\t0\t00000000\t0\t0\t0

        """

    @Test func `without NetworkManager a default route is unverified`() async throws {
        try await ProbeBench.run { bench in
            try await bench.expect("network", is: "unavailable")
            try bench.write(Self.route.replacingOccurrences(of: "%", with: "0000000A"), to: "/proc/net/route")
            try await bench.expect("network", is: "unavailable")
            try bench.write(Self.route.replacingOccurrences(of: "%", with: "00000000"), to: "/proc/net/route")
            let answer = try await bench.ask("network")
            #expect(answer.outline == "granted unverified ungated")
            #expect(answer.isSatisfied == false)
            try await bench.expect("network", ["acceptModes": ["unverified"]], isSatisfied: true)
        }
    }

    @Test func `an IPv6 default route counts, the loopback's doesn't`() async throws {
        try await ProbeBench.run { bench in
            let zero = String(repeating: "0", count: 32)
            let line = "\(zero) 00 \(zero) 00 \(zero) 00000400 00000001 00000000 00000003 "
            try bench.write(line + "lo\n", to: "/proc/net/ipv6_route")
            try await bench.expect("network", is: "unavailable")
            try bench.write(line + "eth0\n", to: "/proc/net/ipv6_route")
            try await bench.expect("network", is: "granted unverified ungated")
        }
    }

    @Test func `a microphone needs a sound server's socket and a device that records`() async throws {
        try await ProbeBench.run { bench in
            var bench = bench
            try await bench.expect("microphone", is: "unavailable")
            bench.environment["XDG_RUNTIME_DIR"] = "/run/user/1000"
            try await bench.expect("microphone", is: "unavailable")
            try bench.write("", to: "/run/user/1000/pipewire-0")
            try await bench.expect("microphone", is: "unavailable")
            try bench.write("00-00: ALC : ALC : playback 1\n", to: "/proc/asound/pcm")
            try await bench.expect("microphone", is: "unavailable")
            try bench.write("00-00: ALC : ALC : playback 1 : capture 1\n", to: "/proc/asound/pcm")
            try await bench.expect("microphone", is: "granted always ungated")
        }
    }

    @Test func `a sandbox without a sound socket is restricted`() async throws {
        try await ProbeBench.run { bench in
            var bench = bench
            bench.environment["XDG_RUNTIME_DIR"] = "/run/user/1000"
            try bench.enterSandbox(as: "com.example.Box")
            try await bench.expect("microphone", is: "restricted")
        }
    }

    @Test func `an autostart entry starts the app unless it is switched off or broken`() async throws {
        try await ProbeBench.run { bench in
            var bench = bench
            bench.environment["XDG_CONFIG_HOME"] = "/config"
            try await bench.expect("background", is: "notDetermined")
            try bench.write("", to: "/usr/bin/aurora", executable: true)
            let table = [
                ("Exec=aurora --background", "granted always explicit"),
                ("Exec=\"/usr/bin/aurora\" %u\nTryExec=aurora", "granted always explicit"),
                ("Exec=aurora\nHidden=true", "denied"), ("Exec=aurora\nX-GNOME-Autostart-enabled=false", "denied"),
                ("Exec=/usr/bin/gone", "unavailable"), ("Exec=aurora\nTryExec=gone", "unavailable"),
                ("Name=Aurora", "unavailable"),
            ]
            for (lines, outline) in table {
                try bench.write("[Desktop Entry]\n\(lines)\n", to: "/config/autostart/com.example.aurora.desktop")
                try await bench.expect("background", is: outline, "\(lines)")
            }
        }
    }

    @Test func `the user's autostart entry hides the machine's`() async throws {
        try await ProbeBench.run { bench in
            try bench.write("", to: "/usr/bin/aurora", executable: true)
            let name = "autostart/com.example.aurora.desktop"
            try bench.write("[Desktop Entry]\nExec=aurora\n", to: "/etc/xdg/" + name)
            try await bench.expect("background", is: "granted always explicit")
            try bench.write("[Desktop Entry]\nHidden=true\n", to: "/home/aurora/.config/" + name)
            try await bench.expect("background", is: "denied")
        }
    }

    @Test func `a file may be used as its mode allows`() async throws {
        try await ProbeBench.run { bench in
            try bench.write("", to: "/home/aurora/notes")
            try await bench.expect("file-access", ["path": "~/notes"], is: "granted always ungated")
            let modes: [(JSONValue, String)] = [
                ("read", "granted always ungated"), ("readWrite", "granted always ungated"), ("execute", "denied"),
            ]
            for (mode, outline) in modes {
                let options: JSONObject = ["path": "/home/aurora/notes", "mode": mode]
                try await bench.expect("file-access", options, is: outline)
            }
            try await bench.expect("file-access", ["path": "/nowhere"], is: "notDetermined")
            try bench.write("", to: "/run/user/1000/doc/1234/a.txt")
            let document: JSONObject = ["path": "/run/user/1000/doc/1234/a.txt"]
            try await bench.expect("file-access", document, is: "granted limited explicit")
        }
    }

    @Test(arguments: [
        ("", "restricted"), ("host", "notDetermined"), ("home:ro", "notDetermined"), ("/srv;~/Music", "restricted"),
        ("~/notes:create", "notDetermined"), ("/home/aurora", "notDetermined"), ("xdg-documents:ro", "notDetermined"),
        ("!home", "restricted"), ("~/note", "restricted"),
    ])
    func `a file that a sandbox doesn't show is restricted, and one that it would show isn't there`(
        places: String, outline: String
    ) async throws {
        try await ProbeBench.run { bench in
            try bench.write(
                "[Application]\nname=com.example.Box\n[Context]\nfilesystems=\(places);\n", to: "/.flatpak-info")
            try await bench.expect("file-access", ["path": "~/notes/today"], is: outline)
        }
    }

    @Test func `lingering is a file that logind keeps`() async throws {
        try await ProbeBench.run { bench in
            try bench.write("", to: "/var/lib/systemd/linger/somebody-else")
            try await bench.expect("linger", is: "notDetermined")
            try bench.write("", to: "/var/lib/systemd/linger/" + NSUserName())
            try await bench.expect("linger", is: "granted always explicit")
        }
    }

    @Test func `a device's node decides, and groups explain`() async throws {
        try await ProbeBench.run { bench in
            try await bench.expect("device-group", ["node": "/dev/ttyUSB0"], is: "unavailable")
            try bench.write("", to: "/dev/ttyUSB0")
            let node: JSONObject = ["node": "/dev/ttyUSB0", "group": "no-such-group"]
            try await bench.expect("device-group", node, is: "granted always ungated")
            try await bench.expect("device-group", ["group": "no-such-group"], is: "unavailable")
            let own = try #require(getgrgid(getegid()).map { String(cString: $0.pointee.gr_name) })
            let group: JSONObject = ["group": JSONValue.string(own)]
            try await bench.expect("device-group", group, is: "granted always explicit")
            try await bench.expect("device-group", ["group": "nogroup"], is: "denied")
        }
    }
}

@Suite("Key files") struct KeyFileTests {
    @Test func `groups, comments and blanks are read as GLib reads them`() {
        let file = KeyFile("a=0\n[One]\n# a=1\n a = 2 = 3 \n\n[Two]\r\na=4\na=5\nb\n[One]\nc=6")
        #expect(file["", "a"] == "0")
        #expect(file["One", "a"] == "2 = 3")
        #expect(file["One", "c"] == "6")
        #expect(file["Two", "a"] == "5")
        #expect(file["Two", "b"] == nil)
        #expect(file["Three", "a"] == nil)
    }
}
