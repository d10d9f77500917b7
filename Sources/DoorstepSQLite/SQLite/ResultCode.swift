internal import CSQLite
internal import Doorstep
internal import Glibc

/// What SQLite answered, and how it is told to a person.
struct ResultCode: Hashable {
    /// The extended result code.
    let extended: Int32
    /// The `errno` of the system call that failed below, or 0.
    let systemError: Int32

    var primary: Int32 { extended & 0xff }

    /// Whether the change was made all the same, because its journal was gone already when a call failed:
    /// `SQLITE_IOERR_DIR_FSYNC` and `SQLITE_IOERR_RDLOCK`, macros that Swift doesn't import.
    var isAfterChange: Bool { extended == SQLITE_IOERR | 5 << 8 || extended == SQLITE_IOERR | 9 << 8 }

    /// The kind of failure that a caller decides by.
    var code: OnboardingStorageError.Code {
        switch primary {
        // What the disk doesn't give is told as a damaged image by SQLite.
        case SQLITE_CORRUPT where systemError != 0: return Self.code(ofSystemError: systemError)
        case SQLITE_FULL: return .full
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: return .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_EMPTY: return .damaged
        // Our statements are fixed and the schema's version was checked: one that doesn't compile means that a table
        // isn't what it must be.
        case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_NOTFOUND: return .damaged
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: return .notPermitted
        case SQLITE_CONSTRAINT, SQLITE_TOOBIG, SQLITE_MISMATCH, SQLITE_RANGE: return .invalid
        case SQLITE_CANTOPEN, SQLITE_IOERR: return Self.code(ofSystemError: systemError)
        default: return .io
        }
    }

    /// The kind of failure that a failed system call is.
    static func code(ofSystemError error: Int32) -> OnboardingStorageError.Code {
        switch error {
        case ENOSPC, EDQUOT, EFBIG: .full
        case EACCES, EPERM, EROFS: .notPermitted
        case EBUSY, EAGAIN: .busy
        case ENAMETOOLONG: .invalid
        default: .io
        }
    }

    /// What the system says of an `errno`.
    static func text(ofSystemError error: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(error, &buffer, buffer.count) == 0 else { return "error \(error)" }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// SQLite's own name for the code, with the system's word for it where there is one.
    var explanation: String {
        if primary == SQLITE_CORRUPT, systemError != 0 { return Self.text(ofSystemError: systemError) }
        let text = sqlite3_errstr(extended).map { String(cString: $0) } ?? "no explanation"
        guard systemError != 0, primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN || primary == SQLITE_FULL else {
            return "\(text), SQLite code \(extended)"
        }
        return "\(text): \(Self.text(ofSystemError: systemError)), SQLite code \(extended)"
    }
}

extension OnboardingStorageError {
    /// A system call on the suite at `path` that failed while doing `operation`.
    init(systemError error: Int32, _ operation: String, path: String) {
        self.init(
            ResultCode.code(ofSystemError: error),
            "suite \"\(path)\": could not \(operation): \(ResultCode.text(ofSystemError: error)); nothing was changed")
    }

    /// A call of SQLite on the suite at `path` that failed while doing `operation`.
    init(_ result: ResultCode, _ operation: String, path: String) {
        let message =
            switch result.code {
            case _ where result.isAfterChange:
                "suite \"\(path)\": what was changed stands in the file, but a power cut could still undo it (\(result.explanation)); try again"
            case .damaged:
                "suite \"\(path)\" is damaged: could not \(operation) (\(result.explanation)); restore it from a backup, or move it away to start afresh"
            case .full:
                "suite \"\(path)\": could not \(operation): no space is left or a quota is used up; free some and try again, nothing was changed"
            case .notPermitted:
                "suite \"\(path)\": not allowed to \(operation) (\(result.explanation)); nothing was changed"
            case .busy:
                "suite \"\(path)\" is busy: could not \(operation); try again, nothing was changed"
            default:
                "suite \"\(path)\": could not \(operation) (\(result.explanation)); nothing was changed"
            }
        self.init(result.code, message)
    }
}
