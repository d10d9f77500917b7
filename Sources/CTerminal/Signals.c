#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

// The pipe is made once and never closed: a handler that still runs on another thread may write to it at any time.
static int wake[2] = {-1, -1};
static atomic_int pending;
static atomic_int immediate;
static atomic_flag watching = ATOMIC_FLAG_INIT;

static struct watched {
    int signal;
    int flag;
    int is_caught;
    struct sigaction before;
} watched[] = {
    {.signal = SIGINT, .flag = CTERMINAL_INTERRUPTED}, {.signal = SIGCONT, .flag = CTERMINAL_CONTINUED},
    {.signal = SIGTERM, .flag = CTERMINAL_TERMINATED}, {.signal = SIGHUP, .flag = CTERMINAL_HUNG_UP},
    {.signal = SIGWINCH, .flag = CTERMINAL_RESIZED},   {.signal = SIGTSTP, .flag = CTERMINAL_STOPPED},
};
static const size_t watched_count = sizeof watched / sizeof watched[0];

static void announce(int flag) {
    int saved = errno;
    atomic_fetch_or(&pending, flag);
    // A full pipe is as good as one more byte in it.
    ssize_t ignored = write(wake[1], "", 1);
    (void)ignored;
    errno = saved;
}

static void caught(int signal) {
    for (size_t i = 0; i < watched_count; i++) {
        if (watched[i].signal != signal) continue;
        int ends = watched[i].flag & (CTERMINAL_INTERRUPTED | CTERMINAL_TERMINATED | CTERMINAL_HUNG_UP);
        if (ends && atomic_load(&immediate)) {
            int saved = errno;
            cterminal_raw_end();
            sigaction(signal, &watched[i].before, NULL);
            raise(signal);
            errno = saved;
            return;
        }
        announce(watched[i].flag);
    }
}

void cterminal_wake(void) {
    if (wake[1] >= 0) announce(CTERMINAL_WOKEN);
}

int cterminal_signals_take(void) {
    char bytes[64];
    while (read(wake[0], bytes, sizeof bytes) > 0) {
    }
    return atomic_exchange(&pending, 0);
}

int cterminal_signals_begin(int which) {
    if (atomic_flag_test_and_set(&watching)) return -1;
    if (wake[0] < 0 && pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0) {
        atomic_flag_clear(&watching);
        return -1;
    }
    atomic_store(&immediate, 0);
    cterminal_signals_take();

    struct sigaction action = {.sa_handler = caught};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < watched_count; i++) {
        watched[i].is_caught = 0;
        if (!(watched[i].flag & which)) continue;
        sigaction(watched[i].signal, NULL, &watched[i].before);
        int is_ignored = watched[i].before.sa_handler == SIG_IGN;
        if (is_ignored && watched[i].signal != SIGCONT && watched[i].signal != SIGWINCH) continue;
        sigaction(watched[i].signal, &action, NULL);
        watched[i].is_caught = 1;
    }
    return wake[0];
}

void cterminal_signals_end(void) {
    for (size_t i = 0; i < watched_count; i++) {
        if (watched[i].is_caught) sigaction(watched[i].signal, &watched[i].before, NULL);
        watched[i].is_caught = 0;
    }
    atomic_flag_clear(&watching);
}

void cterminal_signals_immediate(int on) { atomic_store(&immediate, on); }

void cterminal_stop(void) {
    for (size_t i = 0; i < watched_count; i++) {
        if (watched[i].signal != SIGTSTP || !watched[i].is_caught) continue;
        struct sigaction ours;
        sigaction(SIGTSTP, &watched[i].before, &ours);
        kill(0, SIGTSTP);
        // Another thread may be the one that the signal stops the process through, a moment later. In a process group
        // that nobody could continue it stops nothing.
        for (int tries = 0; tries < 100 && !(atomic_load(&pending) & CTERMINAL_CONTINUED); tries++) usleep(1000);
        sigaction(SIGTSTP, &ours, NULL);
    }
}

void cterminal_end_by(int caught) {
    static const struct { int flag, signal; } ending[] = {
        {CTERMINAL_TERMINATED, SIGTERM}, {CTERMINAL_HUNG_UP, SIGHUP}};
    for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
        if (!(caught & ending[i].flag)) continue;
        // A thread of a pool blocks signals.
        sigset_t wanted;
        sigemptyset(&wanted);
        sigaddset(&wanted, ending[i].signal);
        pthread_sigmask(SIG_UNBLOCK, &wanted, NULL);
        raise(ending[i].signal);
    }
}
