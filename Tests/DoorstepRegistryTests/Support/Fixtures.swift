import DoorstepJSON
import Foundation
import Testing

/// The files that tests read, found from where this source file stands.
enum Fixtures {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    static let registry = root + "/registry"
    static let schema = registry + "/flow.schema.json"
    static let manifests = root + "/Tests/Fixtures/Manifests"

    /// The example family.
    static let family = files(in: registry) { $0.hasPrefix("com.") && $0.hasSuffix(".json") }
    /// The manifests that show what is accepted.
    static let valid = files(in: manifests + "/Valid") { $0.hasSuffix(".json") }
    /// The manifests that break one rule each, in a directory named for it.
    static let invalid = names(in: manifests + "/Invalid").flatMap { rule in
        files(in: "\(manifests)/Invalid/\(rule)") { $0.hasSuffix(".json") }
    }

    static func names(in directory: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
    }

    static func files(in directory: String, where isIncluded: (String) -> Bool) -> [String] {
        names(in: directory).filter(isIncluded).map { "\(directory)/\($0)" }
    }

    static func json(_ path: String) throws -> JSONValue {
        try JSONValue(parsing: [UInt8](Data(contentsOf: URL(filePath: path))))
    }

    /// Compares a text with the file beside a fixture, or writes that file where `DOORSTEP_RECORD=1` asks for it.
    static func expectGolden(_ text: String, at path: String) throws {
        if ProcessInfo.processInfo.environment["DOORSTEP_RECORD"] == "1" {
            try Data(text.utf8).write(to: URL(filePath: path))
            return
        }
        let expected = try? String(contentsOf: URL(filePath: path), encoding: .utf8)
        #expect(text == expected, "DOORSTEP_RECORD=1 records \(path) anew")
    }
}

/// What the JSON Schema says of manifests, by file.
enum SchemaVerdicts {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    static func of(_ manifests: [String], schema: String = Fixtures.schema) throws -> [String: [String]] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [Fixtures.root + "/Tests/Fixtures/schema-verdicts.py", schema] + manifests
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        do { try process.run() } catch {
            throw Failure(description: "/usr/bin/python3 is missing; install python3 and python3-jsonschema")
        }
        let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: complaint) }
        var verdicts: [String: [String]] = [:]
        for line in lines.split(separator: "\n") {
            let verdict = try JSONValue(parsing: String(line)).object
            verdicts[verdict?["file"]?.string ?? ""] = verdict?["faults"]?.array?.compactMap(\.string)
        }
        return verdicts
    }
}
