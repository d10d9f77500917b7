// System calls that fail on purpose: the program that links this gets its own open, write, fsync … in front of libc's, and
// so do the libraries that it loads, SQLite among them.
#ifndef DOORSTEP_CFAULTS_H
#define DOORSTEP_CFAULTS_H

#include <stdint.h>

/// The calls that are counted, by what they do; a set is a sum.
enum {
    FAULT_OPEN = 1,
    FAULT_READ = 2,
    FAULT_WRITE = 4,
    FAULT_SYNC = 8,
    FAULT_LOCK = 16,
    FAULT_TRUNCATE = 32,
    FAULT_DELETE = 64,
    FAULT_NAME = 128,
    FAULT_LOOK = 256,
    FAULT_MAP = 512,
    FAULT_EVERYTHING = 1023,
};

/// What happens when a call's turn has come.
enum {
    /// This one call fails.
    FAULT_ONCE = 1,
    /// This call and every one after it fail.
    FAULT_FROM = 2,
    /// The process is killed before the call.
    FAULT_KILL = 3,
};

/// Counts the calls of these kinds from now on; the one whose number is `turn`, from 1, fails with `error`.
void fault_arm(int kinds, long turn, int mode, int error);

/// Lets every call through again; of which kind the last one was that failed, or 0.
int fault_disarm(void);

/// How many calls of the armed kinds there have been since they were armed.
long fault_count(void);

/// Moves the clock that tells the date, but no other one, by so many seconds.
void fault_shift_clock(int64_t seconds);

/// `fork`, which Swift hides: the child has one thread, and ends with `fault_exit`.
int fault_fork(void);

/// `_exit`: nothing of the parent's is tidied up by the child.
void fault_exit(int status) __attribute__((noreturn));

#endif
