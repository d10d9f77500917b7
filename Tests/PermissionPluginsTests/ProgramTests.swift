import BusTestSupport
import DoorstepPluginKit
import Foundation
import Testing

@testable import PermissionPlugins

@Suite("Kinds about programs") struct ProgramTests {
    private static let status = "Name:\tdoorstep\nCapPrm:\t0\nCapEff:\t0\nCapBnd:\t%b\nCapAmb:\t%a\nNoNewPrivs:\t0\n"

    private static func status(bounding: String = "1ffffffffff", ambient: String = "0") -> String {
        status.replacingOccurrences(of: "%b", with: bounding).replacingOccurrences(of: "%a", with: ambient)
    }

    @Test func `a capability comes from the session or the program's file, within bounds`() async throws {
        try await ProbeBench.run { bench in
            let options: JSONObject = ["capability": "cap_net_raw", "program": "/usr/bin/ping"]
            try await bench.expect("linux-capability", options, is: "unavailable")
            try bench.write("", to: "/usr/bin/ping", executable: true)
            try await bench.expect("linux-capability", options, is: "unknown")
            try bench.write(Self.status(), to: "/proc/self/status")
            try await bench.expect("linux-capability", options, is: "denied")
            try bench.write(Self.status(ambient: "2000"), to: "/proc/self/status")
            try await bench.expect("linux-capability", options, is: "granted always explicit")
            try bench.write(Self.status(bounding: "dfff", ambient: "2000"), to: "/proc/self/status")
            try await bench.expect("linux-capability", options, is: "restricted")
            var root = bench
            root.machine.isRoot = true
            try bench.write(Self.status(), to: "/proc/self/status")
            try await root.expect("linux-capability", options, is: "granted always default")
        }
    }

    @Test func `a low port that is open to everybody needs no capability`() async throws {
        try await ProbeBench.run { bench in
            try bench.write("", to: "/usr/bin/httpd", executable: true)
            try bench.write(Self.status(), to: "/proc/self/status")
            try bench.write("80\n", to: "/proc/sys/net/ipv4/ip_unprivileged_port_start")
            var options: JSONObject = ["capability": "cap_net_bind_service", "program": "httpd", "port": 80]
            try await bench.expect("linux-capability", options, is: "granted always ungated")
            options = ["capability": "cap_net_bind_service", "program": "httpd", "port": 79]
            try await bench.expect("linux-capability", options, is: "denied")
        }
    }

    @Test func `pings need no capability where a group of this session may send them`() async throws {
        try await ProbeBench.run { bench in
            try bench.write("", to: "/usr/bin/ping", executable: true)
            try bench.write(Self.status(), to: "/proc/self/status")
            let options: JSONObject = ["capability": "cap_net_raw", "program": "ping"]
            var pings = options
            pings["ping"] = true
            try await bench.expect("linux-capability", pings, is: "denied")
            try bench.write("1\t0\n", to: "/proc/sys/net/ipv4/ping_group_range")
            try await bench.expect("linux-capability", pings, is: "denied")
            try bench.write("\(getegid())\t\(getegid())\n", to: "/proc/sys/net/ipv4/ping_group_range")
            try await bench.expect("linux-capability", pings, is: "granted always ungated")
            try await bench.expect("linux-capability", options, is: "denied")
        }
    }

    @Test func `a file's capabilities are read as the kernel writes them`() {
        // setcap cap_net_bind_service,cap_bpf=ep
        let bytes: [UInt8] = [
            0x01, 0, 0, 0x02, 0x00, 0x04, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0,
        ]
        #expect(CapabilityProbe.permitted(in: bytes[...]) == 1 << 10 | 1 << 39)
        #expect(CapabilityProbe.permitted(in: bytes[..<12]) == 1 << 10)
        #expect(CapabilityProbe.permitted(in: []) == 0)
        #expect(CapabilityProbe.names.firstIndex(of: "cap_bpf") == 39)
        #expect(CapabilityProbe.names.count == 41)
    }

    @Test func `a program is found on PATH, and only where it can be run`() async throws {
        try await ProbeBench.run { bench in
            try await bench.expect("command", ["program": "tool"], is: "unavailable")
            try bench.write("", to: "/usr/bin/tool")
            try await bench.expect("command", ["program": "tool"], is: "unavailable")
            try bench.write("", to: "/bin/tool", executable: true)
            let answer = try await bench.ask("command", ["program": "tool"])
            #expect(answer.outline == "granted always ungated")
            #expect(answer.evidence == "/bin/tool is installed")
            try await bench.expect("command", ["program": "/bin/tool"], isSatisfied: true)
            try await bench.expect("command", ["program": "bin/tool"], is: "unavailable")
        }
    }

