#define _GNU_SOURCE
#include "CSpawn.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#ifndef AT_EMPTY_PATH
#define AT_EMPTY_PATH 0x1000
#endif

// What keeper and program need of the host, by meaning. While the program is set up, all are 10 or above.
struct ends {
    int input, output, log, control, program;
};

static void close_pair(int pair[2]) {
    if (pair[0] >= 0) close(pair[0]);
    if (pair[1] >= 0) close(pair[1]);
}

// Everything from here to cspawn_start runs in the keeper or in the program-to-be: system calls only, no allocation.

static void limit(int resource, uint64_t value) {
    struct rlimit now;
    if (value == 0 || getrlimit(resource, &now) != 0) return;
    // A limit is only ever lowered.
    if (now.rlim_max < value) value = now.rlim_max;
    struct rlimit wanted = {.rlim_cur = value, .rlim_max = value};
    setrlimit(resource, &wanted);
}

static void default_signals(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    for (int number = 1; number < NSIG; number++) sigaction(number, &action, NULL);
}

// Turns the vforked child into the program. Returns only where that failed, with the step in *step and its errno.
static void become_program(const struct ends *ends, int is_script, char *const argv[], char *const envp[],
                           const struct cspawn_limits *limits, volatile int *step) {
    *step = CSPAWN_STEP_SETUP;
    if (setsid() < 0 && errno != EPERM) return;
    if (dup2(ends->input, 0) < 0 || dup2(ends->output, 1) < 0 || dup2(ends->log, 2) < 0) return;
    if (dup3(ends->program, 3, is_script ? 0 : O_CLOEXEC) < 0) return;
    if (syscall(SYS_close_range, 4, ~0U, 0) != 0) return;
    if (chdir("/") != 0) return;
    umask(077);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    limit(RLIMIT_CPU, limits->processor_seconds);
    limit(RLIMIT_DATA, limits->data_bytes);
    limit(RLIMIT_FSIZE, limits->file_bytes);
    limit(RLIMIT_NOFILE, limits->open_files);
    default_signals();
    sigset_t no_signals;
    sigemptyset(&no_signals);
    sigprocmask(SIG_SETMASK, &no_signals, NULL);
    *step = CSPAWN_STEP_EXEC;
    // A program that was written a moment ago may still be open in a process that its writer forked meanwhile; that one's
    // own exec closes it.
    for (int tries = 0; tries < 50; tries++) {
        syscall(SYS_execveat, 3, "", argv, envp, AT_EMPTY_PATH);
        if (errno != ETXTBSY) return;
        struct timespec pause = {.tv_nsec = 2000000};
        nanosleep(&pause, NULL);
    }
}

// Kills each process that a list of numbers names. Returns how many there were.
static int kill_listed(const char *text, ssize_t length, pid_t *partial) {
    int count = 0;
    for (ssize_t place = 0; place < length; place++) {
        if (text[place] >= '0' && text[place] <= '9') {
            *partial = *partial * 10 + (text[place] - '0');
        } else if (*partial > 0) {
            kill(*partial, SIGKILL);
            *partial = 0;
            count++;
        }
    }
    return count;
}

