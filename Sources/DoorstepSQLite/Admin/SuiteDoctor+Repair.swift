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
                key: "sequence"),
            Table(
                name: "removals",
                columns: "number, at, kind, prefix, app, up_to, records, inputs, events, uid, program", key: "number"),
            Table(name: "page_events", columns: "sequence, at, prefix, app, step, event, showing", key: "sequence"),
        ]

        /// The statement that walks the table from one of its ends.
        func select(fromEnd: Bool) -> String {
            let order = fromEnd ? key.split(separator: ", ").joined(separator: " DESC, ") + " DESC" : key
            return "SELECT \(columns) FROM \(name) ORDER BY \(order)"
        }

        var insert: String {
            let count = columns.split(separator: ",").count
            let places = (1...count).map { "?\($0)" }.joined(separator: ", ")
            return "INSERT OR IGNORE INTO \(name) (\(columns)) VALUES (\(places))"
        }
    }

    /// Reads what can be read into a new suite beside the old one. The old one is copied first, and only the copy is opened.
    ///
    /// - Throws: ``OnboardingStorageError`` where nothing can be read, or the target can't be written.
    package func repair(into target: String) throws(OnboardingStorageError) -> [Recovery] {
        var facts = stat()
        if lstat(target, &facts) == 0 {
            throw OnboardingStorageError(
                .notPermitted, "\"\(target)\" is there already; move it away, nothing was changed")
        }
        let room = target + ".work-\(getpid())"
        guard mkdir(room, 0o700) == 0 else {
            throw OnboardingStorageError(systemError: errno, "make a place to work", path: target)
        }
        let copy = room + "/suite.db"
        defer {
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(copy + suffix) }
            rmdir(room)
        }
        for suffix in ["", "-wal", "-journal"] { try Self.copy(path + suffix, copy + suffix, isNeeded: suffix.isEmpty) }
        let old = try Connection(path: copy, shownAs: path)
        let suite = try OnboardingSuite.open(at: target, environment: [:])
        let recovered = try suite.write("recover it") { (new) throws(OnboardingStorageError) -> [Recovery] in
            var recovered: [Recovery] = []
            // Steps may point to apps that are lost.
            for table in Table.all { recovered.append(Self.walk(table, old, new)) }
            return recovered
        }
        try suite.close()
        guard let recovered, recovered.contains(where: { $0.rows > 0 }) else {
            for suffix in ["", "-wal", "-shm"] { unlink(target + suffix) }
            throw OnboardingStorageError(
                .damaged, "nothing can be read of the suite \"\(path)\"; restore it from a backup, nothing was changed")
        }
        return recovered
    }

    private static func walk(_ table: Table, _ old: Connection, _ new: Connection) -> Recovery {
        var recovery = Recovery(table: table.name, rows: 0, isPartial: false)
        for fromEnd in [false, true] {
            do throws(OnboardingStorageError) {
                // A suite of an earlier version doesn't have every table.
                if try !old.hasTable(table.name) { return recovery }
                try old.query(table.select(fromEnd: fromEnd), [], "recover") { (row) throws(OnboardingStorageError) in
                    let count = table.columns.split(separator: ",").count
                    // A row that breaks the rules of a table is damage too: it is left out, and the others are kept.
                    if keep(row.values(count), table, new) { recovery.rows += new.changedRows }
                }
                return recovery
            } catch {
                recovery.isPartial = true
            }
        }
        return recovery
    }

    private static func keep(_ values: [SQLValue], _ table: Table, _ new: Connection) -> Bool {
        do throws(OnboardingStorageError) {
            try new.execute(table.insert, values, "keep a row")
            return true
        } catch {
            return false
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
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(from, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            // What the disk can't give is what the repair is for: the copy ends here.
            if count <= 0 { return }
            guard write(to, buffer, count) == count else {
                throw OnboardingStorageError(systemError: errno, "copy it", path: target)
            }
        }
    }
}

extension Row {
    /// The first columns as they are.
    func values(_ count: Int) -> [SQLValue] {
        (0..<Int32(count)).map { isNull($0) ? .null : isInteger($0) ? .integer(integer($0)) : .text(text($0)) }
    }
}