    // One that sleeps does so for longer than this test may last.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("echo tool 2.30.1", "2.30", "granted always ungated"), ("echo tool 2.9", "2.10", "unavailable"),
            ("echo tool 2.30 >&2", "2.30.0", "granted always ungated"), ("echo nothing", "1", "unknown"),
            ("exit 1", "1", "unknown"), ("echo v7", "6.9", "granted always ungated"), ("sleep 600", "1", "unknown"),
            ("sleep 600 & echo 3.1", "3", "granted always ungated"), ("cat; echo 1.5", "1.5", "granted always ungated"),
            ("yes", "1", "unknown"),
            // As a runtime does that keeps its code in a file in memory.
            (
                #"/usr/bin/python3 -c 'import os; os.ftruncate(os.memfd_create("code"), 2 << 40); print("tool 8.0")'"#,
                "8.0", "granted always ungated"
            ),
        ])
    func `a version is what the program prints first`(script: String, minimum: String, outline: String) async throws {
        try await ProbeBench.run { bench in
            try bench.write("#!/bin/sh\n\(script)\n", to: "/bin/tool", executable: true)
            let options: JSONObject = ["program": "/bin/tool", "minimumVersion": JSONValue.string(minimum)]
            try await bench.expect("command", options, within: .seconds(2), is: outline)
        }
    }

    @Test func `a program that is asked for its version has its own path, no secrets, and what it needs`() async throws
    {
        try await ProbeBench.run { bench in
            var bench = bench
            bench.environment["SECRET"] = "1"
            bench.environment["LANG"] = "C.UTF-8"
            bench.environment["PATH"] = "/usr/bin:relative:/bin"
            try bench.write(
                """
                #!/bin/sh
                case $0 in */bin/tool) major=4 ;; esac
                [ -z "$SECRET" ] && [ "$PATH" = /usr/bin:/bin ] && [ "$HOME" = /home/aurora ] && [ "$LANG" = C.UTF-8 ] && minor=2
                grep -q '^NoNewPrivs:.1' /proc/self/status && patch=7
                echo "$major.$minor.$patch"

                """, to: "/bin/tool", executable: true)
            let answer = try await bench.ask(
                "command", ["program": "/bin/tool", "minimumVersion": "4.2.7"], within: .seconds(20))
            #expect(answer.evidence == "/bin/tool is version 4.2.7")
        }
    }

    @Test func `a program that can't be run as a program says so`() async throws {
        try await ProbeBench.run { bench in
            try bench.write("#!/no/such/interpreter\n", to: "/bin/tool", executable: true)
            let answer = try await bench.ask(
                "command", ["program": "/bin/tool", "minimumVersion": "1"], within: .seconds(20))
            #expect(answer.evidence == "/bin/tool couldn't be started (errno \(ENOENT))")
        }
    }

    @Test func `what a program started for its version ends with it, in whatever session`() async throws {
        try await ProbeBench.run { bench in
            let marker = "96\(UInt32.random(in: 1_000_000...9_999_999))"
            try bench.write(
                "#!/bin/sh\nsetsid sleep \(marker) >/dev/null 2>&1 </dev/null &\necho 3.1\nsleep \(marker)\n",
                to: "/bin/tool", executable: true)
            try await bench.expect(
                "command", ["program": "/bin/tool", "minimumVersion": "3"], within: .seconds(20), isSatisfied: true)
            // Nobody is waited for: the check returns when all are gone.
            let left = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { name in
                let arguments = Int(name).flatMap { _ in FileManager.default.contents(atPath: "/proc/\(name)/cmdline") }
                return String(decoding: arguments ?? Data(), as: UTF8.self).contains(marker)
            }
            #expect(left == [])
        }
    }

    @Test func `versions are compared number by number`() throws {
        func version(_ text: String) throws -> VersionNumber { try #require(VersionNumber(text)) }
        #expect(try version("1.9") < version("1.10"))
        #expect(try version("2") == version("2.0.0"))
        #expect(try !(version("2.0") < version("2")))
        #expect(try version("10") > version("9.99"))
        for text in ["", ".", "1.", "a", "1.a", "-1", "1..2", "٣"] { #expect(VersionNumber(text) == nil) }
        #expect(VersionNumber(firstIn: "git version 2.39.5")?.description == "2.39.5")
        #expect(VersionNumber(firstIn: "GNU bash, Version 5.2.15(1)-release")?.description == "5.2.15")
        #expect(VersionNumber(firstIn: "less 590 (GNU).")?.description == "590")
        #expect(VersionNumber(firstIn: "none ...") == nil)
    }
}
