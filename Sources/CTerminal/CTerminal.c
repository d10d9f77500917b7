#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>
#include <wchar.h>

static pthread_once_t locale_once = PTHREAD_ONCE_INIT;
static locale_t utf8 = (locale_t)0;

static void make_locale(void) { utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

int cterminal_width(uint32_t scalar) {
    pthread_once(&locale_once, make_locale);
    if (utf8 == (locale_t)0) return -1;
    locale_t before = uselocale(utf8);
    int width = wcwidth((wchar_t)scalar);
    uselocale(before);
    return width;
}

// The pipe is made once and never closed: a handler that still runs on another thread may write to it at any time.
static int wake[2] = {-1, -1};
static atomic_int pending;
static atomic_flag watching = ATOMIC_FLAG_INIT;
static struct sigaction before_interrupt, before_continue;

static void caught(int signal) {
    int saved = errno;
    atomic_fetch_or(&pending, signal == SIGINT ? CTERMINAL_INTERRUPTED : CTERMINAL_CONTINUED);
    // A full pipe is as good as one more byte in it.
    ssize_t ignored = write(wake[1], "", 1);
    (void)ignored;
    errno = saved;
}

int cterminal_signals_take(void) {
    char bytes[64];
    while (read(wake[0], bytes, sizeof bytes) > 0) {
    }
    return atomic_exchange(&pending, 0);
}

int cterminal_signals_begin(void) {
    if (atomic_flag_test_and_set(&watching)) return -1;
    if (wake[0] < 0 && pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0) {
        atomic_flag_clear(&watching);
        return -1;
    }
    cterminal_signals_take();

    struct sigaction action = {.sa_handler = caught};
    sigemptyset(&action.sa_mask);
    sigaction(SIGCONT, &action, &before_continue);
    sigaction(SIGINT, NULL, &before_interrupt);
    if (before_interrupt.sa_handler != SIG_IGN) sigaction(SIGINT, &action, NULL);
    return wake[0];
}

void cterminal_signals_end(void) {
    sigaction(SIGINT, &before_interrupt, NULL);
    sigaction(SIGCONT, &before_continue, NULL);
    atomic_flag_clear(&watching);
}
