internal import CSQLite
package import Doorstep
internal import Glibc

extension SuiteDoctor {
    /// What was recovered of one table.
    package struct Recovery: Sendable, Hashable {
        /// The table.
        package var table: String
        /// How many rows could be read and kept.
        package var rows: Int
        /// Whether reading ended before the table's end.
        package var isPartial: Bool
    }

    private struct Table {
        var name: String
        var columns: String
        var key: String
        /// The columns that hold rows' numbers; the first one's are given out one after the other and never again.
        var numbers: [String] = []

        static let all = [
            Table(
                name: "apps",
                columns:
                    "app, prefix, commit_mode, source_path, source_device, source_inode, source_size, source_modified_ns, source_changed_ns",
                key: "app"),
            Table(
                name: "flow_steps", columns: "app, position, step, is_required, is_skippable, revision",
                key: "app, position"),
            Table(name: "records", columns: "prefix, step, value, revision, origin, at, evidence", key: "prefix, step"),
            Table(name: "inputs", columns: "prefix, step, key, type, value", key: "prefix, step, key"),
            Table(
                name: "history",
                columns: "sequence, at, prefix, app, step, old, new, revision, origin, evidence, uid, program",
                key: "sequence", numbers: ["sequence"]),
            Table(
                name: "removals",
                columns: "number, at, kind, prefix, app, up_to, records, inputs, events, uid, program", key: "number",
                numbers: ["number", "up_to"]),
            Table(
                name: "page_events", columns: "sequence, at, prefix, app, step, event, showing", key: "sequence",
                numbers: ["sequence"]),
        ]

        /// The statement that walks the table from one of its ends.
        func select(fromEnd: Bool) -> String {
            let order = fromEnd ? key.split(separator: ", ").joined(separator: " DESC, ") + " DESC" : key
            let filter = numbers.map { "\($0) <= \(OnboardingEvent.largestSequence)" }.joined(separator: " AND ")
            return "SELECT \(columns) FROM \(name) \(filter.isEmpty ? "" : "WHERE " + filter) ORDER BY \(order)"
        }

        var insert: String {
            let count = columns.split(separator: ",").count
            let places = (1...count).map { "?\($0)" }.joined(separator: ", ")
            return "INSERT OR IGNORE INTO \(name) (\(columns)) VALUES (\(places))"
        }
    }

