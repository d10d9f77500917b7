import DoorstepJSON
import Foundation
import Testing

/// A user with a home of their own, which is removed with everything in it.
final class TestUser: Sendable {
    /// Everything of this user stands in here.
    let directory: String
    let environment: [String: String]

    var home: String { directory + "/home" }
    var registry: String { home + "/.local/share/doorstep/registry" }
    var suite: String { home + "/.local/share/doorstep/suite.db" }

    init() throws {
        var template = Array((NSTemporaryDirectory() + "doorstep-e2e-XXXXXX").utf8CString)
        try #require(mkdtemp(&template) != nil)
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        environment = [
            "HOME": directory + "/home", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
            "XDG_DATA_DIRS": directory + "/system",
        ]
        try FileManager.default.createDirectory(atPath: directory + "/home", withIntermediateDirectories: true)
    }

    /// A user with these apps in their registry.
    convenience init(_ manifests: TestManifest...) throws {
        try self.init()
        for manifest in manifests { try drop(manifest) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Runs the command.
    ///
    /// - Parameters:
    ///   - changes: Variables to set beside those of the user; nil takes one away.
    ///   - output: A file that standard output leads to instead of being captured.
    @discardableResult
    func doorstep(
        _ arguments: [String], environment changes: [String: String?] = [:], output: String? = nil
    ) throws -> CommandResult {
        try CommandRunner.run(
            [CommandRunner.doorstep] + arguments, environment: variables(changes), directory: directory, output: output)
    }

    /// Runs the command.
    @discardableResult
    func doorstep(_ arguments: String...) throws -> CommandResult {
        try doorstep(arguments)
    }

    /// Runs the command, which must succeed.
    @discardableResult
    func succeed(_ arguments: String..., location: SourceLocation = #_sourceLocation) throws -> CommandResult {
        let result = try doorstep(arguments)
        try #require(result.status == 0, "\(arguments): \(result.testDescription)", sourceLocation: location)
        return result
    }

    /// The JSON that the command prints.
    func json(_ arguments: String..., location: SourceLocation = #_sourceLocation) throws -> [String: Any] {
        let result = try doorstep(arguments + ["--json"])
        return try Self.object(result.output, location: location)
    }

    static func object(_ text: String, location: SourceLocation = #_sourceLocation) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        return try #require(value as? [String: Any], sourceLocation: location)
    }

    /// The user's variables with changes.
    func variables(_ changes: [String: String?] = [:]) -> [String: String] {
        var variables = environment
        for (name, value) in changes { variables[name] = value }
        return variables
    }

    /// Puts a manifest into the user's registry as a package would, unchecked.
    func drop(_ manifest: TestManifest) throws {
        try FileManager.default.createDirectory(atPath: registry, withIntermediateDirectories: true)
        try write(manifest.text, to: "\(registry)/\(manifest.app).json")
    }

    /// Writes a file; a relative path is one in the user's directory.
    @discardableResult
    func write(_ text: String, to path: String) throws -> String {
        let full = path.hasPrefix("/") ? path : "\(directory)/\(path)"
        try FileManager.default.createDirectory(
            atPath: URL(filePath: full).deletingLastPathComponent().path, withIntermediateDirectories: true)
        // Under another inode each time, as editors and packages do it.
        try Data(text.utf8).write(to: URL(filePath: full), options: .atomic)
        return full
    }

    /// The suite's bytes.
    var suiteBytes: Data {
        get throws { try Data(contentsOf: URL(filePath: suite)) }
    }

    /// Whether there is a suite.
    var hasSuite: Bool { FileManager.default.fileExists(atPath: suite) }

    /// The names beside the suite, in order.
    var namesBesideSuite: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: URL(filePath: suite).deletingLastPathComponent().path)
                .sorted()
        }
    }

    /// The rows that a query of the suite has, their values as texts.
    func rows(_ sql: String) throws -> [[String]] {
        try TestDatabase(suite).rows(sql)
    }
}
