internal import Glibc

/// The files of the machine that probes read.
struct Machine: Sendable {
    /// What stands before every absolute path; empty on the real machine.
    var root = ""
    /// Whether programs started here are root's, who needs no permission for most things.
    var isRoot = geteuid() == 0
    /// What was read already, where each file is read once.
    private var readings: Readings?

    init(root: String = "") { self.root = root }

    /// The same machine, of which each file and directory is read once.
    func readingOnce() -> Machine {
        var machine = self
        machine.readings = Readings()
        return machine
    }

    /// Where `path` really is.
    func path(_ path: String) -> String { root + path }

    /// Whether something is at `path`.
    func exists(_ path: String) -> Bool { isAccessible(path, F_OK) }

    /// Whether the process may use `path` so, by its effective IDs, which is what opening it would be decided by.
    func isAccessible(_ path: String, _ mode: Int32) -> Bool {
        access(path, mode) == 0
    }

    /// `faccessat(2)` on `path`, by the effective IDs: 0 or the errno value.
    func access(_ path: String, _ mode: Int32) -> Int32 {
        faccessat(AT_FDCWD, self.path(path), mode, AT_EACCESS) == 0 ? 0 : errno
    }

    /// The text of a small file, or nil where it can't be read. At most 1 MiB is read.
    func text(_ path: String) -> String? { parsed(path) { $0 } }

    /// What is made of the text of a small file, or nil where it can't be read.
    func parsed<Value: Sendable>(_ path: String, by parse: (String) -> Value?) -> Value? {
        reading(path) {
            readBytes(path, atMost: 1 << 20).map { String(decoding: $0, as: UTF8.self) }.flatMap(parse)
        }
    }

    /// The first bytes of a file, or nil where it can't be read.
    func bytes(_ path: String, atMost limit: Int) -> [UInt8]? { reading(path) { readBytes(path, atMost: limit) } }

    /// The names in a directory, sorted; empty where it can't be read.
    func names(in path: String) -> [String] { reading(path) { readNames(in: path) } }

    /// What is made of several files, once where each file is read once; `what` names it.
    func once<Value: Sendable>(_ what: String, _ make: () -> Value) -> Value { reading(what, make) }

    private func reading<Value: Sendable>(_ path: String, _ read: () -> Value) -> Value {
        readings?.value(of: path, reading: read) ?? read()
    }

    private func readBytes(_ path: String, atMost limit: Int) -> [UInt8]? {
        let descriptor = open(self.path(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count < limit {
            let count = read(descriptor, &chunk, chunk.count)
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    private func readNames(in path: String) -> [String] {
        guard let directory = opendir(self.path(path)) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The sandbox's name for the app, from `/.flatpak-info`, or nil outside a sandbox.
    var sandboxID: String? {
        guard let info = parsed("/.flatpak-info", by: KeyFile.init) else { return nil }
        return info["Application", "name"] ?? ""
    }
}
