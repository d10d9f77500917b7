// What a presenter on a terminal needs and Swift can't call here: functions that the Glibc module leaves out (wcwidth,
// newlocale's locale_t, pipe2), and signal handlers, which may run no Swift code.
#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stdint.h>

// The cells of one Unicode scalar: 0, 1 or 2; -1 for one that can't be printed or isn't known.
// Asks the C library under a UTF-8 locale of its own, so neither LANG nor setlocale() changes the answer.
int cterminal_width(uint32_t scalar);

// What can be caught, or'ed: SIGINT, SIGCONT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP; and what cterminal_wake announces.
#define CTERMINAL_INTERRUPTED 1
#define CTERMINAL_CONTINUED 2
#define CTERMINAL_TERMINATED 4
#define CTERMINAL_HUNG_UP 8
#define CTERMINAL_RESIZED 16
#define CTERMINAL_STOPPED 32
#define CTERMINAL_WOKEN 64

// Starts to catch the signals of `which`; one that is ignored stays ignored, apart from SIGCONT and SIGWINCH. Returns
// a descriptor that polls as readable once one of them has come; it belongs to this module. Returns -1 where signals
// are caught already, or no pipe can be made.
int cterminal_signals_begin(int which);

// What has come since the last call, or'ed.
int cterminal_signals_take(void);

// Puts the handlers back that were there before. Only after a cterminal_signals_begin that succeeded.
void cterminal_signals_end(void);

// Makes the descriptor readable from any thread, as a signal does. Without a watch it does nothing.
void cterminal_wake(void);

// While `on`, SIGINT, SIGTERM and SIGHUP give the terminal back and then have the effect that they had before, at once:
// for times in which nobody takes signals.
void cterminal_signals_immediate(int on);

// Stops this process's group as Ctrl-Z does, with the effect that SIGTSTP had before; returns once it runs again.
void cterminal_stop(void);

// Ends the process by the first of the caught signals in `caught` that ends one, with the effect that it had before the
// watch. Only after cterminal_signals_end. Returns where that effect is none.
void cterminal_end_by(int caught);

// Takes a terminal over: keeps its settings, makes it raw, and writes `enter`. Until cterminal_raw_end, `leave` is
// written and the settings are put back also when the process exits, or dies by SIGILL, SIGTRAP, SIGABRT, SIGSEGV,
// SIGBUS, SIGFPE or SIGQUIT. Returns 0, or -1 where `input` is no terminal or one is taken over already.
int cterminal_raw_begin(int input, int output, const char *enter, const char *leave);

// Gives the terminal back; without one that was taken over it does nothing.
void cterminal_raw_end(void);

// Whether the line's speed is known to be low: a serial line, not a pseudo-terminal.
int cterminal_is_slow(int descriptor);

#endif
