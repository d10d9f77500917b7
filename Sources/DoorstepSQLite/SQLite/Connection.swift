internal import CSQLite
internal import Doorstep
internal import Synchronization

/// The one owner of a `sqlite3` handle and of the statements prepared on it.
///
/// It opens files that exist, never creates one, and is used by one thread at a time.
final class Connection {
    /// How the file is opened.
    enum Mode: Hashable {
        /// For reading and writing, or for reading alone where the system allows no more.
        case normal
        /// For reading alone: not a byte of the file or its log changes. A log's index is made where there is none.
        case readOnly
        /// Without locks and without looking for a log: only for a file that nobody changes meanwhile.
        case immutable
        /// For what is kept for a while and then gone: an empty file that is about to lose its name, or, without a path, one
        /// that SQLite makes in a place of its choice. Nothing of it is made durable, and nothing is undone.
        case scratch
    }

    /// What closing does with the write-ahead log if nobody else has the file open.
    enum LogOnClose: Hashable {
        /// It is moved into the file and removed: for whoever writes.
        case movedIn
        /// It is removed if it is empty, as the one is that reading a file without a log makes.
        case removedIfEmpty
        /// It stays as it is.
        case kept
    }

    /// The file's path as messages show it.
    let path: String
    let mode: Mode
    let handle: OpaquePointer
    /// Tells this connection from every other one of the process, also from those that are gone.
    let number = Connection.count.add(1, ordering: .relaxed).newValue

    /// How many transactions through this connection may have changed records.
    var commits = 0

    /// What closing does with the write-ahead log.
    var logOnClose = LogOnClose.movedIn

    /// Whether erased values may still stand in the log, because somebody was reading it when it was to be emptied.
    private(set) var holdsErased = false

    private let logPath: String
    private static let count = Atomic<Int>(0)
    private var isClosed = false
    private var statements: [String: OpaquePointer] = [:]
    private static let statementLimit = 48

    /// Opens the file at an absolute path.
    ///
    /// An absolute path begins with a slash, so none has a special meaning to SQLite (`:memory:`, `file:` URIs).
    init(path: String, mode: Mode = .normal, shownAs shown: String? = nil) throws(OnboardingStorageError) {
        var handle: OpaquePointer?
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        if HostileReading.isOn { flags |= SQLITE_OPEN_NOFOLLOW }
        var name = path
        switch mode {
        case .normal, .scratch:
            flags |= SQLITE_OPEN_READWRITE
        case .readOnly:
            flags |= SQLITE_OPEN_READONLY
        case .immutable:
            flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            name = Self.immutableURI(path)
        }
        let result = sqlite3_open_v2(name, &handle, flags, nil)
        guard result == SQLITE_OK, let handle else {
            let failure = ResultCode(extended: result, systemError: handle.map { sqlite3_system_errno($0) } ?? 0)
            sqlite3_close_v2(handle)
            throw OnboardingStorageError(failure, "open it", path: shown ?? path)
        }
        self.path = shown ?? path
        self.mode = mode
        logPath = path + "-wal"
        self.handle = handle
        harden()
    }

    deinit {
        if isClosed { return }
        finishErasing()
        finalizeStatements()
        settleLog()
        sqlite3_close_v2(handle)
    }

    /// Closes the file, or says what keeps it open; nothing else may be asked of a closed connection.
    func close() throws(OnboardingStorageError) {
        if isClosed { return }
        finishErasing()
        finalizeStatements()
        if let unfinished = sqlite3_next_stmt(handle, nil) {
            let sql = sqlite3_sql(unfinished).map { String(cString: $0) } ?? "a statement"
            throw OnboardingStorageError(.busy, "suite \"\(path)\" could not be closed: \(sql) is unfinished")
        }
        settleLog()
        let result = sqlite3_close(handle)
        if result != SQLITE_OK { throw failure(result, "close it") }
        isClosed = true
    }

