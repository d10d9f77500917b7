// The system's SQLite, plus the few entry points that Swift can't call or doesn't see:
// variadic functions are not imported, and the Glibc module leaves out what needs _GNU_SOURCE.
#ifndef DOORSTEP_CSQLITE_H
#define DOORSTEP_CSQLITE_H
#include <sqlite3.h>
#include <sys/vfs.h>

/// `sqlite3_db_config` for the options that take an int and answer with an int.
static inline int doorstep_db_config(sqlite3 *db, int option, int value) {
    int applied = 0;
    return sqlite3_db_config(db, option, value, &applied);
}

/// glibc's `renameat2`, hidden behind _GNU_SOURCE in <stdio.h>.
extern int renameat2(int old_directory, const char *old_path, int new_directory, const char *new_path, unsigned flags);

/// Renames only if nothing has the new name (RENAME_NOREPLACE).
static inline int doorstep_rename_noreplace(int directory, const char *old_name, const char *new_name) {
    return renameat2(directory, old_name, directory, new_name, 1u);
}

/// Binds text that SQLite copies: the SQLITE_TRANSIENT macro is a cast that Swift doesn't import.
static inline int doorstep_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
    return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

/// The kind of the file system that holds a path, by its magic number, and the bytes that are free there; <sys/vfs.h> is
/// in no module.
static inline int doorstep_file_system(const char *path, unsigned long *kind, unsigned long long *bytes) {
    struct statfs facts;
    if (statfs(path, &facts) != 0) return -1;
    *kind = (unsigned long)facts.f_type;
    *bytes = (unsigned long long)facts.f_bavail * (unsigned long long)facts.f_bsize;
    return 0;
}
#endif
