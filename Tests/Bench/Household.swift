import Doorstep
import DoorstepSQLite
import Foundation

/// The files that are measured on: a registry of apps with twelve steps each, and a suite with their answers.
struct Household {
    let directory: String
    var registry: String { directory + "/data/doorstep/registry" }
    var suite: String { directory + "/data/doorstep/suite.db" }
    var environment: [String: String] {
        [
            "HOME": directory, "XDG_DATA_HOME": directory + "/data", "XDG_DATA_DIRS": directory + "/none",
            "PATH": "/usr/bin:/bin",
        ]
    }

    static func app(_ number: Int) -> String { "com.example.app\(number)" }
    static func prefix(_ number: Int) -> String { app(number) + "." }
    static func step(_ app: Int, _ step: Int) -> OnboardingStepID { OnboardingStepID("\(prefix(app))step\(step)") }

    /// - Parameters:
    ///   - apps: How many apps have a manifest.
    ///   - steps: How many steps each has.
    ///   - doorstep: Records one answer for each app, so that the suite knows the flows; nil for no suite.
    init(in place: String, apps: Int, steps: Int = 12, recordingWith doorstep: String? = nil) throws {
        directory = place + "/household-\(apps)-\(steps)-\(UInt32.random(in: 0...9999))"
        try FileManager.default.createDirectory(atPath: registry, withIntermediateDirectories: true)
        for app in 0..<apps {
            let list = (0..<steps).map { #"{"id":"\#(Self.step(app, $0))","plugin":"info"}"# }.joined(separator: ",")
            let manifest = #"{"format":1,"app":"\#(Self.app(app))","steps":[\#(list)]}"#
            try Data(manifest.utf8).write(to: URL(filePath: "\(registry)/\(Self.app(app)).json"))
        }
        guard let doorstep else { return }
        for app in 0..<apps {
            let id = Self.app(app)
            _ = try Command.run([doorstep, "record", id, "\(Self.step(app, 0))", "true"], environment)
        }
        // Most gates find a suite that was written long ago.
        try FileManager.default.setAttributes([.modificationDate: Date.now - 3600], ofItemAtPath: suite)
    }

    /// Takes the empty log away that a program leaves that may only read, so that each side finds the suite at rest.
    func settle() {
        for suffix in ["-wal", "-shm"] { unlink(suite + suffix) }
    }
}

/// Processes that are run to their end.
enum Command {
    static func run(_ command: [String], _ environment: [String: String]) throws {
        let process = try start(command, environment)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw BenchFailure("\(command) ended with \(status)") }
    }

    /// Runs a command that takes its time, and answers the most memory that it had, in megabytes.
    ///
    /// What the system says of an ended process begins with the memory of the one that started it, so this looks while it runs.
    static func peak(_ command: [String], _ environment: [String: String]) throws -> Int {
        let process = try start(command, environment)
        var status: Int32 = 0
        var kilobytes = 0
        while waitpid(process, &status, WNOHANG) == 0 {
            let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
            kilobytes = max(kilobytes, line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
            usleep(10_000)
        }
        guard status == 0 else { throw BenchFailure("\(command) ended with \(status)") }
        return kilobytes / 1024
    }

    private static func start(_ command: [String], _ environment: [String: String]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var process = pid_t()
        guard posix_spawn(&process, command[0], &actions, nil, arguments, variables) == 0 else {
            throw BenchFailure("\(command[0]) can't be started")
        }
        return process
    }
}

struct BenchFailure: Error {
    let text: String
    init(_ text: String) { self.text = text }
}
