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
/// | `page_events` | one page that was shown, answered, or from which a showing was left or finished (from version 2) |
/// | `removals` | one pruning of the history or erasure: what went, when and by whom, without the values (from version 3) |
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
    static let version: UInt32 = 3

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
    static let migrations = [
        Migration(name: "tables", version: 1, sql: tables),
        Migration(name: "page events", version: 2, sql: pageEvents),
        Migration(name: "removals", version: 3, sql: removals),
    ]

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

    /// A removal is written first; then the history rows that it names, and only those, can be deleted.
    private static let removals = """
        CREATE TABLE removals (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('prune', 'inputs', 'app', 'everything')),
            prefix TEXT,
            app TEXT,
            up_to INTEGER NOT NULL CHECK (up_to >= 0),
            records INTEGER NOT NULL,
            inputs INTEGER NOT NULL,
            events INTEGER NOT NULL,
            uid INTEGER NOT NULL,
            program TEXT NOT NULL
        ) STRICT;

        CREATE TRIGGER removals_are_never_replaced BEFORE INSERT ON removals
        WHEN EXISTS (SELECT 1 FROM removals WHERE number = NEW.number)
        BEGIN SELECT RAISE(ABORT, 'a removal is never changed'); END;

        CREATE TRIGGER removals_are_never_changed BEFORE UPDATE ON removals
        BEGIN SELECT RAISE(ABORT, 'a removal is never changed'); END;

        CREATE TRIGGER removals_are_never_removed BEFORE DELETE ON removals
        BEGIN SELECT RAISE(ABORT, 'a removal is never removed'); END;

        DROP TRIGGER history_is_never_removed;

        CREATE TRIGGER history_is_only_removed_on_record BEFORE DELETE ON history
        WHEN NOT EXISTS (SELECT 1 FROM removals
            WHERE OLD.sequence <= up_to AND (prefix IS NULL OR prefix = OLD.prefix))
        BEGIN SELECT RAISE(ABORT, 'the history is never removed'); END;
        """

    private static let pageEvents = """
        CREATE TABLE page_events (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            at INTEGER NOT NULL,
            prefix TEXT NOT NULL CHECK (prefix LIKE '%_.'),
            app TEXT NOT NULL,
            step TEXT NOT NULL CHECK (step <> ''),
            event TEXT NOT NULL CHECK (event IN ('shown', 'answered', 'left', 'finished')),
            showing TEXT NOT NULL CHECK (showing <> '')
        ) STRICT;
        """
}
