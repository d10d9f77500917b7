import Glibc

/// A directory of one trial, for its owner alone, removed with everything in it.
final class TrialDirectory {
    let path: String

    /// - Parameter place: The directory that it is made in.
    init(in place: String) throws(Finding) {
        var template = Array((place + "/doorstep-trial-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw Finding("no directory can be made in \(place)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        clear()
        rmdir(path)
    }

    var suite: String { path + "/suite.db" }

    /// The names in the directory, in order.
    var names: [String] { Self.names(in: path) }

    private static func names(in path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Removes every file, and every directory with its files.
    func clear() {
        for name in names { Self.remove("\(path)/\(name)") }
    }

    private static func remove(_ path: String) {
        if unlink(path) == 0 || errno != EISDIR { return }
        for name in Self.names(in: path) { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// Every file with its bytes.
    func files() throws(Finding) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in names { files[name] = try Self.bytes(of: "\(path)/\(name)") }
        return files
    }

    /// Makes the files what they were.
    func put(_ files: [String: [UInt8]]) throws(Finding) {
        clear()
        for (name, bytes) in files {
            let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_EXCL, 0o600)
            guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count else {
                throw Finding("\(path)/\(name) can't be written")
            }
            close(descriptor)
        }
    }

    static func bytes(of path: String) throws(Finding) -> [UInt8] {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { throw Finding("\(path) can't be read") }
        defer { close(descriptor) }
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65536))
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count <= 0 { return bytes }
            bytes += buffer[..<count]
        }
    }
}
