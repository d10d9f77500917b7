// The system's SQLite, plus the few of its entry points that Swift can't call:
// variadic functions are not imported.
#ifndef DOORSTEP_CSQLITE_H
#define DOORSTEP_CSQLITE_H
#include <sqlite3.h>

/// `sqlite3_db_config` for the options that take an int and answer with an int.
static inline int doorstep_db_config(sqlite3 *db, int option, int value) {
    int applied = 0;
    return sqlite3_db_config(db, option, value, &applied);
}
#endif
