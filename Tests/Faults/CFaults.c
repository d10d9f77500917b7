// Each function here does its system call itself, so that nothing has to be looked up while calls fail.
#define _GNU_SOURCE
#include "CFaults.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// glibc has most of these under a second name, and SQLite calls that one.
#define ALSO(second, first) extern __typeof(first) second __attribute__((alias(#first)))

static int armed_kinds;
static int armed_mode;
static int armed_error;
static long armed_turn;
static long count;
static int failed_kind;
static int64_t clock_shift;

void fault_arm(int kinds, long turn, int mode, int error) {
    armed_turn = turn;
    armed_mode = mode;
    armed_error = error;
    count = 0;
    failed_kind = 0;
    armed_kinds = kinds;
}

int fault_disarm(void) {
    armed_kinds = 0;
    return failed_kind;
}

long fault_count(void) { return count; }

void fault_shift_clock(int64_t seconds) { clock_shift = seconds; }

int fault_fork(void) { return fork(); }

void fault_exit(int status) { _exit(status); }

/// Whether a call of this kind is to fail now; then `errno` is set.
static int fails(int kind) {
    if (!(armed_kinds & kind)) return 0;
    count += 1;
    if (armed_mode == FAULT_FROM ? count < armed_turn : count != armed_turn) return 0;
    if (armed_mode == FAULT_KILL) kill(getpid(), SIGKILL);
    failed_kind = kind;
    errno = armed_error;
    return 1;
}

int openat(int directory, const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    if (fails(FAULT_OPEN)) return -1;
    return (int)syscall(SYS_openat, directory, path, flags, mode);
}
ALSO(openat64, openat);

int open(const char *path, int flags, ...) {
    mode_t mode = 0;
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    if (fails(FAULT_OPEN)) return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
ALSO(open64, open);

int fchmod(int file, mode_t mode) {
    if (fails(FAULT_OPEN)) return -1;
    return (int)syscall(SYS_fchmod, file, mode);
}

ssize_t read(int file, void *bytes, size_t size) {
    if (fails(FAULT_READ)) return -1;
    return syscall(SYS_read, file, bytes, size);
}

ssize_t pread(int file, void *bytes, size_t size, off_t offset) {
    if (fails(FAULT_READ)) return -1;
    return syscall(SYS_pread64, file, bytes, size, offset);
}
ALSO(pread64, pread);

ssize_t write(int file, const void *bytes, size_t size) {
    if (fails(FAULT_WRITE)) return -1;
    return syscall(SYS_write, file, bytes, size);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
    if (fails(FAULT_WRITE)) return -1;
    return syscall(SYS_pwrite64, file, bytes, size, offset);
}
ALSO(pwrite64, pwrite);

int fsync(int file) {
    if (fails(FAULT_SYNC)) return -1;
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
    if (fails(FAULT_SYNC)) return -1;
    return (int)syscall(SYS_fdatasync, file);
}

int fcntl(int file, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    // Letting go of a lock can't fail.
    int is_lock = command == F_GETLK || ((command == F_SETLK || command == F_SETLKW) &&
                                         ((struct flock *)argument)->l_type != F_UNLCK);
    if (is_lock && fails(FAULT_LOCK)) return -1;
    return (int)syscall(SYS_fcntl, file, command, argument);
}
ALSO(fcntl64, fcntl);

int flock(int file, int operation) {
    if (!(operation & LOCK_UN) && fails(FAULT_LOCK)) return -1;
    return (int)syscall(SYS_flock, file, operation);
}

int ftruncate(int file, off_t size) {
    if (fails(FAULT_TRUNCATE)) return -1;
    return (int)syscall(SYS_ftruncate, file, size);
}
ALSO(ftruncate64, ftruncate);

int unlink(const char *path) {
    if (fails(FAULT_DELETE)) return -1;
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int link(const char *old_path, const char *new_path) {
    if (fails(FAULT_NAME)) return -1;
    return (int)syscall(SYS_linkat, AT_FDCWD, old_path, AT_FDCWD, new_path, 0);
}

int renameat2(int old_directory, const char *old_path, int new_directory, const char *new_path, unsigned flags) {
    if (fails(FAULT_NAME)) return -1;
    return (int)syscall(SYS_renameat2, old_directory, old_path, new_directory, new_path, flags);
}

int rename(const char *old_path, const char *new_path) {
    return renameat2(AT_FDCWD, old_path, AT_FDCWD, new_path, 0);
}

int mkdir(const char *path, mode_t mode) {
    if (fails(FAULT_NAME)) return -1;
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int fstatat(int directory, const char *path, struct stat *facts, int flags) {
    if (fails(FAULT_LOOK)) return -1;
    return (int)syscall(SYS_newfstatat, directory, path, facts, flags);
}

int stat(const char *path, struct stat *facts) { return fstatat(AT_FDCWD, path, facts, 0); }

int lstat(const char *path, struct stat *facts) { return fstatat(AT_FDCWD, path, facts, AT_SYMLINK_NOFOLLOW); }

int fstat(int file, struct stat *facts) { return fstatat(file, "", facts, AT_EMPTY_PATH); }

// The same layout as `struct stat`, on the 64-bit machines that Doorstep runs on.
int stat64(const char *path, struct stat64 *facts) { return stat(path, (struct stat *)facts); }

int lstat64(const char *path, struct stat64 *facts) { return lstat(path, (struct stat *)facts); }

int fstat64(int file, struct stat64 *facts) { return fstat(file, (struct stat *)facts); }

int faccessat(int directory, const char *path, int mode, int flags) {
    if (fails(FAULT_LOOK)) return -1;
    return (int)syscall(SYS_faccessat2, directory, path, mode, flags);
}

int access(const char *path, int mode) { return faccessat(AT_FDCWD, path, mode, 0); }

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    // Memory that stands for no file is the allocator's.
    if (file >= 0 && fails(FAULT_MAP)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}
ALSO(mmap64, mmap);

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && clock == CLOCK_REALTIME) time->tv_sec += clock_shift;
    return result;
}

int usleep(useconds_t microseconds) {
    // What waits for a fault to pass waits in vain.
    if (armed_kinds && armed_mode != FAULT_KILL) return 0;
    struct timespec time = {microseconds / 1000000, (long)(microseconds % 1000000) * 1000};
    return (int)syscall(SYS_nanosleep, &time, (void *)0);
}