    /// Reads what can be read into a new suite beside the old one. The old one is copied first, and only the copy is opened;
    /// the new one gets its name when it is whole.
    ///
    /// - Throws: ``OnboardingStorageError`` where nothing can be read, or the target can't be written; then there is none.
    package func repair(into target: String) throws(OnboardingStorageError) -> [Recovery] {
        // Which also says what speaks against the name.
        let target = try OnboardingSuite.open(at: target, environment: [:]).path
        let directory = SuiteFile.directory(of: target)
        try SuiteFile.requireSafeDirectory(directory, path: target)
        var facts = stat()
        if lstat(target, &facts) == 0 { throw Self.taken(target) }
        let room = "\(target).work-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        guard mkdir(room, 0o700) == 0 else {
            throw OnboardingStorageError(systemError: errno, "make a place to work", path: target)
        }
        let (copy, made) = (room + "/suite.db", room + "/recovered.db")
        defer {
            for suffix in ["", "-wal", "-shm", "-journal"] {
                unlink(copy + suffix)
                unlink(made + suffix)
            }
            rmdir(room)
        }
        for suffix in ["", "-wal", "-journal"] { try Self.copy(file + suffix, copy + suffix, isNeeded: suffix.isEmpty) }
        try Self.restoreLength(of: copy)
        let recovered = try recover(try Connection(path: copy, shownAs: path), into: made, shownAs: target)
        guard recovered.contains(where: { $0.rows > 0 }) else {
            throw OnboardingStorageError(
                .damaged, "nothing can be read of the suite \"\(path)\"; restore it from a backup, nothing was changed")
        }
        switch try SuiteCreation(path: target).placeDurably(made, in: directory) {
        case .done: break
        case .nameTaken: throw Self.taken(target)
        case .temporaryGone, .unsupported:
            throw OnboardingStorageError(
                .io, "the recovered suite could not be put at \"\(target)\"; name a file elsewhere, nothing was changed"
            )
        }
        return recovered
    }

    private static func taken(_ target: String) -> OnboardingStorageError {
        OnboardingStorageError(.notPermitted, "\"\(target)\" is there already; move it away, nothing was changed")
    }

    private func recover(
        _ old: Connection, into path: String, shownAs target: String
    ) throws(OnboardingStorageError) -> [Recovery] {
        // Nobody else knows of it: where it is locked all the same, waiting doesn't help.
        let suite = try OnboardingSuite.open(at: path, environment: [:], busyTimeout: .milliseconds(100))
        let recovered = try suite.write("recover it") { (new) throws(OnboardingStorageError) -> [Recovery] in
            var recovered: [Recovery] = []
            // Steps may point to apps that are lost.
            for table in Table.all { recovered.append(try Self.walk(table, old, new)) }
            try Self.carryNumbering(old, new)
            return recovered
        }
        try suite.close()
        // Closing leaves in the log what the file had no room for; without the log it would be lost.
        if SuiteFile.size(of: path + "-wal") > 0 {
            try Connection(path: path, shownAs: target).run("PRAGMA wal_checkpoint(TRUNCATE)", "write it")
        }
        guard SuiteFile.size(of: path + "-wal") == 0 else {
            throw OnboardingStorageError(
                .io,
                "suite \"\(target)\": could not move all of it out of its log; name a file elsewhere, nothing was changed"
            )
        }
        return recovered ?? []
    }

    /// - Throws: ``OnboardingStorageError`` where it isn't the old suite's damage that ends the reading.
    private static func walk(
        _ table: Table, _ old: Connection, _ new: Connection
    ) throws(OnboardingStorageError) -> Recovery {
        var recovery = Recovery(table: table.name, rows: 0, isPartial: false)
        let count = table.columns.split(separator: ",").count
        for fromEnd in [false, true] {
            do throws(OnboardingStorageError) {
                // A suite of an earlier version doesn't have every table.
                if try !old.hasTable(table.name) { return recovery }
                try old.query(table.select(fromEnd: fromEnd), [], "recover") { (row) throws(OnboardingStorageError) in
                    if try keep(row.values(count), table, new) { recovery.rows += new.changedRows }
                }
                return recovery
            } catch {
                guard error.code == .damaged else { throw error }
                recovery.isPartial = true
            }
        }
        return recovery
    }

    /// Goes on numbering rows where the old suite has stopped: a removal says up to which number events may go, and no later
    /// event may have one of those.
    private static func carryNumbering(_ old: Connection, _ new: Connection) throws(OnboardingStorageError) {
        for table in Table.all where !table.numbers.isEmpty {
            var last = try lastNumber(of: table, in: new)
            do throws(OnboardingStorageError) {
                last = max(last, try lastNumber(of: table, in: old))
            } catch {
                guard error.code == .damaged else { throw error }
            }
            if table.name == "history" {
                last = max(last, try new.integer("SELECT max(up_to) FROM removals", "carry the numbering over") ?? 0)
            }
            if last == 0 { continue }
            try new.execute(
                "DELETE FROM sqlite_sequence WHERE name = ?1", [.text(table.name)], "carry the numbering over")
            try new.execute(
                "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)", [.text(table.name), .integer(last)],
                "carry the numbering over")
        }
    }

    /// The last number that a suite has given out to a row of a table, as far as it may be one.
    private static func lastNumber(
        of table: Table, in suite: Connection
    ) throws(OnboardingStorageError) -> Int64 {
        try OnboardingSuite.number(
            "SELECT max(seq) FROM sqlite_sequence WHERE name = ?1 AND seq BETWEEN 1 AND ?2",
            [.text(table.name), .integer(OnboardingEvent.largestSequence)], suite) ?? 0
    }

    /// Writes a row; one that breaks the rules of its table is damage too: it is left out, and the others are kept.
    private static func keep(
        _ values: [SQLValue], _ table: Table, _ new: Connection
    ) throws(OnboardingStorageError) -> Bool {
        do throws(OnboardingStorageError) {
            try new.execute(table.insert, values, "keep a row")
            return true
        } catch {
            guard error.code == .invalid else { throw error }
            return false
        }
    }

    /// Gives a file that has lost its end the length that its header names: SQLite reads nothing of a shorter one.
    private static func restoreLength(of path: String) throws(OnboardingStorageError) {
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw OnboardingStorageError(systemError: errno, "read it", path: path) }
        defer { close(file) }
        var header = [UInt8](repeating: 0, count: 100)
        var facts = stat()
        guard pread(file, &header, header.count, 0) == header.count, fstat(file, &facts) == 0 else { return }
        // No suite loses nearly all of itself.
        guard let length = SuiteHeader.length(in: header), length > facts.st_size, length / 16 <= facts.st_size
        else { return }
        if ftruncate(file, off_t(length)) != 0 {
            throw OnboardingStorageError(systemError: errno, "copy it", path: path)
        }
    }

    private static func copy(_ source: String, _ target: String, isNeeded: Bool) throws(OnboardingStorageError) {
        let from = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if from < 0, errno == ENOENT, !isNeeded { return }
        guard from >= 0 else { throw OnboardingStorageError(systemError: errno, "read it", path: source) }
        defer { close(from) }
        let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard to >= 0 else { throw OnboardingStorageError(systemError: errno, "copy it", path: target) }
        defer { close(to) }
        var facts = stat()
        guard fstat(from, &facts) == 0, ftruncate(to, facts.st_size) == 0 else {
            throw OnboardingStorageError(systemError: errno, "copy it", path: target)
        }
        // Block by block: one that the disk can't give stays empty, and those behind it are copied.
        var block = [UInt8](repeating: 0, count: 4096)
        var place: off_t = 0
        while place < facts.st_size {
            let count = pread(from, &block, block.count, place)
            if count < 0, errno == EINTR { continue }
            if count == 0 { return }
            if count < 0, errno != EIO { throw OnboardingStorageError(systemError: errno, "read it", path: source) }
            if count > 0, pwrite(to, block, count, place) != count {
                throw OnboardingStorageError(systemError: errno, "copy it", path: target)
            }
            place += off_t(count > 0 ? count : block.count)
        }
    }
}

extension Row {
    /// The first columns as they are.
    func values(_ count: Int) -> [SQLValue] {
        (0..<Int32(count)).map { isNull($0) ? .null : isInteger($0) ? .integer(integer($0)) : .text(text($0)) }
    }
}
