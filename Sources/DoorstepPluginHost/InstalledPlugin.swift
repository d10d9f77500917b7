internal import DoorstepJSON
internal import DoorstepSpawn
internal import Glibc

/// A plugin that was found, looked at and described; nothing of it has run yet.
public struct InstalledPlugin: Sendable, Hashable {
    /// The most bytes that a description may have.
    static let maximumDescription = 256 * 1024

    /// What its file says.
    public let description: PluginDescription
    /// The directory.
    public let directory: String
    /// The program as it was looked at.
    let identity: FileIdentity

    /// The file that describes it.
    public var path: String { "\(directory)/\(description.kind)\(PluginDescription.suffix)" }
    /// The program.
    public var program: String { "\(directory)/\(description.program)" }

    /// Looks at the plugin of a kind in a directory: who could have written its files, and what they say.
    ///
    /// - Throws: ``PluginRefusal``.
    public init(kind: String, in directory: String) throws(PluginRefusal) {
        let trust = PluginTrust()
        let opened = try trust.openDirectory(directory)
        let name = kind + PluginDescription.suffix
        let path = "\(directory)/\(name)"
        let bytes = try Self.contents(of: try trust.openFile(name, in: opened, path: path), path: path)
        let value = try Self.parse(bytes, path: path)
        do throws(JSONFaults) {
            description = try PluginDescription(value, fileName: name)
        } catch {
            throw PluginRefusal(kind: kind, path: path, reason: error.faults.map(\.description).joined(separator: "; "))
        }
        self.directory = directory
        let file = try Self.open(description.program, in: opened, trust: trust, directory: directory)
        guard let status = file.status() else {
            throw PluginRefusal(kind: kind, path: path, reason: "its program can't be looked at")
        }
        identity = FileIdentity(status)
    }

    /// Opens the program to run it, if it is still the one that was looked at.
    func openProgram() throws(PluginRefusal) -> Descriptor {
        let trust = PluginTrust()
        let file = try Self.open(
            description.program, in: try trust.openDirectory(directory), trust: trust, directory: directory)
        guard let status = file.status(), FileIdentity(status) == identity else {
            throw PluginRefusal(
                kind: description.kind, path: program, reason: "it changed after it was looked at; try again")
        }
        return file
    }

    private static func open(
        _ name: String, in opened: borrowing Descriptor, trust: PluginTrust, directory: String
    ) throws(PluginRefusal) -> Descriptor {
        let path = "\(directory)/\(name)"
        let file: Descriptor
        do throws(PluginRefusal) {
            file = try trust.openFile(name, in: opened, path: path)
        } catch {
            guard error.isAbsent else { throw error }
            throw PluginRefusal(
                path: path,
                reason:
                    "the program that its description names isn't there; build it, and put it beside its description")
        }
        if let reason = trust.faultInProgram(file) { throw PluginRefusal(path: path, reason: reason) }
        return file
    }

    private static func parse(_ bytes: [UInt8], path: String) throws(PluginRefusal) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONValue(parsing: bytes)
        } catch {
            throw PluginRefusal(path: path, reason: "it is not JSON: \(error.description)")
        }
    }

    private static func contents(of file: consuming Descriptor, path: String) throws(PluginRefusal) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(file.number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw PluginRefusal(path: path, reason: "it can't be read: \(String(cString: strerror(errno)))")
            }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            if bytes.count > maximumDescription {
                throw PluginRefusal(path: path, reason: "it is longer than \(maximumDescription) bytes")
            }
        }
    }
}
