#if GTK
import Foundation
import Testing

/// Programs of this package on the tests' display, used by scripts that see what assistive technology sees.
enum Desktop {
    /// What a script said, and how it ended.
    struct Result {
        let status: Int32
        let output: String
    }

    /// A directory of its own for one user's files.
    static func home() throws -> URL {
        let home = FileManager.default.temporaryDirectory.appending(component: "doorstep-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        return home
    }

    /// The program that was built with these tests.
    static func program(_ name: String) -> String {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: bundle).deletingLastPathComponent().appending(component: name).path
    }

    /// The environment of a user's session on the tests' display.
    static func environment(home: URL, language: String, _ more: [String: String] = [:]) -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        var environment = [
            "PATH": "/usr/bin:/bin", "HOME": home.path, "LANG": "C.UTF-8", "LANGUAGE": language,
            "GSK_RENDERER": "cairo", "ADW_DISABLE_PORTAL": "1", "NO_AT_BRIDGE": "0", "SWIFT_BACKTRACE": "enable=no",
            "DOORSTEP_REGISTRY_PATH": repository.appending(component: "registry").path,
            "DOORSTEP_SUITE": home.appending(component: "suite.db").path,
            "PYTHONDONTWRITEBYTECODE": "1",
        ]
        for name in ["DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"] { environment[name] = own[name] }
        return environment.merging(more) { $1 }
    }

    /// Runs a script beside this file to its end.
    static func run(_ script: String, _ arguments: [String], environment: [String: String]) throws -> Result {
        try run(
            ["/usr/bin/python3", scripts.appending(component: script).path] + arguments, environment: environment)
    }

    /// Runs a program to its end.
    static func run(_ command: [String], environment: [String: String]) throws -> Result {
        let process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = environment
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
    }

    private static let scripts = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(component: "Desktop")
    private static let repository = scripts.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
}
#endif
