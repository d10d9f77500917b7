internal import Glibc

/// The bytes of an import as they come, one buffer of them at a time.
struct ImportSource: ~Copyable {
    /// The most bytes that an import may have.
    static let maximumSize = 2 * 1024 * 1024 * 1024
    /// The most bytes that a line may have; it is held whole.
    static let longestLine = 64 << 20

    /// What messages call the file.
    let path: String
    /// The file, or nil where all bytes are in the buffer.
    private let descriptor: Int32?
    private var buffer: [UInt8]
    private var position = 0
    private var end: Int
    private var total = 0

    /// The bytes of a file, or of standard input, which is called `-`.
    init(path: String) throws(SuiteImport.Failure) {
        self.path = path
        let descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(path) }
        self.descriptor = descriptor
        buffer = [UInt8](repeating: 0, count: 1 << 16)
        end = 0
    }

    /// Bytes that are there already.
    init(_ bytes: [UInt8]) {
        path = "-"
        descriptor = nil
        buffer = bytes
        end = bytes.count
    }

    deinit {
        if let descriptor { close(descriptor) }
    }

    private static func unreadable(_ path: String) -> SuiteImport.Failure {
        .unreadable("\"\(path)\" can't be read: \(String(cString: strerror(errno)))")
    }

    /// Reads on behind what is left in the buffer; whether there was more.
    private mutating func fill() throws(SuiteImport.Failure) -> Bool {
        guard let descriptor else { return false }
        if position > 0 {
            buffer.withUnsafeMutableBytes { bytes in
                _ = memmove(bytes.baseAddress!, bytes.baseAddress! + position, end - position)
            }
            end -= position
            position = 0
        }
        if end == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
        while true {
            let count = buffer.withUnsafeMutableBytes { bytes in
                read(descriptor, bytes.baseAddress! + end, bytes.count - end)
            }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw Self.unreadable(path) }
            end += count
            total += count
            if total > Self.maximumSize {
                throw .unreadable("\"\(path)\" has more than \(Self.maximumSize) bytes")
            }
            return count > 0
        }
    }

    /// Whether what follows begins with these bytes; nothing is taken.
    mutating func begins(with bytes: some Collection<UInt8>) throws(SuiteImport.Failure) -> Bool {
        while end - position < bytes.count { if try !fill() { break } }
        return buffer[position..<end].starts(with: bytes)
    }

    /// The next byte, nil at the end; it isn't taken.
    mutating func peek() throws(SuiteImport.Failure) -> UInt8? {
        if position == end { if try !fill() { return nil } }
        return buffer[position]
    }

    /// Takes the next byte, nil at the end.
    mutating func next() throws(SuiteImport.Failure) -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        return byte
    }

    /// Takes all that is left, of what can't be read piece by piece.
    mutating func rest() throws(SuiteImport.Failure) -> [UInt8] {
        while try fill() {}
        defer { position = end }
        return Array(buffer[position..<end])
    }

    /// Takes the next line without its end, nil at the end. Of one that is too long it takes only so much that this shows.
    mutating func line() throws(SuiteImport.Failure) -> ArraySlice<UInt8>? {
        var searched = 0
        while true {
            let found = buffer.withUnsafeBytes { bytes -> Int? in
                let start = position + searched
                guard start < end, let newline = memchr(bytes.baseAddress! + start, 0x0A, end - start) else {
                    return nil
                }
                return bytes.baseAddress!.distance(to: UnsafeRawPointer(newline))
            }
            if let found {
                defer { position = found + 1 }
                return buffer[position..<found]
            }
            searched = end - position
            if searched <= Self.longestLine, try fill() { continue }
            if searched == 0 { return nil }
            defer { position = end }
            return buffer[position..<end]
        }
    }
}
