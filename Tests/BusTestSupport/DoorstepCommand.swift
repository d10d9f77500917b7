internal import Foundation

/// The built `doorstep`, run with a registry, a suite and an environment of a test's own.
package struct DoorstepCommand: Sendable {
    package struct Result: Sendable {
        package let status: Int32
        package let output: String
        package let errors: String
        package let duration: Duration

        /// The output as JSON.
        package func json() throws -> [String: Any] {
            try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
        }

        /// The row of one step in `reconcile --json`.
        package func check(_ step: String) throws -> [String: Any] {
            let rows = try json()["checks"] as? [[String: Any]] ?? []
            return rows.first { $0["step"] as? String == step } ?? [:]
        }
    }

    package static let app = "com.example.aurora"

    package let directory: String
    package var environment: [String: String]
    /// What runs the program, such as `setpriv` with its options; nothing by default.
    package var launcher: [String] = []
    /// The program, beside the test bundle or a copy of it.
    package var program = Self.program

    /// A command whose one registered app has these steps: the last part of an ID, its kind, and its options as JSON.
    ///
    /// - Parameter environment: All that the command gets besides its own registry and suite.
    package init(
        in directory: String, steps: [(name: String, kind: String, options: String)], environment: [String: String]
    ) throws {
        self.directory = directory
        self.environment = [
            "PATH": "/usr/bin:/bin", "HOME": directory, "LC_ALL": "en_GB.UTF-8",
            "DOORSTEP_REGISTRY_PATH": directory + "/registry", "DOORSTEP_SUITE": directory + "/suite/suite.db",
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(directory)/none",
        ].merging(environment) { $1 }
        let manifest = """
            { "format": 1, "app": "\(Self.app)", "steps": [
            \(steps.map { "{ \"id\": \"\(Self.app).\($0.name)\", \"plugin\": \"\($0.kind)\", \"options\": \($0.options) }" }
                .joined(separator: ",\n"))
            ] }
            """
        try FileManager.default.createDirectory(atPath: directory + "/registry", withIntermediateDirectories: true)
        try manifest.write(
            toFile: directory + "/registry/\(Self.app).json", atomically: true, encoding: .utf8)
    }

    /// Beside the test bundle, where the package's products are.
    package static var program: String {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        let start = bundle?.bundleURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        var folder = start.deletingLastPathComponent()
        for _ in 0..<4 where !FileManager.default.fileExists(atPath: folder.appending(path: "doorstep").path) {
            folder = folder.deletingLastPathComponent()
        }
        return folder.appending(path: "doorstep").path
    }

    /// Runs it to its end.
    package func run(_ arguments: String...) throws -> Result { try run(arguments) }

    /// Runs it to its end.
    package func run(_ arguments: [String]) throws -> Result {
        let process = Process()
        let command = launcher + [program] + arguments
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        let errorFile = directory + "/errors-\(UUID().uuidString.prefix(8))"
        _ = FileManager.default.createFile(atPath: errorFile, contents: nil)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: errorFile)
        let start = ContinuousClock.now
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let duration = start.duration(to: .now)
        return Result(
            status: process.terminationStatus, output: String(decoding: data, as: UTF8.self),
            errors: (try? String(contentsOfFile: errorFile, encoding: .utf8)) ?? "", duration: duration)
    }
}
