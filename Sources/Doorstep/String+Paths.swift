internal import Glibc

/// Paths as the kernel reads them, byte by byte.
///
/// For Swift a slash and a combining mark behind it are one character, and that one is no slash: whoever looks for
/// characters misses a part of such a path, which the kernel walks all the same. Of no other type than `String`: launch gates
/// come here, and what is generic isn't specialised for other modules.
extension String {
    /// Whether a path begins at the root.
    package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

    /// Whether a path begins at the user's home.
    package var isPathAtHome: Bool { utf8.starts(with: "~/".utf8) }

    /// Whether there is a slash anywhere: what has one is no name of a file.
    package var holdsSlash: Bool { utf8.contains(UInt8(ascii: "/")) }

    /// The parts of a path between its slashes, the empty ones left out.
    package var pathParts: [String] { parts(between: UInt8(ascii: "/")) }

    /// The last part of a path; the whole text where there is none.
    package var lastPathPart: String { pathParts.last ?? self }

    /// The path up to its last slash, without that: `/` for a file of the root, nil for a name without a slash.
    package var directoryOfPath: String? {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// The path as every process understands it, wherever it was started; itself where this process is in no directory.
    package var absolutePath: String {
        if isAbsolutePath { return self }
        guard let directory = getcwd(nil, 0) else { return self }
        defer { free(directory) }
        return String(cString: directory) + "/" + self
    }

    /// The entries of a list of paths such as `PATH`, the empty ones left out.
    package var listedPaths: [String] { parts(between: UInt8(ascii: ":")) }

    /// What stands between the bytes of one value, which is one of ASCII.
    private func parts(between separator: UInt8) -> [String] {
        utf8.split(separator: separator).map { String(decoding: $0, as: UTF8.self) }
    }
}
