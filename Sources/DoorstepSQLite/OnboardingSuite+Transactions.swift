internal import CSQLite
internal import Doorstep
internal import Glibc
internal import Synchronization

/// How the suite is read and written: one place that opens, waits, retries, and rolls back.
extension OnboardingSuite {
    /// Runs reads on the suite, or answers nil if there is none.
    ///
    /// The first read is tried without locks and without the log's files: a launch gate reads once and is gone.
    func read<Answer: Sendable>(
        _ operation: String, _ body: (Connection) throws(OnboardingStorageError) -> Answer
    ) throws(OnboardingStorageError) -> Answer? {
        try waiting(operation) { (state, wait) throws(OnboardingStorageError) -> Answer? in
            if state.opened == nil, !state.hasBeenRead {
                state.hasBeenRead = true
                if let answer = self.readQuietly(body) { return answer }
            }
            do throws(OnboardingStorageError) {
                return try self.readOpened(&state, wait: wait, body)
            } catch {
                // All that reading needs space for is the log's index. The connection above is gone by now: this one has
                // to be alone.
                guard error.code == .full else { throw error }
                state = State()
                let alone = try SuiteConnector.openAlone(self.path, access: self.access, waitMilliseconds: wait)
                guard let alone else { return nil }
                return try body(alone.connection)
            }
        }
    }

    private func readOpened<Answer: Sendable>(
        _ state: inout State, wait: Int32, _ body: (Connection) throws(OnboardingStorageError) -> Answer
    ) throws(OnboardingStorageError) -> Answer? {
        guard let opened = try opened(&state, wait: wait) else { return nil }
        if state.isVersionOld { try SuiteConnector.requireKnownVersion(opened.connection) }
        state.isVersionOld = true
        if opened.connection.mode == .immutable {
            state = State()
            return try unlocked(opened, body)
        }
        return try body(opened.connection)
    }

    /// Reads a suite that nobody has open for writing, or answers nil if it can't be read so, whatever the reason.
    private func readQuietly<Answer: Sendable>(
        _ body: (Connection) throws(OnboardingStorageError) -> Answer
    ) -> Answer? {
        do throws(OnboardingStorageError) {
            guard let opened = try SuiteConnector.openQuiet(path, access: access) else { return nil }
            return try unlocked(opened, body)
        } catch {
            // The read with locks that follows succeeds, or says what is the matter.
            return nil
        }
    }

    /// Runs reads without locks: what was read counts only if the file is afterwards what it was before.
    ///
    /// A suite with a log changes only when the log is moved into it, which shows in the file's time. What is in a log
    /// that came up meanwhile happened after this read.
    private func unlocked<Answer: Sendable>(
        _ opened: SuiteConnector.Opened, _ body: (Connection) throws(OnboardingStorageError) -> Answer
    ) throws(OnboardingStorageError) -> Answer {
        let outcome: Result<Answer, OnboardingStorageError>
        do throws(OnboardingStorageError) {
            outcome = .success(try body(opened.connection))
        } catch {
            outcome = .failure(error)
        }
        guard !opened.connection.hasMoved, opened.file.isUnchanged else {
            throw OnboardingStorageError(
                .busy, "suite \"\(path)\" was changed while it was being read; try again")
        }
        return try outcome.get()
    }

    /// Runs the body in one transaction that either happens whole or not at all, and makes it durable.
    ///
    /// - Parameters:
    ///   - creates: Whether an absent suite is created; otherwise nil is the answer.
    ///   - touchesRecords: Whether what is written may be records: ``mark()`` then counts it.
    ///   - patience: How long a lock of another process is waited for, if not for ``busyTimeout``.
    func write<Answer: Sendable>(
        _ operation: String, creates: Bool = true, touchesRecords: Bool = true, patience: Duration? = nil,
        _ body: (Connection) throws(OnboardingStorageError) -> Answer
    ) throws(OnboardingStorageError) -> Answer? {
        if access == .readOnly {
            throw OnboardingStorageError(
                .notPermitted, "suite \"\(path)\" was opened for reading only: could not \(operation)")
        }
        return try waiting(operation, patience) { (state, wait) throws(OnboardingStorageError) -> Answer? in
            guard let opened = try self.openedForWriting(&state, wait: wait, creates: creates, operation) else {
                return nil
            }
            let connection = opened.connection
            do throws(OnboardingStorageError) {
                try connection.execute("BEGIN IMMEDIATE", [], operation)
                try SuiteConnector.requireKnownVersion(connection)
                try SuiteSchema.migrate(connection)
                let answer = try body(connection)
                try connection.execute("COMMIT", [], operation)
                if touchesRecords { connection.commits += 1 }
                if connection.holdsErased { connection.emptyLog(waitMilliseconds: 0) }
                return answer
            } catch {
                self.rollBack(connection, &state)
                throw error
            }
        }
    }

