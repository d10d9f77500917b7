internal import Doorstep
package import DoorstepJSON
public import DoorstepSQLite
internal import Glibc

/// A manifest file on disk: where it is, what identifies it, and how it is read.
public struct ManifestFile: Sendable, Hashable {
    /// The most bytes that a manifest may have.
    public static let maximumSize = 4 * 1024 * 1024

    /// The file's path.
    public let path: String
    /// What identifies the file as it was when it was found.
    public let identity: ManifestIdentity
    /// Why it may not be what its owner put there, or nil where nobody else can change it.
    let distrust: String?

    /// The file's name without its directory.
    public var name: String { path.lastPathPart }

    /// The file at a path, or nil where there is none. Nothing is read.
    ///
    /// - Throws: ``RegistryError/unreadable(path:reason:cause:)`` where something else is there.
    public init?(at path: String) throws(RegistryError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            // Only what doesn't exist is no manifest; what can't be looked at is a problem to be told.
            // A name that no file can have is one of those.
            if errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG { return nil }
            throw .unreadable(path)
        }
        self.init(path: path, status: status)
    }

    init(path: String, status: stat) {
        self.path = path
        self.distrust = RegistryTrust.fault(status, of: path)
        self.identity = ManifestIdentity(
            path: path.absolutePath, device: Int64(bitPattern: UInt64(status.st_dev)),
            inode: Int64(bitPattern: UInt64(status.st_ino)),
            size: Int64(status.st_size), modified: Self.nanoseconds(status.st_mtim),
            changed: Self.nanoseconds(status.st_ctim))
    }

    /// Reads the file, with the identity of exactly what was read.
    ///
    /// - Throws: ``RegistryError/unreadable(path:reason:cause:)``, or ``RegistryError/invalid(_:)`` for what isn't JSON.
    static func read(
        _ path: String
    ) throws(RegistryError) -> (file: ManifestFile, value: JSONValue, bytes: [UInt8]) {
        let (bytes, status) = try contents(of: path)
        return (ManifestFile(path: path, status: status), try json(bytes, named: path), bytes)
    }

    private static func json(_ bytes: [UInt8], named name: String) throws(RegistryError) -> JSONValue {
        do throws(JSONSyntaxError) {
            return try JSONValue(parsing: bytes)
        } catch {
            let place = "line \(error.line), column \(error.column)"
            let message = "this can't be read as JSON: \(error.message)"
            throw .invalid([ManifestFault(file: name, place: place, message: message)])
        }
    }

    /// The JSON of any file that a person names.
    ///
    /// - Throws: ``RegistryError/unreadable(path:reason:cause:)``, or ``RegistryError/invalid(_:)`` for what isn't JSON.
    package static func json(at path: String) throws(RegistryError) -> JSONValue {
        try read(path).value
    }

    /// The JSON that an open descriptor, such as standard input, holds up to its end.
    ///
    /// - Throws: As ``json(at:)``.
    package static func json(from descriptor: Int32, named name: String = "-") throws(RegistryError) -> JSONValue {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let got = Glibc.read(descriptor, &buffer, buffer.count)
            if got < 0, errno == EINTR { continue }
            if got < 0 { throw .unreadable(name) }
            if got == 0 { return try json(bytes, named: name) }
            bytes += buffer[..<got]
            if bytes.count > maximumSize {
                throw .unreadable(
                    path: name, reason: "it has more than \(maximumSize) bytes, which is all that is accepted",
                    cause: .unsuitable)
            }
        }
    }

    /// The prefix that a manifest names, or nil where it names none or can't be read; nothing else of it is checked.
    static func prefix(at path: String) -> String? {
        do throws(RegistryError) {
            return try json(at: path).object?["prefix"]?.string
        } catch {
            return nil
        }
    }

    /// The bytes of a regular file of bounded size.
    static func contents(of path: String) throws(RegistryError) -> (bytes: [UInt8], status: stat) {
        // O_NONBLOCK: a FIFO under a manifest's name must not hold its reader.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw .unreadable(path)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path: path, reason: "it is not a regular file", cause: .unsuitable)
        }
        guard status.st_size <= maximumSize else {
            throw .unreadable(
                path: path, reason: "it has \(status.st_size) bytes; at most \(maximumSize) are accepted",
                cause: .unsuitable)
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + count, $0.count - count) }
            if got < 0, errno == EINTR { continue }
            if got < 0 { throw .unreadable(path) }
            if got == 0 { break }
            count += got
        }
        guard count <= Int(status.st_size) else { throw .unreadable(path: path, reason: "it grew while it was read") }
        return (Array(bytes.prefix(count)), status)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
