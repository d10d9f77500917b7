#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// One terminal at a time: a handler that gives it back can be told of no more than statics.
static atomic_flag taken = ATOMIC_FLAG_INIT;
static atomic_int active;
static int input_fd, output_fd;
static struct termios before;
static char leaving[256];
static size_t leaving_length;

static const int crashes[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGQUIT};
#define CRASHES (sizeof crashes / sizeof crashes[0])
static struct sigaction before_crash[CRASHES];
// A stack of its own, for a crash that is an overflow of the other.
static char crash_stack[65536];
static stack_t before_stack;

static void write_all(const char *bytes, size_t count) {
    int failures = 0;
    while (count > 0 && failures < 50) {
        ssize_t written = write(output_fd, bytes, count);
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
            continue;
        }
        if (written < 0 && errno != EINTR && errno != EAGAIN) return;
        struct pollfd polled = {.fd = output_fd, .events = POLLOUT};
        poll(&polled, 1, 20);
        failures++;
    }
}

// Safe in a handler: nothing but write, poll and tcsetattr.
static void give_back(void) {
    if (!atomic_exchange(&active, 0)) return;
    int saved = errno;
    write_all(leaving, leaving_length);
    // A process in the background would be stopped by this; it must not be while it dies.
    sigset_t blocked, earlier;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &blocked, &earlier);
    tcsetattr(input_fd, TCSANOW, &before);
    pthread_sigmask(SIG_SETMASK, &earlier, NULL);
    errno = saved;
}

static void crashed(int signal) {
    give_back();
    // Not the handler of before: the Swift runtime's would ask at the keyboard what to do, and wait.
    struct sigaction deadly = {.sa_handler = SIG_DFL};
    sigemptyset(&deadly.sa_mask);
    sigaction(signal, &deadly, NULL);
    // Blocked until this returns.
    raise(signal);
}

int cterminal_raw_begin(int input, int output, const char *enter, const char *leave) {
    static atomic_flag has_exit_handler = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&taken)) return -1;
    if (tcgetattr(input, &before) != 0) {
        atomic_flag_clear(&taken);
        return -1;
    }
    input_fd = input;
    output_fd = output;
    leaving_length = strlen(leave);
    if (leaving_length > sizeof leaving) leaving_length = sizeof leaving;
    memcpy(leaving, leave, leaving_length);
    if (!atomic_flag_test_and_set(&has_exit_handler)) atexit(give_back);

    stack_t stack = {.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
    sigaltstack(&stack, &before_stack);
    struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < CRASHES; i++) {
        sigaction(crashes[i], NULL, &before_crash[i]);
        // A SIGQUIT that is ignored stays ignored.
        if (before_crash[i].sa_handler != SIG_IGN) sigaction(crashes[i], &action, NULL);
    }
    atomic_store(&active, 1);

    struct termios raw = before;
    cfmakeraw(&raw);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    if (tcsetattr(input, TCSADRAIN, &raw) != 0) {
        cterminal_raw_end();
        return -1;
    }
    write_all(enter, strlen(enter));
    return 0;
}

void cterminal_raw_end(void) {
    give_back();
    if (!atomic_flag_test_and_set(&taken)) {
        atomic_flag_clear(&taken);
        return;
    }
    for (size_t i = 0; i < CRASHES; i++) sigaction(crashes[i], &before_crash[i], NULL);
    sigaltstack(&before_stack, NULL);
    atomic_flag_clear(&taken);
}
