internal import CSQLite
internal import Doorstep

/// The suite's tables, readable with any `sqlite3`.
///
/// | table | one row is |
/// | --- | --- |
/// | `apps` | a registered app: its prefix, when its answers are written, and the manifest it was read from; without manifest and steps, the owner of a prefix |
/// | `flow_steps` | a step of a registered app's flow; position 0 is the welcome, the steps follow from 1 |
/// | `records` | the answer of one step: `value` 1 granted or completed, 0 declined or skipped; no row, never answered |
/// | `inputs` | one value that the user typed or chose: personal data, overwritten when it is erased |
/// | `history` | one change of one record, in order of `sequence`; rows are only ever added |
///
/// Times named `at` are milliseconds since 1970-01-01T00:00:00Z, those ending in `_ns` nanoseconds. Text is UTF-8,
/// compared byte by byte. The file's `application_id` is 1146311760 (the letters DSTP), its `user_version` is the
/// schema's version. A step's record is found by its app's prefix and its ID, so
///
/// ```sql
/// SELECT step, value, datetime(at / 1000, 'unixepoch') FROM records WHERE prefix = 'com.example.aurora.';
/// ```
///
/// Everybody may read the file so; changes belong to `doorstep`, which keeps the history.
enum SuiteSchema {
    /// The letters DSTP.
    static let applicationID: UInt32 = 0x4453_5450
    /// The version that this code reads and writes.
    static let version: UInt32 = 1

    /// A step from one version of the schema to the next, run under the write lock by whoever writes first.
    ///
    /// A read never migrates, so what reads has to understand every version that was ever released; a file of each is
    /// kept with the tests.
    struct Migration: Sendable {
        let name: String
        let version: UInt32
        let sql: String
    }

    /// Every step in order; the first makes the tables of a new suite.
    static let migrations = [Migration(name: "tables", version: 1, sql: tables)]

    /// Brings an open write transaction's schema up to date.
    ///
    /// The version is looked at again here, under the lock: another process may have been first.
    static func migrate(
        _ connection: Connection, with migrations: [Migration] = migrations
    ) throws(OnboardingStorageError) {
        let found = try connection.integer("PRAGMA user_version", "read its version") ?? 0
        for migration in migrations where Int64(migration.version) > found {
            try connection.run(migration.sql, "run the migration \"\(migration.name)\"")
            try connection.run("PRAGMA user_version = \(migration.version)", "set its version")
        }
    }

    private static let tables = """
        CREATE TABLE apps (
            app TEXT NOT NULL PRIMARY KEY CHECK (app <> ''),
            prefix TEXT NOT NULL UNIQUE CHECK (prefix LIKE '%_.'),
            commit_mode TEXT NOT NULL CHECK (commit_mode IN ('eachStep', 'onFinish')),
            source_path TEXT,
            source_device INTEGER,
            source_inode INTEGER,
            source_size INTEGER,
            source_modified_ns INTEGER,
            source_changed_ns INTEGER,
            CHECK ((source_path IS NULL) = (source_device IS NULL)
                AND (source_path IS NULL) = (source_inode IS NULL)
                AND (source_path IS NULL) = (source_size IS NULL)
                AND (source_path IS NULL) = (source_modified_ns IS NULL)
                AND (source_path IS NULL) = (source_changed_ns IS NULL))
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE flow_steps (
            app TEXT NOT NULL REFERENCES apps (app) ON DELETE CASCADE,
            position INTEGER NOT NULL CHECK (position >= 0),
            step TEXT NOT NULL CHECK (step <> ''),
            is_required INTEGER NOT NULL CHECK (is_required IN (0, 1)),
            is_skippable INTEGER NOT NULL CHECK (is_skippable IN (0, 1)),
            revision INTEGER NOT NULL CHECK (revision >= 1),
            PRIMARY KEY (app, position),
            UNIQUE (app, step)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE records (
            prefix TEXT NOT NULL CHECK (prefix LIKE '%_.'),
            step TEXT NOT NULL CHECK (step <> ''),
            value INTEGER NOT NULL CHECK (value IN (0, 1)),
            revision INTEGER NOT NULL CHECK (revision >= 1),
            origin TEXT NOT NULL CHECK (origin IN ('user', 'leaving', 'reconcile', 'policy', 'import', 'admin')),
            at INTEGER NOT NULL,
            evidence TEXT,
            PRIMARY KEY (prefix, step)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE inputs (
            prefix TEXT NOT NULL CHECK (prefix LIKE '%_.'),
            step TEXT NOT NULL CHECK (step <> ''),
            key TEXT NOT NULL CHECK (key <> ''),
            type TEXT NOT NULL CHECK (type IN ('text', 'integer', 'toggle')),
            value ANY NOT NULL,
            PRIMARY KEY (prefix, step, key),
            CHECK (typeof(value) = CASE type WHEN 'text' THEN 'text' ELSE 'integer' END),
            CHECK (type <> 'toggle' OR value IN (0, 1))
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE history (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            prefix TEXT NOT NULL,
            app TEXT NOT NULL,
            step TEXT NOT NULL,
            old INTEGER CHECK (old IN (0, 1)),
            new INTEGER CHECK (new IN (0, 1)),
            revision INTEGER NOT NULL CHECK (revision >= 1),
            origin TEXT NOT NULL CHECK (origin IN ('user', 'leaving', 'reconcile', 'policy', 'import', 'admin')),
            evidence TEXT,
            uid INTEGER NOT NULL,
            program TEXT NOT NULL,
            CHECK (old IS NOT NULL OR new IS NOT NULL)
        ) STRICT;

        CREATE INDEX history_by_step ON history (prefix, step, sequence);

        CREATE TRIGGER history_is_never_replaced BEFORE INSERT ON history
        WHEN EXISTS (SELECT 1 FROM history WHERE sequence = NEW.sequence)
        BEGIN SELECT RAISE(ABORT, 'the history is never changed'); END;

        CREATE TRIGGER history_is_never_changed BEFORE UPDATE ON history
        BEGIN SELECT RAISE(ABORT, 'the history is never changed'); END;

        CREATE TRIGGER history_is_never_removed BEFORE DELETE ON history
        BEGIN SELECT RAISE(ABORT, 'the history is never removed'); END;
        """
}
