import Foundation
import Testing

@Suite("A suite that can't be read")
struct DamagedSuiteTests {
    /// A way for a suite's bytes to be wrong.
    enum Damage: String, CaseIterable, CustomTestStringConvertible {
        case garbage, empty, newer, foreign, truncated, scribbled

        var testDescription: String { rawValue }

        /// What the sentence must say.
        var reason: String {
            switch self {
            case .garbage: "not an SQLite file"
            case .empty: "the file is empty"
            case .newer: "newer doorstep (schema 99"
            case .foreign: "another program"
            case .truncated: "ends early"
            case .scribbled: "is damaged"
            }
        }

        func apply(to bytes: inout Data) {
            switch self {
            case .garbage:
                bytes = Data("This is not a database, but it is long enough to be taken for one.".utf8) + bytes
            case .empty: bytes = Data()
            case .newer: bytes.replaceSubrange(60..<64, with: [0, 0, 0, 99])
            case .foreign: bytes.replaceSubrange(68..<72, with: [1, 2, 3, 4])
            case .truncated: bytes.removeLast(bytes.count / 2)
            // Every page but the header's first bytes.
            case .scribbled: bytes.replaceSubrange(100..., with: Data(repeating: 0xA5, count: bytes.count - 100))
            }
        }
    }

    private func user(with damage: Damage) throws -> TestUser {
        let user = try TestUser(.aurora())
        try EveryCommand.prepare(user)
        try user.succeed("run", "com.example.aurora", "--answers", "answers.json")
        var bytes = try user.suiteBytes
        damage.apply(to: &bytes)
        let descriptor = open(user.suite, O_WRONLY | O_TRUNC)
        defer { close(descriptor) }
        try #require(bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == bytes.count)
        return user
    }

    @Test("every command says so in one sentence, exits with 74, and changes nothing", arguments: Damage.allCases)
    func refused(damage: Damage) throws {
        let user = try user(with: damage)
        let bytes = try user.suiteBytes
        let names = try user.namesBesideSuite
        for command in EveryCommand.asking + EveryCommand.writing + EveryCommand.reconciling {
            let result = try user.doorstep(command)
            let context = Comment(rawValue: "\(command): \(result.testDescription)")
            #expect(result.status == 74, context)
            #expect(result.errorLines.count == 1 && result.errors.hasPrefix("error: "), context)
            #expect(result.errors.contains(damage.reason), context)
            #expect(result.output.isEmpty || command.contains("reconcile") && command.contains("--json"), context)
            #expect(try user.suiteBytes == bytes, context)
            #expect(try user.namesBesideSuite == names, context)
        }
        #expect(FileManager.default.fileExists(atPath: user.registry + "/com.example.aurora.json"))
    }

    @Test("an admin is told of it by every command, and nothing is changed", arguments: Damage.allCases)
    func administrated(damage: Damage) throws {
        let user = try user(with: damage)
        let bytes = try user.suiteBytes
        let names = try user.namesBesideSuite
        for command in EveryCommand.administrating {
            let result = try user.doorstep(command)
            let context = Comment(rawValue: "\(command): \(result.testDescription)")
            let explains = command[0] == "doctor" || command[0] == "audit" && !command.contains("--totals")
            #expect(result.status == (explains ? 1 : 74), context)
            #expect((result.output + result.errors).contains(damage.reason), context)
            #expect(try user.suiteBytes == bytes, context)
            #expect(try user.namesBesideSuite == names, context)
        }
    }

    @Test("what needs no suite works all the same")
    func suiteless() throws {
        let user = try user(with: .garbage)
        for command in EveryCommand.suiteless {
            let result = try user.doorstep(command)
            #expect(result.status == 0, "\(command): \(result.testDescription)")
        }
    }
}
