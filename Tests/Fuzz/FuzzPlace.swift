import Doorstep
import DoorstepPluginKit
import DoorstepRegistry
import DoorstepSQLite
import Glibc
import ProfilePlugin
import WelcomePlugins

/// The files of one fuzzing process, in memory.
enum FuzzPlace {
    /// The process's own directory.
    static let directory: String = {
        var template = Array("/dev/shm/doorstep-fuzz-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("/dev/shm can't be written") }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        mkdir(path + "/policy", 0o700)
        atexit {
            for name in ["com.example.aurora.json", "input", "policy/input.json"] {
                unlink("\(FuzzPlace.directory)/\(name)")
            }
            FuzzPlace.removeSuite()
            rmdir(FuzzPlace.directory + "/policy")
            rmdir(FuzzPlace.directory)
        }
        return path
    }()

    static let catalogue = PluginCatalogue([WelcomePlugin(), InfoPlugin(), ProfilePlugin()])

    static var suite: String { directory + "/suite.db" }

    /// An app with a field of each kind.
    static let app: RegisteredApp = {
        let manifest = """
            { "format": 1, "app": "com.example.aurora", "welcome": { "id": "com.example.aurora.welcome" }, "steps": [
              { "id": "com.example.aurora.name", "plugin": "profile", "required": true, "skippable": false, "options": {
                "inputs": [ { "key": "name", "type": "text", "minLength": 3, "maxLength": 8 },
                  { "key": "age", "type": "integer", "minimum": 18, "maximum": 100, "default": 50 },
                  { "key": "news", "type": "toggle" } ] } },
              { "id": "com.example.aurora.tips", "plugin": "info" } ] }
            """
        let path = write(Array(manifest.utf8), to: "com.example.aurora.json")
        do {
            return try Registry.read(path, catalogue: catalogue)
        } catch {
            fatalError("\(error)")
        }
    }()

    /// Writes a file; its path.
    @discardableResult
    static func write(_ bytes: [UInt8], to name: String) -> String {
        let path = "\(directory)/\(name)"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        guard descriptor >= 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            fatalError("\(path) can't be written")
        }
        close(descriptor)
        return path
    }

    static func removeSuite() {
        for suffix in ["", "-wal", "-shm", "-journal", ".repaired", ".repaired-wal", ".repaired-shm"] {
            unlink(suite + suffix)
        }
    }
}
