import Foundation
import Testing

/// The helper program that works on a suite in a process of its own.
enum SuiteWriter {
    struct Result: Sendable {
        let lines: [String]
        /// The exit status, or minus the signal that ended it.
        let status: Int32
    }

    /// Beside the test bundle, where the package's products are.
    static var program: URL {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
        let start = bundle?.bundleURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        var folder = start.deletingLastPathComponent()
        for _ in 0..<4 where !FileManager.default.fileExists(atPath: folder.appending(path: "suite-writer").path) {
            folder = folder.deletingLastPathComponent()
        }
        return folder.appending(path: "suite-writer")
    }

    /// Runs it once.
    static func run(_ arguments: String...) throws -> Result {
        let pipe = Pipe()
        let process = try start(arguments, input: FileHandle.nullDevice, output: pipe)
        return finish(process, pipe)
    }

    /// Runs it several times at once: all wait until the last one has been started.
    static func runAtOnce(_ commands: [[String]]) throws -> [Result] {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        // Only the reading end goes to the children; the end of the file comes when the other one is closed here.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let input = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        var running: [(Process, Pipe)] = []
        for command in commands {
            let output = Pipe()
            running.append((try start(["--wait"] + command, input: input, output: output), output))
        }
        close(ends[1])
        return running.map { finish($0, $1) }
    }

    private static func start(_ arguments: [String], input: Any, output: Pipe) throws -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        return process
    }

    private static func finish(_ process: Process, _ output: Pipe) -> Result {
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let status =
            process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus
        return Result(
            lines: String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init), status: status)
    }
}

/// Runs a shell command as root does to set a scene up; its status.
func shell(_ command: String) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
}
