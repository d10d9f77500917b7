import Foundation
import Testing

/// One run of the program that tries the suite.
struct Trial {
    /// What it printed: a line for each kind of trial, the sum in the last one.
    let lines: [String]

    /// Runs it to its end, which must be a good one; its last line, with the seed, is printed too.
    static func run(_ arguments: String...) throws -> Trial {
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let program = URL(filePath: bundle).deletingLastPathComponent().appending(component: "suite-trials")
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let fixtures = tests.appending(path: "DoorstepSQLiteTests/Fixtures").path
        // In memory: what is tried here is the order of things, not the disk.
        let place = FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        let process = Process()
        process.executableURL = program
        process.arguments = ["--fixtures", fixtures, "--place", place] + arguments
        process.environment = ["SWIFT_BACKTRACE": "enable=no"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n").map(String.init)
        print(lines.last ?? "\(arguments) printed nothing")
        try #require(process.terminationReason == .exit && process.terminationStatus == 0, "\(arguments): \(text)")
        return Trial(lines: lines)
    }

    /// The number that stands before a word in the last line.
    func number(before word: String) -> Int? {
        let words = (lines.last ?? "").split { $0 == " " || $0 == "," }.map(String.init)
        guard let place = words.firstIndex(of: word), place > 0 else { return nil }
        return Int(words[place - 1])
    }
}