// The parent of a process by its /proc/PID/stat, or -1. The name in it may hold anything, so it is skipped from the end.
static pid_t parent_of(int proc, const char *name) {
    char path[32], text[512];
    size_t length = strlen(name);
    if (length > 20) return -1;
    memcpy(path, name, length);
    memcpy(path + length, "/stat", 6);
    int file = openat(proc, path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return -1;
    text[count] = 0;
    char *end = strrchr(text, ')');
    if (end == NULL || strlen(end) < 5) return -1;
    pid_t parent = 0;
    for (char *digit = end + 4; *digit >= '0' && *digit <= '9'; digit++) parent = parent * 10 + (*digit - '0');
    return parent;
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
    int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (proc < 0) return;
    char buffer[4096] __attribute__((aligned(8)));
    pid_t self = (pid_t)syscall(SYS_getpid);
    for (;;) {
        long count = syscall(SYS_getdents64, proc, buffer, sizeof buffer);
        if (count <= 0) break;
        for (long place = 0; place < count;) {
            struct linux_entry *entry = (struct linux_entry *)(buffer + place);
            place += entry->length;
            if (entry->name[0] < '1' || entry->name[0] > '9' || parent_of(proc, entry->name) != self) continue;
            pid_t child = 0;
            for (char *digit = entry->name; *digit >= '0' && *digit <= '9'; digit++) {
                child = child * 10 + (*digit - '0');
            }
            kill(child, SIGKILL);
        }
    }
    close(proc);
}

static void kill_children(void) {
    int list = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    if (list < 0) {
        kill_children_by_walk();
        return;
    }
    char text[1024];
    pid_t partial = 0;
    for (;;) {
        ssize_t count = read(list, text, sizeof text);
        if (count <= 0) break;
        kill_listed(text, count, &partial);
    }
    if (partial > 0) kill(partial, SIGKILL);
    close(list);
}

// Kills and reaps until nobody is left. Killing a process makes its children the keeper's, so it takes several rounds.
// Returns whether there was anybody.
static int end_everyone(void) {
    int found = 0;
    sigset_t child_signal;
    sigemptyset(&child_signal);
    sigaddset(&child_signal, SIGCHLD);
    struct timespec pause = {.tv_sec = 0, .tv_nsec = 10 * 1000 * 1000};
    // A process in an uninterruptible sleep dies when that ends, but isn't waited for longer than this.
    for (int round = 0; round < 500; round++) {
        pid_t reaped;
        int status;
        while ((reaped = waitpid(-1, &status, WNOHANG)) > 0) found = 1;
        if (reaped < 0 && errno == ECHILD) return found;
        found = 1;
        kill_children();
        sigtimedwait(&child_signal, NULL, &pause);
    }
    return found;
}

// Closes every descriptor but these.
static void keep_only(const struct ends *ends) {
    int kept[5] = {ends->input, ends->output, ends->log, ends->control, ends->program};
    for (int one = 0; one < 5; one++) {
        for (int other = one + 1; other < 5; other++) {
            if (kept[other] < kept[one]) {
                int swap = kept[one];
                kept[one] = kept[other];
                kept[other] = swap;
            }
        }
    }
    unsigned next = 0;
    for (int place = 0; place < 5; place++) {
        unsigned one = (unsigned)kept[place];
        if (one > next) syscall(SYS_close_range, next, one - 1, 0);
        next = one + 1;
    }
    syscall(SYS_close_range, next, ~0U, 0);
}

static void report(int control, int error, int step, int status, int left) {
    struct cspawn_end end = {.error = error, .step = step, .status = status, .left = left};
    while (send(control, &end, sizeof end, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

// The keeper's life: start, guard, end everyone, tell how it went.
static _Noreturn void keep(struct ends ends, int is_script, char *const argv[], char *const envp[],
                           const struct cspawn_limits *limits) {
    // SIGCHLD must not be ignored, or there would be nothing to wait for; all signals are blocked here.
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &action, NULL);
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    prctl(PR_SET_NAME, "plugin-keeper", 0, 0, 0);
    keep_only(&ends);

    volatile int step = CSPAWN_STEP_NONE;
    volatile int error = 0;
    pid_t child = vfork();
    if (child == 0) {
        become_program(&ends, is_script, argv, envp, limits, &step);
        error = errno;
        _exit(127);
    }
    if (child < 0) {
        report(ends.control, errno, CSPAWN_STEP_SETUP, 0, 0);
        _exit(0);
    }
    close(ends.input);
    close(ends.output);
    close(ends.log);
    close(ends.program);
    int status = 0;
    if (error != 0) {
        waitpid(child, &status, 0);
        report(ends.control, error, step, status, 0);
        _exit(0);
    }
    int handle = (int)syscall(SYS_pidfd_open, child, 0);
    struct pollfd watched[2] = {{.fd = ends.control, .events = POLLIN}, {.fd = handle, .events = POLLIN}};
    for (;;) {
        // Without pidfds the child is asked for every few milliseconds.
        if (poll(watched, 2, handle < 0 ? 5 : -1) < 0 && errno != EINTR) break;
        if (waitpid(child, &status, WNOHANG) == child) break;
        if (watched[0].revents == 0) continue;
        char command = CSPAWN_KILL;
        ssize_t count = recv(ends.control, &command, 1, MSG_DONTWAIT);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
        if (count == 1 && command == CSPAWN_TERMINATE) {
            kill(-child, SIGTERM);
            continue;
        }
        kill(-child, SIGKILL);
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        break;
    }
    // The group is gone with one call even where its members fork faster than a list of them could be read.
    kill(-child, SIGKILL);
    int left = end_everyone();
    report(ends.control, 0, CSPAWN_STEP_NONE, status, left);
    _exit(0);
}

// Here the host's side begins.

// A descriptor of 10 or above, so that setting up 0 to 3 can't overwrite it.
static int lift(int descriptor) {
    if (descriptor >= 10) return descriptor;
    int lifted = fcntl(descriptor, F_DUPFD_CLOEXEC, 10);
    int error = errno;
    close(descriptor);
    errno = error;
    return lifted;
}

int cspawn_start(int program, int is_script, char *const argv[], char *const envp[], const struct cspawn_limits *limits,
                 struct cspawn_child *child) {
    int input[2] = {-1, -1}, output[2] = {-1, -1}, log[2] = {-1, -1}, control[2] = {-1, -1};
    int held = fcntl(program, F_DUPFD_CLOEXEC, 10);
    int error = 0;
    if (held < 0 || pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0 || pipe2(log, O_CLOEXEC) != 0 ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) {
        error = errno;
    }
    if (error == 0) {
        input[0] = lift(input[0]);
        output[1] = lift(output[1]);
        log[1] = lift(log[1]);
        control[1] = lift(control[1]);
        if (input[0] < 0 || output[1] < 0 || log[1] < 0 || control[1] < 0) error = errno;
    }
    if (error == 0 && (fcntl(input[1], F_SETFL, O_NONBLOCK) != 0 || fcntl(output[0], F_SETFL, O_NONBLOCK) != 0 ||
                       fcntl(log[0], F_SETFL, O_NONBLOCK) != 0 || fcntl(control[0], F_SETFL, O_NONBLOCK) != 0)) {
        error = errno;
    }
    if (error == 0) {
        struct ends ends = {input[0], output[1], log[1], control[1], held};
        sigset_t all, before;
        sigfillset(&all);
        // No handler of the host may run in its copy.
        pthread_sigmask(SIG_SETMASK, &all, &before);
        // The clone itself, not fork(): handlers that libraries registered for forks are no business of the keeper, and
        // without an exit signal neither a SIGCHLD handler nor a waitpid(-1) of the host ever meets it.
        long keeper = syscall(SYS_clone, 0, 0, 0, 0, 0);
        if (keeper == 0) keep(ends, is_script, argv, envp, limits);
        if (keeper < 0) error = errno;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        child->keeper = (pid_t)keeper;
    }
    if (held >= 0) close(held);
    if (error != 0) {
        close_pair(input);
        close_pair(output);
        close_pair(log);
        close_pair(control);
        return error;
    }
    close(input[0]);
    close(output[1]);
    close(log[1]);
    close(control[1]);
    child->input = input[1];
    child->output = output[0];
    child->log = log[0];
    child->control = control[0];
    return 0;
}

void cspawn_reap(pid_t keeper) {
    int status;
    while (waitpid(keeper, &status, __WALL) < 0 && errno == EINTR) {
    }
}

int cspawn_exited(int status) { return WIFEXITED(status); }
int cspawn_code(int status) { return WEXITSTATUS(status); }
int cspawn_signal(int status) { return WTERMSIG(status); }

int cspawn_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void cspawn_wake(int event) {
    uint64_t one = 1;
    ssize_t count = write(event, &one, sizeof one);
    (void)count;
}

void cspawn_drain(int event) {
    uint64_t sum;
    ssize_t count = read(event, &sum, sizeof sum);
    (void)count;
}

void cspawn_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

int cspawn_has_capabilities(int descriptor) {
    if (fgetxattr(descriptor, "security.capability", NULL, 0) >= 0) return 1;
    return errno == ENODATA || errno == ENOTSUP ? 0 : -1;
}

int cspawn_open_component(int directory, const char *name) {
    return openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
}

int cspawn_open_file(int directory, const char *name) {
    // A FIFO under this name must not hold its reader.
    return openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

ssize_t cspawn_read_link(int link, char *buffer, size_t size) { return readlinkat(link, "", buffer, size); }
