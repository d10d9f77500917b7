// getline(), which strict C hides.
#define _POSIX_C_SOURCE 200809L
#include "RawSuite.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct raw_suite {
    sqlite3 *database;
    sqlite3_stmt *begin, *read, *record, *history, *commit;
};

static const char *needs_sql =
    "SELECT apps.app, apps.prefix, apps.commit_mode, s.position, s.step, s.is_required, s.is_skippable, s.revision, r.value, "
    "r.revision, r.origin, r.at, r.evidence FROM apps LEFT JOIN flow_steps AS s ON s.app = apps.app "
    "LEFT JOIN records AS r ON r.prefix = apps.prefix AND r.step = s.step WHERE apps.app = ?1 ORDER BY apps.app, s.position";

int raw_needs(const char *path, const char *app) {
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    int unanswered = 0;
    if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK) return -1;
    if (sqlite3_prepare_v2(database, needs_sql, -1, &statement, NULL) != SQLITE_OK) return -1;
    sqlite3_bind_text(statement, 1, app, -1, SQLITE_STATIC);
    int result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        if (sqlite3_column_type(statement, 8) == SQLITE_NULL) unanswered += 1;
    }
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return result == SQLITE_DONE ? unanswered : -1;
}

static sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) != SQLITE_OK) {
        fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(database));
        return NULL;
    }
    return statement;
}

static int prepare_all(raw_suite *suite) {
    sqlite3_exec(suite->database, "PRAGMA synchronous = FULL; PRAGMA secure_delete = ON", NULL, NULL, NULL);
    suite->begin = prepare(suite->database, "BEGIN IMMEDIATE");
    suite->read = prepare(suite->database, "SELECT value FROM records WHERE prefix = ?1 AND step = ?2");
    suite->record = prepare(
        suite->database,
        "INSERT INTO records (prefix, step, value, revision, origin, at) VALUES (?1, ?2, ?3, 1, 'user', ?4) "
        "ON CONFLICT (prefix, step) DO UPDATE SET value = excluded.value, revision = excluded.revision, "
        "origin = excluded.origin, at = excluded.at");
    suite->history = prepare(
        suite->database,
        "INSERT INTO history (prefix, step, at, app, old, new, revision, origin, uid, program) "
        "VALUES (?1, ?2, ?4, 'com.example.app0', ?5, ?3, 1, 'user', 0, 'bench')");
    suite->commit = prepare(suite->database, "COMMIT");
    return suite->begin && suite->read && suite->record && suite->history && suite->commit;
}

raw_suite *raw_open(const char *path) {
    raw_suite *suite = calloc(1, sizeof *suite);
    if (suite && sqlite3_open_v2(path, &suite->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK &&
        prepare_all(suite))
        return suite;
    raw_close(suite);
    return NULL;
}

void raw_close(raw_suite *suite) {
    if (!suite) return;
    sqlite3_finalize(suite->begin);
    sqlite3_finalize(suite->read);
    sqlite3_finalize(suite->record);
    sqlite3_finalize(suite->history);
    sqlite3_finalize(suite->commit);
    sqlite3_close(suite->database);
    free(suite);
}

static int run(sqlite3_stmt *statement) {
    int result = sqlite3_step(statement);
    sqlite3_reset(statement);
    return result == SQLITE_DONE ? 0 : result;
}

static int write_rows(raw_suite *suite, const char *prefix, const char *step, int value) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    sqlite3_int64 at = (sqlite3_int64)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    sqlite3_stmt *both[] = {suite->record, suite->history};
    sqlite3_bind_text(suite->read, 1, prefix, -1, SQLITE_STATIC);
    sqlite3_bind_text(suite->read, 2, step, -1, SQLITE_STATIC);
    if (sqlite3_step(suite->read) == SQLITE_ROW)
        sqlite3_bind_int(suite->history, 5, sqlite3_column_int(suite->read, 0));
    else
        sqlite3_bind_null(suite->history, 5);
    sqlite3_reset(suite->read);
    for (int number = 0; number < 2; number++) {
        sqlite3_bind_text(both[number], 1, prefix, -1, SQLITE_STATIC);
        sqlite3_bind_text(both[number], 2, step, -1, SQLITE_STATIC);
        sqlite3_bind_int(both[number], 3, value);
        sqlite3_bind_int64(both[number], 4, at);
        int result = run(both[number]);
        if (result != 0) return result;
    }
    return 0;
}

int raw_record(raw_suite *suite, const char *prefix, const char *step, int value) {
    int result = run(suite->begin);
    if (result == 0) result = write_rows(suite, prefix, step, value);
    return result == 0 ? run(suite->commit) : result;
}

int raw_create(const char *path, const char *schema, const char *app, const char *prefix, const char *step) {
    raw_suite suite = {0};
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path, &suite.database, flags, NULL) != SQLITE_OK) return -1;
    int result = sqlite3_exec(suite.database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; BEGIN EXCLUSIVE", 0, 0, 0);
    if (result == SQLITE_OK) result = sqlite3_exec(suite.database, schema, 0, 0, 0);
    if (result == SQLITE_OK) {
        sqlite3_stmt *statement = prepare(suite.database, "INSERT INTO apps (app, prefix, commit_mode) VALUES (?1, ?2, 'eachStep')");
        sqlite3_bind_text(statement, 1, app, -1, SQLITE_STATIC);
        sqlite3_bind_text(statement, 2, prefix, -1, SQLITE_STATIC);
        result = run(statement);
        sqlite3_finalize(statement);
    }
    if (result == SQLITE_OK && !prepare_all(&suite)) result = -1;
    if (result == SQLITE_OK) result = write_rows(&suite, prefix, step, 1);
    if (result == SQLITE_OK) result = run(suite.commit);
    sqlite3_finalize(suite.begin);
    sqlite3_finalize(suite.read);
    sqlite3_finalize(suite.record);
    sqlite3_finalize(suite.history);
    sqlite3_finalize(suite.commit);
    sqlite3_close(suite.database);
    return result;
}

// Copies the text of a member that has no escapes; 0 if it isn't there or too long.
static int text_of(const char *line, const char *key, char *text, size_t size) {
    const char *start = strstr(line, key);
    if (!start) return 0;
    start += strlen(key);
    const char *end = strchr(start, '"');
    if (!end || (size_t)(end - start) >= size) return 0;
    memcpy(text, start, end - start);
    text[end - start] = 0;
    return 1;
}

int raw_import(const char *path, const char *file) {
    FILE *input = fopen(file, "r");
    raw_suite *suite = raw_open(path);
    if (!input || !suite) return -1;
    char *line = NULL, prefix[256], step[256];
    size_t size = 0;
    int result = run(suite->begin);
    if (getline(&line, &size, input) < 0) result = -1;
    while (result == 0 && getline(&line, &size, input) > 0) {
        const char *value = strstr(line, "\"value\":");
        if (!value || !text_of(line, "\"prefix\":\"", prefix, sizeof prefix) ||
            !text_of(line, "\"step\":\"", step, sizeof step))
            result = -1;
        else
            result = write_rows(suite, prefix, step, value[8] == 't');
    }
    if (result == 0) result = run(suite->commit);
    free(line);
    fclose(input);
    raw_close(suite);
    return result;
}
