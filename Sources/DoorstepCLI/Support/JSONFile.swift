internal import CommandLineKit
internal import DoorstepJSON
internal import DoorstepRegistry
internal import Glibc

/// JSON files that commands take, such as answers.
enum JSONFile {
    /// A file's JSON; `-` stands for standard input.
    static func read(_ path: String) throws(CommandFailure) -> JSONValue {
        do throws(RegistryError) {
            return path == "-" ? try ManifestFile.json(from: STDIN_FILENO) : try ManifestFile.json(at: path)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// The failure for a file with these mistakes, each a line of its own.
    static func failure(_ faults: JSONFaults, in path: String) -> CommandFailure {
        CommandFailure(.invalid, faults.faults.map { "\(path): \($0.description)" }.joined(separator: "\n"))
    }
}
