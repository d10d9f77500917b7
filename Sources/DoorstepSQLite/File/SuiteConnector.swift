internal import CSQLite
internal import Doorstep
internal import Glibc

/// Opens existing suites: checks the file, picks the way it can be read here, checks its header.
enum SuiteConnector {
    /// An open suite, with what was seen of its file when it was opened.
    struct Opened {
        let connection: Connection
        let file: SuiteFile
        let header: SuiteHeader
    }

    /// Opens the suite at an absolute path, or answers nil if nothing is there.
    ///
    /// A suite is opened for writing also where it is only read so far, but closing it moves no log into the file before
    /// something was written. With ``OnboardingSuite/Access/readOnly`` it is opened so that it can't be written, except
    /// where SQLite needs more: a log that isn't there is made for the time of the reading and removed, and the journal
    /// of a writer that died is rolled back.
    static func open(
        _ path: String, access: OnboardingSuite.Access, waitMilliseconds: Int32
    ) throws(OnboardingStorageError) -> Opened? {
        guard let file = try SuiteFile.inspect(path, access: access) else { return nil }
        var connection: Connection
        do throws(OnboardingStorageError) {
            connection = try connect(file, .normal, waitMilliseconds)
        } catch {
            // Removed between the look and the opening.
            if try SuiteFile.inspect(path, access: access) == nil { return nil }
            throw error
        }
        let header = try SuiteHeader(connection)
        try requireSameFile(connection, file)
        let hasLog = header.usesLog && SuiteFile.size(of: file.logPath) > 0
        if header.usesLog && !file.isWritable {
            return try openUnwritable(connection, file, header, hasLog: hasLog)
        }
        if access == .readOnly, header.usesLog ? hasLog : SuiteFile.size(of: file.journalPath) == 0 {
            connection = try connect(file, .readOnly, waitMilliseconds)
            try requireSameFile(connection, file)
        }
        try requireWhole(connection, header, file, hasLog: hasLog)
        if hasLog { try requireKnownVersion(connection) }
        // The header is sound: what reading has made can be tidied up.
        connection.logOnClose = .removedIfEmpty
        return Opened(connection: connection, file: file, header: header)
    }

    /// As ``open(_:access:waitMilliseconds:)``, and made sure that it can be read, also where no space is left.
    static func openForReading(
        _ path: String, access: OnboardingSuite.Access, waitMilliseconds: Int32
    ) throws(OnboardingStorageError) -> Opened? {
        do throws(OnboardingStorageError) {
            guard let opened = try open(path, access: access, waitMilliseconds: waitMilliseconds) else { return nil }
            try requireKnownVersion(opened.connection)
            return opened
        } catch {
            guard error.code == .full else { throw error }
            return try openAlone(path, access: access, waitMilliseconds: waitMilliseconds)
        }
    }

    /// Opens a suite beside whose log no index can be made, because no space is left: with the index in memory, which SQLite
    /// allows to whoever has the file alone. It is to be closed soon, because others wait for that.
    static func openAlone(
        _ path: String, access: OnboardingSuite.Access, waitMilliseconds: Int32
    ) throws(OnboardingStorageError) -> Opened? {
        guard let file = try SuiteFile.inspect(path, access: access) else { return nil }
        let connection = try connect(file, .normal, waitMilliseconds)
        let header = try SuiteHeader(connection)
        try requireSameFile(connection, file)
        try connection.run("PRAGMA locking_mode = EXCLUSIVE", "read it alone")
        try requireWhole(connection, header, file, hasLog: SuiteFile.size(of: file.logPath) > 0)
        try requireKnownVersion(connection)
        return Opened(connection: connection, file: file, header: header)
    }

    private static func connect(
        _ file: SuiteFile, _ mode: Connection.Mode, _ waitMilliseconds: Int32
    ) throws(OnboardingStorageError) -> Connection {
        let connection = try Connection(path: file.path, mode: mode)
        connection.waitForLocks(milliseconds: waitMilliseconds)
        connection.logOnClose = .kept
        return connection
    }

    /// Opens a suite that is read as it stands, without locks and without the log's files: one that keeps a log but
    /// has none now, so that nobody writes. Otherwise the answer is nil, and ``open(_:access:waitMilliseconds:)`` has to
    /// be asked.
    static func openQuiet(
        _ path: String, access: OnboardingSuite.Access
    ) throws(OnboardingStorageError) -> Opened? {
        guard let file = try SuiteFile.inspect(path, access: access), file.isSettled, file.hasNoLog else { return nil }
        let connection = try Connection(path: file.path, mode: .immutable)
        let header = try SuiteHeader(connection)
        guard header.usesLog, header.isWhole else { return nil }
        return Opened(connection: connection, file: file, header: header)
    }

    /// Reads the version through SQLite: a log may hold a newer one than the file's own header.
    static func requireKnownVersion(_ connection: Connection) throws(OnboardingStorageError) {
        let version = try connection.integer("PRAGMA user_version", "read its version") ?? 0
        try SuiteHeader.check(version: version, path: connection.path)
    }

    /// A log needs a writable directory. Without contents it isn't needed, and the file can be read as it stands.
    private static func openUnwritable(
        _ connection: Connection, _ file: SuiteFile, _ header: SuiteHeader, hasLog: Bool
    ) throws(OnboardingStorageError) -> Opened {
        guard hasLog else {
            if !header.isWhole { throw SuiteHeader.truncated(file.path) }
            return Opened(
                connection: try Connection(path: file.path, mode: .immutable), file: file, header: header)
        }
        do throws(OnboardingStorageError) {
            // Works while a process that may write has the suite open, because then the log's index is there.
            try requireWhole(connection, header, file, hasLog: true)
            try requireKnownVersion(connection)
        } catch {
            guard error.code == .notPermitted || error.code == .io else { throw error }
            throw OnboardingStorageError(
                .notPermitted,
                "suite \"\(file.path)\" has answers in its log (\(file.logPath)), and a log can't be read where nothing may be written; let its owner open it once, or copy both files to a writable directory"
            )
        }
        return Opened(connection: connection, file: file, header: header)
    }

    /// Refuses a file that ends before its last page, unless a log or journal holds what is missing.
    private static func requireWhole(
        _ connection: Connection, _ header: SuiteHeader, _ file: SuiteFile, hasLog: Bool
    ) throws(OnboardingStorageError) {
        if header.isWhole { return }
        guard hasLog || SuiteFile.size(of: file.journalPath) > 0 else {
            throw SuiteHeader.truncated(file.path)
        }
        var verdict = ""
        try connection.query("PRAGMA quick_check(1)", [], "check it") { (row) throws(OnboardingStorageError) in
            verdict = row.text(0)
        }
        if verdict != "ok" { throw SuiteHeader.truncated(file.path) }
    }

    /// Refuses if the file that was opened isn't the one that was looked at.
    private static func requireSameFile(_ connection: Connection, _ file: SuiteFile) throws(OnboardingStorageError) {
        if !connection.hasMoved && file.isStillThere { return }
        throw OnboardingStorageError(
            .busy, "suite \"\(file.path)\" was replaced while it was being opened; try again, nothing was changed")
    }
}
