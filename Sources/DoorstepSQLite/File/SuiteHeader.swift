internal import CSQLite
internal import Doorstep

/// The first bytes of a suite, read through SQLite's own descriptor.
///
/// Opening the file a second time here would be a fault: closing any descriptor of a file drops every lock that the
/// process holds on it.
struct SuiteHeader: Hashable {
    /// Bytes in the file.
    let fileSize: Int64
    /// Whether the file uses a write-ahead log.
    let usesLog: Bool
    /// Whether the file is as long as its header says.
    let isWhole: Bool

    /// Reads and checks the header of the open file; nothing is locked or created by that.
    init(_ connection: Connection) throws(OnboardingStorageError) {
        let (size, bytes) = try Self.read(connection)
        let path = connection.path
        if size == 0 {
            throw OnboardingStorageError(
                .damaged,
                "suite \"\(path)\" is damaged: the file is empty; restore it from a backup, or move it away to start afresh"
            )
        }
        guard size >= 100, bytes.prefix(16).elementsEqual("SQLite format 3\u{0}".utf8) else {
            throw OnboardingStorageError(
                .damaged,
                "suite \"\(path)\" is damaged: it is not an SQLite file; restore it from a backup, or move it away to start afresh"
            )
        }
        guard Self.number(68, in: bytes) == SuiteSchema.applicationID else {
            throw OnboardingStorageError(
                .foreign, "suite \"\(path)\" is a database of another program; name another file, nothing was changed")
        }
        try Self.check(version: Int64(Int32(bitPattern: Self.number(60, in: bytes))), path: path)
        fileSize = size
        usesLog = bytes[19] == 2
        if let length = Self.length(in: bytes) {
            isWhole = size >= length && Self.number(28, in: bytes) > 0
        } else {
            isWhole = size >= Self.pageSize(in: bytes)
        }
    }

    /// How long a file must be by its first bytes, nil where its count of pages isn't current: the last writer didn't keep it.
    static func length(in bytes: [UInt8]) -> Int64? {
        guard number(24, in: bytes) == number(92, in: bytes) else { return nil }
        return Int64(number(28, in: bytes)) * pageSize(in: bytes)
    }

    private static func pageSize(in bytes: [UInt8]) -> Int64 {
        let stored = Int64(bytes[16]) << 8 | Int64(bytes[17])
        return stored == 1 ? 65536 : stored
    }

    private static func number(_ offset: Int, in bytes: [UInt8]) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Refuses a version of the schema that this code can't read.
    static func check(version: Int64, path: String) throws(OnboardingStorageError) {
        if version > Int64(SuiteSchema.version) {
            throw OnboardingStorageError(
                .newer,
                "suite \"\(path)\" was written by a newer doorstep (schema \(version), this one reads up to \(SuiteSchema.version)); nothing was changed"
            )
        }
        if version < 1 {
            throw OnboardingStorageError(
                .damaged,
                "suite \"\(path)\" is damaged: its schema has no version; restore it from a backup, or move it away to start afresh"
            )
        }
    }

    static func truncated(_ path: String) -> OnboardingStorageError {
        OnboardingStorageError(
            .damaged,
            "suite \"\(path)\" is damaged: the file ends early; restore it from a backup, or move it away to start afresh"
        )
    }

    private static func read(_ connection: Connection) throws(OnboardingStorageError) -> (Int64, [UInt8]) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard let file, let methods = file.pointee.pMethods?.pointee, let read = methods.xRead,
            let fileSize = methods.xFileSize
        else {
            throw connection.failure(SQLITE_MISUSE, "read its header")
        }
        var size: Int64 = 0
        var result = fileSize(file, &size)
        if result != SQLITE_OK { throw connection.failure(result, "look at its size") }
        var bytes = [UInt8](repeating: 0, count: 100)
        result = read(file, &bytes, 100, 0)
        if result != SQLITE_OK && result != Int32(SQLITE_IOERR | (2 << 8)) {
            throw connection.failure(result, "read its header")
        }
        return (size, bytes)
    }
}
