import DoorstepJSON
import DoorstepTestSupport
import Foundation
import Testing

@Suite("Permissions on machines where nobody answers")
struct PermissionTests {
    private static let app = "com.example.aurora"
    private static let step = "com.example.aurora.reqs.notifications"

    private func user() throws -> TestUser {
        let step: JSONObject = ["id": .string(Self.step), "plugin": "notifications", "required": true]
        return try TestUser(TestManifest(Self.app, steps: [step, TestManifest.info("com.example.aurora.tips")]))
    }

    /// The address of a bus that takes connections and never says a word.
    private func silentBus(_ user: TestUser) throws -> (address: String, socket: Int32) {
        let path = user.directory + "/bus"
        let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        try #require(socket >= 0)
        ChildProcess.keep(socket)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound && listen(socket, 16) == 0)
        return ("unix:path=\(path)", socket)
    }

    private func expectUnmet(_ object: [String: Any], status: String) throws {
        let checks = try #require(object["checks"] as? [[String: Any]])
        let check = try #require(checks.first { $0["step"] as? String == Self.step })
        #expect(check["app"] as? String == Self.app && check["plugin"] as? String == "notifications")
        #expect(check["before"] is NSNull && check["after"] is NSNull && check["satisfied"] as? Bool != true)
        #expect(check["status"] as? String == status)
        #expect((check["evidence"] as? String)?.isEmpty == false && check["milliseconds"] is NSNumber)
    }

    @Test("without a session bus nothing is recorded, and the evidence says why")
    func noBus() throws {
        let user = try user()
        let result = try user.doorstep("reconcile", Self.app, "--json")
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.testDescription)")
        try expectUnmet(TestUser.object(result.output), status: "unavailable")
        #expect(try user.doorstep("reconcile", Self.app).output.contains("no session bus"))
        #expect(try user.doorstep("plan", Self.app).output.contains("no session bus"))
        #expect(try user.doorstep("needs", Self.app, "--reconcile").status == 0)
        let probe = try user.json("probe", "notifications")
        #expect(probe["status"] as? String == "unavailable" && probe["plugin"] as? String == "notifications")
        #expect(!user.hasSuite)
    }

    @Test("a bus that never answers costs the deadline and nothing else")
    func silence() throws {
        let user = try user()
        let bus = try silentBus(user)
        defer { close(bus.socket) }
        let variables: [String: String?] = ["DBUS_SESSION_BUS_ADDRESS": bus.address]
        for command in [
            ["reconcile", Self.app, "--json", "--timeout", "300ms"], ["plan", Self.app, "--timeout", "300ms"],
            ["needs", Self.app, "--reconcile", "--timeout", "300ms"], ["probe", "notifications", "--timeout", "300ms"],
        ] {
            let start = ContinuousClock.now
            let result = try user.doorstep(command, environment: variables)
            #expect(result.status == 0, "\(command): \(result.testDescription)")
            // Far less than the 25 seconds that a bus call waits for by itself.
            #expect(start.duration(to: .now) < .seconds(15), "\(command)")
        }
        #expect(!user.hasSuite)
        // Without the pass the gate asks nobody.
        #expect(try user.doorstep(["needs", Self.app], environment: variables).status == 0)
        let answers = try user.write(#"{ "\#(Self.step)": false }"#, to: "answers.json")
        let run = try user.doorstep(
            ["run", Self.app, "--answers", answers, "--timeout", "300ms"], environment: variables)
        #expect(run.status == 0, "\(run.testDescription)")
        #expect(try user.json("show", Self.app)["allRequiredSatisfied"] as? Bool == false)
    }

    @Test(
        "a program that is asked for its version ends with the command, however that ends",
        arguments: [SIGKILL, SIGINT])
    func killed(_ signal: Int32) throws {
        let user = try TestUser()
        // A number that no other process has among its arguments, and a child in a session of its own beside the program.
        let marker = "97\(UInt32.random(in: 1_000_000...9_999_999))"
        let text = try user.write(
            "#!/bin/sh\nsetsid sleep \(marker) & echo $! >'\(user.directory)/started'; sleep \(marker)\n",
            to: "tool.text")
        try #require(TestProgram.install(text, at: user.directory + "/tool"))
        let running = try CommandRunner.Running(
            [
                CommandRunner.doorstep, "probe", "command", "--timeout", "50s", "--option", "timeout=50s", "--option",
                "program=\(user.directory)/tool", "--option", "minimumVersion=2.30",
            ], environment: user.variables(["PATH": "/usr/bin:/bin"]), directory: user.directory, output: nil)
        func sleepers() -> Int {
            ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).count { name in
                let arguments = Int(name).flatMap { _ in FileManager.default.contents(atPath: "/proc/\(name)/cmdline") }
                return String(decoding: arguments ?? Data(), as: UTF8.self).hasPrefix("sleep\0\(marker)\0")
            }
        }
        let deadline = ContinuousClock.now + ChildProcess.patience
        while sleepers() < 2, .now < deadline { usleep(10_000) }
        #expect(sleepers() == 2)
        running.process.signal(signal)
        _ = try running.finish()
        while sleepers() > 0, .now < deadline { usleep(10_000) }
        #expect(sleepers() == 0)
    }

    @Test("a permission page without a bus can be passed at a terminal")
    func page() throws {
        let user = try user()
        let terminal = try TerminalRun(user, "run", Self.app)
        try terminal.type("skip\n", after: "Your choice [1]: ")
        try terminal.type("\n", after: "Your choice [1]: ")
        #expect(try terminal.finish() == 0)
        #expect(terminal.shown.contains("isn’t available on this"))
        #expect(try user.doorstep("value", Self.app, Self.step).output == "false\n")
    }
}
