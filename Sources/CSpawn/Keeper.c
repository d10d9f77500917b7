#define _GNU_SOURCE
#include "Keeper.h"

#include "Kernel.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#ifndef AT_EMPTY_PATH
#define AT_EMPTY_PATH 0x1000
#endif

// Everything in this file runs in the keeper or in the program-to-be, in the host's memory: calls of the kernel only, no
// allocation, nothing written but what is the keeper's own.
KERNEL_ONLY_BEGIN

// The kernel's idea of the actions and sets of signals.
struct kernel_action {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

// SIG_DFL. Constants are static, since a compiler may set up a local one with the C library's memset.
static const struct kernel_action default_action;

static void default_signal(int number) {
    KERNEL(rt_sigaction, number, &default_action, 0, sizeof default_action.mask, 0);
}

// Not marked as one that never returns: a sanitizer would have its runtime told of each call.
static void leave(int code) {
    for (;;) KERNEL(exit_group, code, 0, 0, 0, 0);
}

static void limit(int resource, uint64_t value) {
    struct rlimit now;
    if (value == 0 || KERNEL(prlimit64, 0, resource, 0, &now, 0) != 0) return;
    // A limit is only ever lowered.
    if (now.rlim_max < value) value = now.rlim_max;
    struct rlimit wanted = {.rlim_cur = value, .rlim_max = value};
    KERNEL(prlimit64, 0, resource, &wanted, 0, 0);
}

// Turns this process into the program. Returns only where that failed, with the step in keeping->step: minus an errno value.
static long become_program(struct keeping *keeping) {
    const struct ends *ends = &keeping->ends;
    long result;
    keeping->step = CSPAWN_STEP_SETUP;
    // Whatever happens to the keeper, the program doesn't outlive it.
    KERNEL(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if ((result = KERNEL(setsid, 0, 0, 0, 0, 0)) < 0 && result != -EPERM) return result;
    if ((result = KERNEL(dup3, ends->input, 0, 0, 0, 0)) < 0) return result;
    if ((result = KERNEL(dup3, ends->output, 1, 0, 0, 0)) < 0) return result;
    if ((result = KERNEL(dup3, ends->log, 2, 0, 0, 0)) < 0) return result;
    int by_path = ends->program == CSPAWN_BY_PATH;
    if (!by_path && (result = KERNEL(dup3, ends->program, 3, keeping->is_script ? 0 : O_CLOEXEC, 0, 0)) < 0) {
        return result;
    }
    if ((result = KERNEL(close_range, by_path ? 3 : 4, ~0U, 0, 0, 0)) != 0) return result;
    if ((result = KERNEL(chdir, "/", 0, 0, 0, 0)) != 0) return result;
    KERNEL(umask, 077, 0, 0, 0, 0);
    if ((result = KERNEL(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) != 0) return result;
    static const struct rlimit none;
    KERNEL(prlimit64, 0, RLIMIT_CORE, &none, 0, 0);
    limit(RLIMIT_CPU, keeping->limits.processor_seconds);
    limit(RLIMIT_DATA, keeping->limits.data_bytes);
    limit(RLIMIT_FSIZE, keeping->limits.file_bytes);
    limit(RLIMIT_NOFILE, keeping->limits.open_files);
    for (int number = 1; number < NSIG; number++) default_signal(number);
    uint64_t no_signals = 0;
    KERNEL(rt_sigprocmask, SIG_SETMASK, &no_signals, 0, sizeof no_signals, 0);
    keeping->step = CSPAWN_STEP_EXEC;
    // A program that was written a moment ago may still be open in a process that its writer forked meanwhile; that one's
    // own exec closes it.
    for (int tries = 0; tries < 50; tries++) {
        result = by_path ? KERNEL(execve, keeping->argv[0], keeping->argv, keeping->envp, 0, 0)
                         : KERNEL(execveat, 3, "", keeping->argv, keeping->envp, AT_EMPTY_PATH);
        if (result != -ETXTBSY) break;
        static const struct timespec pause = {.tv_nsec = 2000000};
        KERNEL(nanosleep, &pause, 0, 0, 0, 0);
    }
    return result;
}

static void start_program(void *argument) {
    struct keeping *keeping = argument;
    keeping->error = (int)-become_program(keeping);
    leave(127);
}

// The number that a text begins with; *end is set behind it.
static pid_t number_at(const char *text, const char **end) {
    pid_t number = 0;
    for (; *text >= '0' && *text <= '9'; text++) number = number * 10 + (*text - '0');
    *end = text;
    return number;
}

// The parent of a process by its /proc/PID/stat, or -1. The name in it may hold anything, so it is skipped from the end.
static pid_t parent_of(int proc, const char *name) {
    char path[32], text[512];
    int length = 0;
    for (; name[length] != 0; length++) {
        if (length == 20) return -1;
        path[length] = name[length];
    }
    for (int place = 0; place < 6; place++) path[length + place] = "/stat"[place];
    int file = (int)KERNEL(openat, proc, path, O_RDONLY | O_CLOEXEC, 0, 0);
    if (file < 0) return -1;
    long count = KERNEL(read, file, text, sizeof text - 1, 0, 0);
    KERNEL(close, file, 0, 0, 0, 0);
    if (count <= 0) return -1;
    text[count] = 0;
    while (count > 0 && text[count - 1] != ')') count--;
    // A blank, the state, and a blank lie between the name and the number.
    if (count == 0 || text[count] == 0 || text[count + 1] == 0 || text[count + 2] == 0) return -1;
    const char *end;
    return number_at(text + count + 3, &end);
}

struct linux_entry {
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[];
};

// For kernels without the list of children: asks every process for its parent.
static void kill_children_by_walk(void) {
    int proc = (int)KERNEL(openat, AT_FDCWD, "/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, 0);
    if (proc < 0) return;
    char buffer[4096] __attribute__((aligned(8)));
    pid_t self = (pid_t)KERNEL(getpid, 0, 0, 0, 0, 0);
    for (;;) {
        long count = KERNEL(getdents64, proc, buffer, sizeof buffer, 0, 0);
        if (count <= 0) break;
        for (long place = 0; place < count;) {
            struct linux_entry *entry = (struct linux_entry *)(buffer + place);
            place += entry->length;
            if (entry->name[0] < '1' || entry->name[0] > '9' || parent_of(proc, entry->name) != self) continue;
            const char *end;
            KERNEL(kill, number_at(entry->name, &end), SIGKILL, 0, 0, 0);
        }
    }
    KERNEL(close, proc, 0, 0, 0, 0);
}

static void kill_children(void) {
    int list = (int)KERNEL(openat, AT_FDCWD, "/proc/thread-self/children", O_RDONLY | O_CLOEXEC, 0, 0);
    if (list < 0) {
        kill_children_by_walk();
        return;
    }
    char text[1024];
    // A number may lie across two reads.
    pid_t partial = 0;
    for (;;) {
        long count = KERNEL(read, list, text, sizeof text, 0, 0);
        if (count <= 0) break;
        for (long place = 0; place < count; place++) {
            if (text[place] >= '0' && text[place] <= '9') {
                partial = partial * 10 + (text[place] - '0');
            } else if (partial > 0) {
                KERNEL(kill, partial, SIGKILL, 0, 0, 0);
                partial = 0;
            }
        }
    }
    if (partial > 0) KERNEL(kill, partial, SIGKILL, 0, 0, 0);
    KERNEL(close, list, 0, 0, 0, 0);
}

// Kills and reaps until nobody is left. Killing a process makes its children the keeper's, so it takes several rounds.
// Returns whether there was anybody.
static int end_everyone(void) {
    int found = 0;
    uint64_t child_signal = 1ULL << (SIGCHLD - 1);
    static const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
    // A process in an uninterruptible sleep dies when that ends, but isn't waited for longer than this.
    for (int round = 0; round < 500; round++) {
        long reaped;
        int status;
        while ((reaped = KERNEL(wait4, -1, &status, WNOHANG, 0, 0)) > 0) found = 1;
        if (reaped == -ECHILD) return found;
        found = 1;
        kill_children();
        KERNEL(rt_sigtimedwait, &child_signal, 0, &pause, sizeof child_signal, 0);
    }
    return found;
}

// Closes every descriptor but these.
static void keep_only(const struct ends *ends) {
    int kept[5] = {ends->input, ends->output, ends->log, ends->control, ends->program};
    int count = ends->program == CSPAWN_BY_PATH ? 4 : 5;
    for (int one = 0; one < count; one++) {
        for (int other = one + 1; other < count; other++) {
            if (kept[other] < kept[one]) {
                int swap = kept[one];
                kept[one] = kept[other];
                kept[other] = swap;
            }
        }
    }
    unsigned next = 0;
    for (int place = 0; place < count; place++) {
        unsigned one = (unsigned)kept[place];
        if (one > next) KERNEL(close_range, next, one - 1, 0, 0, 0);
        next = one + 1;
    }
    KERNEL(close_range, next, ~0U, 0, 0, 0);
}

static void report(int control, int error, int step, int status, int left) {
    struct cspawn_end end = {.error = error, .step = step, .status = status, .left = left};
    while (kernel_call(SYS_write, control, (long)&end, sizeof end, 0, 0) == -EINTR) {
    }
    leave(0);
}

// Waits until the program has ended, or the host wants it ended. Returns its wait status.
static int guard(int control, pid_t child) {
    int status = 0;
    int handle = (int)KERNEL(pidfd_open, child, 0, 0, 0, 0);
    struct pollfd watched[2];
    watched[0].fd = control;
    watched[1].fd = handle;
    watched[0].events = watched[1].events = POLLIN;
    // Without pidfds the child is asked for every few milliseconds.
    static const struct timespec pause = {.tv_nsec = 5 * 1000 * 1000};
    for (;;) {
        struct timespec left = pause;
        long result = KERNEL(ppoll, watched, 2, handle < 0 ? &left : 0, 0, 0);
        if (result < 0 && result != -EINTR) break;
        if (KERNEL(wait4, child, &status, WNOHANG, 0, 0) == child) return status;
        if (result < 0 || watched[0].revents == 0) continue;
        char command = CSPAWN_KILL;
        long count = KERNEL(read, control, &command, 1, 0, 0);
        if (count == -EAGAIN || count == -EINTR) continue;
        if (count != 1 || command != CSPAWN_TERMINATE) break;
        KERNEL(kill, -child, SIGTERM, 0, 0, 0);
    }
    KERNEL(kill, -child, SIGKILL, 0, 0, 0);
    KERNEL(kill, child, SIGKILL, 0, 0, 0);
    KERNEL(wait4, child, &status, 0, 0, 0);
    return status;
}

void cspawn_keep(void *argument) {
    struct keeping *keeping = argument;
    const struct ends ends = keeping->ends;
    // SIGCHLD must not be ignored, or there would be nothing to wait for; all signals are blocked here.
    default_signal(SIGCHLD);
    // What is sent to the host's group isn't meant for the keeper. A session of its own would do the same, and make the
    // kernel schedule it apart from the host.
    KERNEL(setpgid, 0, 0, 0, 0, 0);
    KERNEL(prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    KERNEL(prctl, PR_SET_NAME, "plugin-keeper", 0, 0, 0);
    keep_only(&ends);
    // The program-to-be shares the memory, too, and the keeper waits until it has left it.
    pid_t child = (pid_t)kernel_clone(
        CLONE_VM | CLONE_VFORK | SIGCHLD, keeping->program_stack, start_program, keeping);
    if (child < 0) report(ends.control, -child, CSPAWN_STEP_SETUP, 0, 0);
    KERNEL(close, ends.input, 0, 0, 0, 0);
    KERNEL(close, ends.output, 0, 0, 0, 0);
    KERNEL(close, ends.log, 0, 0, 0, 0);
    if (ends.program != CSPAWN_BY_PATH) KERNEL(close, ends.program, 0, 0, 0, 0);
    if (keeping->error != 0) {
        int status = 0;
        KERNEL(wait4, child, &status, 0, 0, 0);
        report(ends.control, keeping->error, keeping->step, status, 0);
    }
    int status = guard(ends.control, child);
    // The group is gone with one call even where its members fork faster than a list of them could be read.
    KERNEL(kill, -child, SIGKILL, 0, 0, 0);
    report(ends.control, 0, CSPAWN_STEP_NONE, status, end_everyone());
}

KERNEL_ONLY_END
