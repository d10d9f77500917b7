import DoorstepRegistry
import DoorstepSQLite
import Foundation

/// Registry directories of a test and a suite beside them, removed with everything in them.
final class Household: Sendable {
    let directory: TemporaryDirectory
    let catalogue: PluginCatalogue

    init(_ catalogue: PluginCatalogue = .family) throws {
        directory = try TemporaryDirectory()
        self.catalogue = catalogue
    }

    /// The user's own directory and the one that packages fill.
    var own: String { directory.path + "/own" }
    var shared: String { directory.path + "/shared" }
    var suitePath: String { directory.path + "/suite/suite.db" }

    var registry: Registry { Registry(directories: [own, shared], catalogue: catalogue) }

    func suite() throws -> OnboardingSuite { try OnboardingSuite.open(at: suitePath) }

    /// Writes a manifest of these members beyond `format` and `app`.
    @discardableResult
    func put(_ app: String, _ members: String = "", in place: String? = nil) throws -> String {
        let text = #"{ "format": 1, "app": "\#(app)"\#(members.isEmpty ? "" : ", " + members) }"#
        return try put(text: text, as: app + ".json", in: place ?? own)
    }

    @discardableResult
    func put(text: String, as name: String, in place: String) throws -> String {
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let path = "\(place)/\(name)"
        // In place, as an editor that keeps the inode would write.
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    /// A manifest whose steps are of one kind, named by their last part.
    @discardableResult
    func put(_ app: String, steps: [String], plugin: String = "info", in place: String? = nil) throws -> String {
        let list = steps.map { #"{ "id": "\#(app).\#($0)", "plugin": "\#(plugin)" }"# }.joined(separator: ", ")
        return try put(app, #""steps": [ \#(list) ]"#, in: place)
    }

    /// Puts the example family into the user's own directory.
    func putFamily() throws {
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        for file in Fixtures.family {
            try FileManager.default.copyItem(atPath: file, toPath: own + "/" + URL(filePath: file).lastPathComponent)
        }
    }

    /// Every file under the household with its bytes.
    func contents() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: directory.path) ?? .init() {
            files[name] = FileManager.default.contents(atPath: "\(directory.path)/\(name)") ?? Data()
        }
        return files
    }
}