    private func finalizeStatements() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
    }

    /// Moves the log into the file and empties it, so that erased values are nowhere left in either; whether that was
    /// possible.
    ///
    /// A reader in the middle of a transaction can prevent it for longer than the wait: SQLite tells of that in the row.
    /// Then ``holdsErased`` says so until a later call succeeds; closing tries once more. The log of a process that is
    /// killed before, or whose last attempt a reader prevents too, is emptied when the last writer closes the file.
    ///
    /// A suite without a log has nothing to empty: each change ends with the removal of its journal. What blocks of the
    /// disk a removed or emptied file leaves is up to the file system.
    @discardableResult func emptyLog(waitMilliseconds: Int32) -> Bool {
        waitForLocks(milliseconds: waitMilliseconds)
        var isBlocked = true
        do throws(OnboardingStorageError) {
            try query("PRAGMA wal_checkpoint(TRUNCATE)", [], "empty its log") {
                (row) throws(OnboardingStorageError) in
                isBlocked = row.integer(0) != 0
            }
        } catch {
            // The answers are durable all the same.
        }
        holdsErased = isBlocked
        return !isBlocked
    }

    private func finishErasing() {
        // Beside a file that was moved away, the log may be another suite's by now.
        if holdsErased && !hasMoved { emptyLog(waitMilliseconds: 100) }
    }

    private func settleLog() {
        let keeps =
            switch logOnClose {
            case .movedIn: false
            case .removedIfEmpty: SuiteFile.size(of: logPath) > 0
            case .kept: true
            }
        _ = doorstep_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keeps ? 1 : 0)
    }

    /// What needs no statement: a hostile schema runs nothing, nobody writes the schema table, no memory mapping.
    private func harden() {
        _ = doorstep_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        _ = doorstep_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        _ = doorstep_db_config(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1)
        _ = doorstep_db_config(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
        _ = doorstep_db_config(handle, SQLITE_DBCONFIG_DQS_DML, 0)
        var noMapping: Int64 = 0
        _ = sqlite3_file_control(handle, "main", SQLITE_FCNTL_MMAP_SIZE, &noMapping)
        HostileReading.limit(handle)
    }

    /// How long SQLite waits for another process's lock, in milliseconds.
    func waitForLocks(milliseconds: Int32) {
        sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Whether the system allowed only reading.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// Whether the file has been renamed, replaced or removed since it was opened.
    var hasMoved: Bool {
        var moved: Int32 = 0
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK else { return false }
        return moved != 0
    }

    /// Runs statements that answer nothing, without keeping them.
    func run(_ sql: String, _ operation: String) throws(OnboardingStorageError) {
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        if result != SQLITE_OK { throw failure(result, operation) }
    }

    /// Runs a cached statement and hands over each row that it answers.
    func query(
        _ sql: String, _ values: [SQLValue] = [], _ operation: String,
        row: (Row) throws(OnboardingStorageError) -> Void
    ) throws(OnboardingStorageError) {
        let statement = try prepared(sql, operation)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (offset, value) in values.enumerated() {
            let result = value.bind(to: statement, at: Int32(offset + 1))
            if result != SQLITE_OK { throw failure(result, operation) }
        }
        while true {
            let result = sqlite3_step(statement)
            switch result {
            case SQLITE_ROW: try row(Row(statement: statement))
            case SQLITE_DONE: return
            default: throw failure(result, operation)
            }
        }
    }

    /// Runs a cached statement that answers nothing.
    func execute(_ sql: String, _ values: [SQLValue] = [], _ operation: String) throws(OnboardingStorageError) {
        try query(sql, values, operation) { (_) throws(OnboardingStorageError) in }
    }

    /// The first column of the first row as an integer, or nil without rows.
    func integer(_ sql: String, _ operation: String) throws(OnboardingStorageError) -> Int64? {
        var found: Int64?
        try query(sql, [], operation) { (row) throws(OnboardingStorageError) in
            if found == nil { found = row.integer(0) }
        }
        return found
    }

    /// How many rows the last statement changed.
    var changedRows: Int { Int(sqlite3_changes(handle)) }

    /// The number of the row that was added last.
    var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The error for a result of this connection.
    func failure(_ result: Int32, _ operation: String) -> OnboardingStorageError {
        let primary = result & 0xff
        if primary == SQLITE_FULL, isNumberingUsedUp {
            return OnboardingStorageError(
                .damaged,
                "suite \"\(path)\" is damaged: could not \(operation), because its rows are numbered up to the greatest of all numbers; doorstep doctor --repair makes one that can go on, nothing was changed"
            )
        }
        // SQLite keeps it for these two alone.
        var systemError = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(primary) ? sqlite3_system_errno(handle) : 0
        if systemError == 0, primary == SQLITE_IOERR || primary == SQLITE_CORRUPT {
            // What undoing the failed transaction did has covered the cause up, or a read has failed, which SQLite tells as
            // damage; the files remember it.
            systemError = lastError(SQLITE_FCNTL_FILE_POINTER)
            if systemError == 0 { systemError = lastError(SQLITE_FCNTL_JOURNAL_POINTER) }
        }
        return OnboardingStorageError(
            ResultCode(extended: result, systemError: systemError), operation, path: path)
    }

    /// Whether a table has no number left for its next row, which SQLite tells as it tells a full disk.
    private var isNumberingUsedUp: Bool {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let sql = "SELECT 1 FROM sqlite_sequence WHERE seq = \(Int64.max)"
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return false }
        return sqlite3_step(statement) == SQLITE_ROW
    }

    /// The `errno` of the last system call that failed on the file, or on its log or journal.
    private func lastError(_ which: Int32) -> Int32 {
        var file: UnsafeMutablePointer<sqlite3_file>?
        var error: Int32 = 0
        sqlite3_file_control(handle, "main", which, &file)
        guard let file, let control = file.pointee.pMethods?.pointee.xFileControl else { return 0 }
        return control(file, SQLITE_FCNTL_LAST_ERRNO, &error) == SQLITE_OK ? error : 0
    }

    private func prepared(_ sql: String, _ operation: String) throws(OnboardingStorageError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        let result = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard result == SQLITE_OK, let statement else {
            throw failure(result == SQLITE_OK ? SQLITE_MISUSE : result, operation)
        }
        if statements.count >= Self.statementLimit {
            for (old, idle) in statements where sqlite3_stmt_busy(idle) == 0 {
                sqlite3_finalize(idle)
                statements[old] = nil
            }
        }
        statements[sql] = statement
        return statement
    }

    private static func immutableURI(_ path: String) -> String {
        var uri = "file:"
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let hex = String(byte, radix: 16)
                uri += hex.utf8.count == 1 ? "%0" + hex : "%" + hex
            }
        }
        return uri + "?immutable=1"
    }
}
