import Doorstep
import DoorstepTerminal
import Foundation
import Testing

/// What a person types, handed to a presenter as a file, and what it wrote.
struct Typing {
    var bytes: [UInt8]

    /// Lines, each with its Enter.
    init(_ lines: String...) {
        bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Shows a pager to this person.
    nonisolated(nonsending) func at(
        _ pager: OnboardingPager, columns: Int = 80, heading: String = "Aurora",
        session: PresenterSession = PresenterSession()
    ) async throws -> (outcome: PresenterOutcome, output: String) {
        let folder = try TemporaryFolder()
        let input = try folder.file("input", bytes)
        let output = try folder.file("output", [])
        defer {
            close(input)
            close(output)
        }
        let presenter = PlainPresenter(input: input, output: output, columns: columns, languages: pager.languages)
        let outcome = try await presenter.run(pager, heading: heading, session: session)
        return (outcome, try folder.text("output"))
    }
}

/// A folder that goes away with its owner.
final class TemporaryFolder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("doorstep-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    /// A new file, open for reading and writing; whoever asked closes it.
    func file(_ name: String, _ bytes: [UInt8]) throws -> Int32 {
        let path = url.appendingPathComponent(name).path
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        return descriptor
    }

    func text(_ name: String) throws -> String {
        try String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
