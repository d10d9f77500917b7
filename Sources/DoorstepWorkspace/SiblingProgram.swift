internal import Doorstep
internal import Glibc

/// Another program of this package, which stands beside the one that runs, or on `PATH`.
package struct SiblingProgram {
    /// Where the program is.
    package let path: String

    /// Looks for a program by its name; nil where it isn't installed.
    package init?(_ name: String, environment: [String: String]) {
        let own = Self.ownPath.flatMap(\.directoryOfPath).map { [$0] } ?? []
        // An empty or relative entry would run whatever stands in the directory where somebody happens to be.
        let listed = (environment["PATH"] ?? "").listedPaths.filter(\.isAbsolutePath)
        let candidates = (own + listed).map { "\($0)/\(name)" }
        guard let path = candidates.first(where: { Self.isProgram($0) }) else { return nil }
        self.path = path
    }

    /// Goes on as this program: same process, same environment.
    ///
    /// - Throws: ``CommandFailure`` where it can't be started.
    package func become(arguments: [String]) throws(CommandFailure) -> Never {
        var pointers = ([path] + arguments).map { strdup($0) } + [nil]
        execv(path, &pointers)
        let reason = String(cString: strerror(errno))
        for pointer in pointers { free(pointer) }
        throw CommandFailure(.unavailable, "\(path) can't be started: \(reason); nothing was recorded")
    }

    /// The path of the program that runs.
    private static var ownPath: String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    private static func isProgram(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