    /// A mark of what the suite holds: another after every commit of another connection, and counting those of this one.
    func mark() throws(OnboardingStorageError) -> OnboardingStorageMark? {
        try read("look for changes") { (connection) throws(OnboardingStorageError) in
            let version = try connection.integer("PRAGMA data_version", "look for changes") ?? 0
            return OnboardingStorageMark(state: [connection.number, Int(version)], commits: connection.commits)
        }
    }

    /// Empties the log after values were erased. A reader may prevent it; then every later write tries again, and closing.
    func emptyLog() {
        state.withLock { state in
            guard let connection = state.opened?.connection else { return }
            connection.emptyLog(waitMilliseconds: 100)
            connection.waitForLocks(milliseconds: self.busyMilliseconds)
        }
    }

    var busyMilliseconds: Int32 {
        Self.milliseconds(busyTimeout)
    }

    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        if overflow { return seconds < 0 ? 0 : .max }
        return Int32(clamping: max(0, whole + attoseconds / 1_000_000_000_000_000))
    }

    /// Tries again while the suite is busy, for as long as the busy wait allows.
    ///
    /// The wait counts from the call: what a thread has spent until another one let go of the connection is part of it, so
    /// that many threads wait no longer than one. Each tries at least once.
    private func waiting<Answer: Sendable>(
        _ operation: String, _ patience: Duration? = nil,
        _ body: (inout State, Int32) throws(OnboardingStorageError) -> Answer
    ) throws(OnboardingStorageError) -> Answer {
        let clock = ContinuousClock()
        let start = clock.now
        let patience = patience ?? busyTimeout
        while true {
            do throws(OnboardingStorageError) {
                return try state.withLock { (state) throws(OnboardingStorageError) -> Answer in
                    let wait = Self.milliseconds(patience - start.duration(to: clock.now))
                    state.opened?.connection.waitForLocks(milliseconds: wait)
                    do throws(OnboardingStorageError) {
                        return try body(&state, wait)
                    } catch {
                        // A file that can't be used isn't kept open: it may be repaired or replaced meanwhile.
                        if [.damaged, .newer, .foreign, .io].contains(error.code) { state = State() }
                        throw error
                    }
                }
            } catch {
                guard error.code == .busy else { throw error }
                let waited = start.duration(to: clock.now)
                guard waited < patience else { throw stillBusy(operation, after: waited) }
                usleep(2000)
            }
        }
    }

    private func stillBusy(_ operation: String, after waited: Duration) -> OnboardingStorageError {
        let tenths = Self.milliseconds(waited) / 100
        return OnboardingStorageError(
            .busy,
            "suite \"\(path)\" is busy: another process held it for \(tenths / 10).\(tenths % 10) s, so doorstep could not \(operation); try again, nothing was changed"
        )
    }

    private func opened(
        _ state: inout State, wait: Int32
    ) throws(OnboardingStorageError) -> SuiteConnector.Opened? {
        if let opened = state.opened {
            if !opened.connection.hasMoved { return opened }
            // Another file has the suite's name now: writing on would go to one that nobody finds.
            state = State()
        }
        state.opened = try SuiteConnector.open(path, access: access, waitMilliseconds: wait)
        return state.opened
    }

    private func openedForWriting(
        _ state: inout State, wait: Int32, creates: Bool, _ operation: String
    ) throws(OnboardingStorageError) -> SuiteConnector.Opened? {
        var found = try opened(&state, wait: wait)
        if found == nil {
            guard creates else { return nil }
            try SuiteCreation(path: path).run()
            found = try opened(&state, wait: wait)
        }
        guard let opened = found else {
            throw OnboardingStorageError(.busy, "suite \"\(path)\" vanished while it was being opened; try again")
        }
        guard opened.file.isWritable, opened.connection.mode == .normal, !opened.connection.isReadOnly else {
            throw OnboardingStorageError(
                .notPermitted,
                "suite \"\(path)\" or its directory can't be written here: could not \(operation); nothing was changed")
        }
        if !state.isReadyToWrite {
            opened.connection.logOnClose = .movedIn
            try opened.connection.run(
                """
                PRAGMA synchronous = \(opened.header.usesLog ? "FULL" : "EXTRA"); PRAGMA secure_delete = ON;
                PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY
                """, "prepare for writing")
            SuiteCreation(path: opened.file.path).sweep()
            state.isReadyToWrite = true
        }
        return opened
    }

    private func rollBack(_ connection: Connection, _ state: inout State) {
        guard connection.isInTransaction else { return }
        do throws(OnboardingStorageError) {
            try connection.execute("ROLLBACK", [], "undo an unfinished change")
        } catch {
            // Letting go of the connection undoes it as well.
            state = State()
        }
    }
}
