import Foundation
import Testing

/// What a command did.
struct CommandResult: Sendable {
    /// The exit status, or 128 and the signal that ended it.
    let status: Int32
    let output: String
    let errors: String

    /// The lines of standard output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// The lines of standard error.
    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
}

extension CommandResult: CustomTestStringConvertible {
    var testDescription: String { "exit \(status)\n--- standard output\n\(output)--- standard error\n\(errors)---" }
}

/// Runs commands as processes and captures what they print.
enum CommandRunner {
    /// The command that was built with these tests: it stands beside their bundle.
    static let doorstep: String = {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: bundle).deletingLastPathComponent().appending(component: "doorstep").path
    }()

    /// A command that runs, with the ends of its output.
    struct Running: ~Copyable {
        let process: ChildProcess
        private let descriptors: [Int32]
        private var contents: [[UInt8]] = [[], []]

        init(_ command: [String], environment: [String: String], directory: String, output: String?) throws {
            var ends: [Int32] = []
            var written: [Int32] = []
            process = try ChildProcess(command, environment: environment, directory: directory) {
                let (outputEnd, errorEnd) = (try ChildProcess.pipe(), try ChildProcess.pipe())
                ends = [outputEnd.reading, errorEnd.reading]
                written = [outputEnd.writing, errorEnd.writing]
                let target = output.map { ChildProcess.Stream.file($0, flags: O_WRONLY) }
                return [.nothing, target ?? .descriptor(outputEnd.writing), .descriptor(errorEnd.writing)]
            }
            for end in written { close(end) }
            descriptors = ends
        }

        /// Reads standard output until it holds a text.
        mutating func waitForOutput(_ text: String) throws {
            let isHere = ChildProcess.read(descriptors, into: &contents) { $0[0].contains(Array(text.utf8)) }
            try #require(isHere && contents[0].contains(Array(text.utf8)), "\"\(text)\" was never printed")
        }

        /// Whether standard output holds a text by now.
        mutating func hasOutput(_ text: String) throws -> Bool {
            var polled = pollfd(fd: descriptors[0], events: Int16(POLLIN), revents: 0)
            if poll(&polled, 1, 0) > 0 {
                var bytes = [UInt8](repeating: 0, count: 65536)
                contents[0] += bytes[..<max(0, read(descriptors[0], &bytes, bytes.count))]
            }
            return contents[0].contains(Array(text.utf8))
        }

        /// Waits for the end.
        consuming func finish() throws -> CommandResult {
            let isEnded = ChildProcess.read(descriptors, into: &contents)
            if !isEnded { process.signal(SIGKILL) }
            let status = process.wait()
            try #require(isEnded, "the command did not end")
            return CommandResult(
                status: status, output: String(decoding: contents[0], as: UTF8.self),
                errors: String(decoding: contents[1], as: UTF8.self))
        }

        deinit {
            for descriptor in descriptors { close(descriptor) }
        }
    }

    /// Runs a command to its end.
    ///
    /// - Parameter output: A file that standard output leads to instead of being captured.
    static func run(
        _ command: [String], environment: [String: String], directory: String, output: String? = nil
    ) throws -> CommandResult {
        try Running(command, environment: environment, directory: directory, output: output).finish()
    }
}
