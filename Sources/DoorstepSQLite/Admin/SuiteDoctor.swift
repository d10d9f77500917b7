internal import CSQLite
internal import Doorstep
internal import Glibc

/// One thing that a suite's check looked at.
package struct SuiteCheck: Sendable, Hashable {
    /// What was looked at: `file`, `header`, `integrity`, `foreign-keys`, `schema`, `numbering`, `permissions`, `file-system`,
    /// `leftovers`.
    package var name: String
    /// What is wrong, or nil.
    package var fault: String?
    /// What was seen, or what to do.
    package var note: String
    /// Whether there is nothing to look at.
    package var isAbsent = false
}

/// Looks a suite over, and recovers what can be read of a damaged one; the suite itself is never touched.
package struct SuiteDoctor {
    /// The suite's absolute path.
    package let path: String
    /// The file itself: where a link at the path leads to. SQLite keeps the log and the journal beside it.
    let file: String

    /// A doctor for the suite at an absolute path.
    package init(_ path: String) {
        self.path = path
        do throws(OnboardingStorageError) {
            file = try SuiteFile.target(of: path)
        } catch {
            // What is wrong with the path is told by whoever opens it.
            file = path
        }
    }

    /// Every check that can be made, in order.
    package func examine() -> [SuiteCheck] {
        var facts = stat()
        guard lstat(file, &facts) == 0 else {
            let code = errno
            let isAbsent = code == ENOENT || code == ENOTDIR
            return [
                SuiteCheck(
                    name: "file", fault: "\"\(path)\": \(ResultCode.text(ofSystemError: code))",
                    note: isAbsent
                        ? "nothing has been recorded yet, or the path is another" : "ask its owner to look it over",
                    isAbsent: isAbsent)
            ]
        }
        var checks = [SuiteCheck(name: "file", note: "\(facts.st_size) bytes")]
        checks += inside()
        checks.append(permissions())
        checks.append(fileSystem())
        checks.append(leftovers())
        return checks
    }

    private func inside() -> [SuiteCheck] {
        do throws(OnboardingStorageError) {
            guard let opened = try SuiteConnector.openForReading(path, access: .readOnly, waitMilliseconds: 2000) else {
                return []
            }
            let connection = opened.connection
            let version = try connection.integer("PRAGMA user_version", "read its version") ?? 0
            return [
                SuiteCheck(
                    name: "header",
                    note: "schema \(version), \(opened.header.usesLog ? "write-ahead log" : "rollback journal")"),
                check(
                    "integrity", connection, "PRAGMA integrity_check(20)", isFine: { $0 == "ok" },
                    "doorstep doctor --repair recovers what is readable"),
                check(
                    "foreign-keys", connection,
                    "SELECT 'a row of ' || \"table\" || ' points to nothing' FROM pragma_foreign_key_check",
                    isFine: { _ in false }, "doorstep doctor --repair leaves such rows out"),
                schema(connection, version),
                check(
                    "numbering", connection,
                    """
                    SELECT name || ' is numbered up to ' || max(last) || ', beyond \(OnboardingEvent.largestSequence)' FROM
                    (SELECT name, seq AS last FROM sqlite_sequence UNION ALL SELECT 'history', max(sequence) FROM history)
                    WHERE last > \(OnboardingEvent.largestSequence) GROUP BY name
                    """, isFine: { _ in false }, "doorstep doctor --repair leaves such rows out"),
            ]
        } catch {
            return [
                SuiteCheck(
                    name: "header", fault: error.message, note: "doorstep doctor --repair recovers what is readable")
            ]
        }
    }

    private func check(
        _ name: String, _ connection: Connection, _ sql: String, isFine: (String) -> Bool, _ remedy: String
    ) -> SuiteCheck {
        var faults: [String] = []
        do throws(OnboardingStorageError) {
            try connection.query(sql, [], "check it") { (row) throws(OnboardingStorageError) in
                let text = row.text(0)
                if !isFine(text) { faults.append(text) }
            }
        } catch {
            faults.append(error.message)
        }
        return SuiteCheck(
            name: name, fault: faults.isEmpty ? nil : faults.joined(separator: "; "),
            note: faults.isEmpty ? "ok" : remedy)
    }

    /// Compares the tables with those of a new suite.
    private func schema(_ connection: Connection, _ version: Int64) -> SuiteCheck {
        do throws(OnboardingStorageError) {
            let expected = try Self.statements(Self.fresh(version))
            let found = try Self.statements(connection)
            var faults: [String] = []
            for (name, sql) in expected where found[name] != sql {
                faults.append(found[name] == nil ? "\(name) is missing" : "\(name) is another")
            }
            for name in found.keys where expected[name] == nil { faults.append("\(name) is not ours") }
            return SuiteCheck(
                name: "schema", fault: faults.isEmpty ? nil : faults.sorted().joined(separator: ", "),
                note: faults.isEmpty
                    ? "ok" : "somebody changed the tables; restore a backup, or --repair into a new file")
        } catch {
            return SuiteCheck(
                name: "schema", fault: error.message, note: "restore a backup, or --repair into a new file")
        }
    }

    private static func fresh(_ version: Int64) throws(OnboardingStorageError) -> Connection {
        let connection = try Connection(path: ":memory:")
        try SuiteSchema.migrate(connection, with: SuiteSchema.migrations.filter { Int64($0.version) <= version })
        return connection
    }

    private static func statements(_ connection: Connection) throws(OnboardingStorageError) -> [String: String] {
        var statements: [String: String] = [:]
        try connection.query(
            "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!'", [], "look at its tables"
        ) { (row) throws(OnboardingStorageError) in
            // How a statement is laid out is no part of the schema.
            statements[row.text(0)] = row.text(1).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return statements
    }

    private func permissions() -> SuiteCheck {
        do throws(OnboardingStorageError) {
            _ = try SuiteFile.inspect(path, access: .readWrite)
        } catch {
            return SuiteCheck(name: "permissions", fault: error.message, note: "only its owner may write a suite")
        }
        var facts = stat()
        guard stat(path, &facts) == 0, facts.st_mode & 0o077 != 0 else {
            return SuiteCheck(name: "permissions", note: "for its owner alone")
        }
        return SuiteCheck(
            name: "permissions", fault: "others can read it: its mode is \(String(facts.st_mode & 0o7777, radix: 8))",
            note: "chmod 600 \(path)")
    }

    private func fileSystem() -> SuiteCheck {
        var kind: UInt = 0
        var free: UInt64 = 0
        guard doorstep_file_system(path, &kind, &free) == 0 else {
            return SuiteCheck(name: "file-system", fault: ResultCode.text(ofSystemError: errno), note: "")
        }
        switch UInt32(truncatingIfNeeded: kind) {
        case 0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x6573_5546:
            return SuiteCheck(
                name: "file-system",
                fault: "it is on a network or user-space file system, whose locks can't be relied on",
                note: "set DOORSTEP_SUITE or XDG_DATA_HOME to a local place")
        case _ where free < 1 << 20:
            return SuiteCheck(name: "file-system", fault: "only \(free) bytes are free", note: "free some")
        default: return SuiteCheck(name: "file-system", note: "local, \(free >> 20) MiB free")
        }
    }

    private func leftovers() -> SuiteCheck {
        let name = SuiteFile.name(of: file)
        let names = Self.names(beside: file)
        var swept = names.filter { $0.hasPrefix(".\(name).new-") || $0 == name + "-journal" }
        var kept = names.filter { Self.isKept($0, of: name) }
        // A repair is at work beside the link, and what the link stands for may have stood there itself.
        if path != file { kept += Self.names(beside: path).filter { Self.isKept($0, of: SuiteFile.name(of: path)) } }
        if SuiteFile.size(of: file + "-wal") > 64 << 20 { swept.append(name + "-wal (over 64 MiB)") }
        let found = Set(swept + kept).sorted()
        if found.isEmpty { return SuiteCheck(name: "leftovers", note: "none") }
        var notes: [String] = []
        if !swept.isEmpty { notes.append("the next write tidies up what a crash has left") }
        if !kept.isEmpty {
            notes.append(
                "an orphan log may hold the answers of a suite that was moved away, and belongs back beside that one; "
                    + "what is no longer wanted can be removed")
        }
        return SuiteCheck(
            name: "leftovers", fault: "beside it: \(found.joined(separator: ", "))",
            note: notes.joined(separator: "; "))
    }

    private static func names(beside path: String) -> [String] {
        guard let stream = opendir(SuiteFile.directory(of: path)) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }

    /// Whether a name is that of a log that was set aside, or of a place where a repair was at work; nothing removes these.
    private static func isKept(_ other: String, of name: String) -> Bool {
        guard other.utf8.starts(with: name.utf8) else { return false }
        return SuiteCreation.isOrphan(other, of: name) || other.utf8.starts(with: "\(name).recovered.work-".utf8)
    }
}
