// The statements of an audit (Sources/DoorstepSQLite/Admin/SuiteContents.swift, AuditSQL) through SQLite's C API, every
// column read: what `doorstep audit` is compared with.
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

static const char *audit[] = {
    "SELECT app, prefix, commit_mode, source_path, source_device, source_inode, source_size, source_modified_ns,"
    " source_changed_ns FROM apps ORDER BY app",
    "SELECT r.value, r.revision, r.origin, r.at, r.evidence, s.position, s.step, s.is_required, s.is_skippable,"
    " s.revision, s.app FROM flow_steps AS s JOIN apps AS a ON a.app = s.app"
    " LEFT JOIN records AS r ON r.prefix = a.prefix AND r.step = s.step ORDER BY s.app, s.position",
    "SELECT value, revision, origin, at, evidence, prefix, step FROM records AS r WHERE NOT EXISTS ("
    "SELECT 1 FROM apps AS a JOIN flow_steps AS s ON s.app = a.app WHERE a.prefix = r.prefix AND s.step = r.step)"
    " ORDER BY prefix, step",
    NULL};
static const char *totals[] = {
    "SELECT prefix, count(*), sum(value), min(at), max(at) FROM records GROUP BY prefix", NULL};

int main(int count, char **arguments) {
    if (count < 3) return 64;
    const char **statements = strcmp(arguments[1], "totals") == 0 ? totals : audit;
    unsigned long long rows = 0, sum = 0;
    for (int i = 2; i < count; i++) {
        sqlite3 *database;
        if (sqlite3_open_v2(arguments[i], &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL)) return 74;
        for (const char **sql = statements; *sql; sql++) {
            sqlite3_stmt *statement;
            if (sqlite3_prepare_v2(database, *sql, -1, &statement, NULL)) return 70;
            int columns = sqlite3_column_count(statement);
            while (sqlite3_step(statement) == SQLITE_ROW) {
                rows++;
                for (int column = 0; column < columns; column++)
                    if (sqlite3_column_type(statement, column) == SQLITE_TEXT)
                        sum += sqlite3_column_text(statement, column)[0] + sqlite3_column_bytes(statement, column);
                    else
                        sum += (unsigned long long)sqlite3_column_int64(statement, column);
            }
            sqlite3_finalize(statement);
        }
        sqlite3_close(database);
    }
    printf("%llu rows, %llu\n", rows, sum);
    return 0;
}
