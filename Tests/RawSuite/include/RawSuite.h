// The suite's work in plain C on SQLite's own interface, checked for errors and nothing else: what Doorstep is measured
// against.
#ifndef DOORSTEP_RAWSUITE_H
#define DOORSTEP_RAWSUITE_H

/// Opens the suite, counts an app's unanswered steps in one statement, and closes it; -1 for a failure.
int raw_needs(const char *path, const char *app);

/// A suite that stays open for writing.
typedef struct raw_suite raw_suite;

/// Opens a suite for durable writing; NULL for a failure.
raw_suite *raw_open(const char *path);

/// Closes it.
void raw_close(raw_suite *suite);

/// Writes one answer and its history row in one transaction; 0 for success.
int raw_record(raw_suite *suite, const char *prefix, const char *step, int value);

/// Makes a suite with a schema, registers an app and records one answer; 0 for success.
int raw_create(const char *path, const char *schema, const char *app, const char *prefix, const char *step);

/// Writes the records of an export, JSON Lines, with a history row each, in one transaction; 0 for success.
int raw_import(const char *path, const char *file);

#endif
