// What a presenter on a terminal needs and Swift can't call here: functions that the Glibc module leaves out (wcwidth,
// newlocale's locale_t, pipe2), and signal handlers, which may run no Swift code.
#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stdint.h>

// The cells of one Unicode scalar: 0, 1 or 2; -1 for one that can't be printed or isn't known.
// Asks the C library under a UTF-8 locale of its own, so neither LANG nor setlocale() changes the answer.
int cterminal_width(uint32_t scalar);

#define CTERMINAL_INTERRUPTED 1
#define CTERMINAL_CONTINUED 2

// Starts to catch SIGINT and SIGCONT; a SIGINT that is ignored stays ignored. Returns a descriptor that polls as
// readable once one of them has come; it belongs to this module. Returns -1 where signals are caught already, or no
// pipe can be made.
int cterminal_signals_begin(void);

// What has come since the last call: CTERMINAL_INTERRUPTED and CTERMINAL_CONTINUED, or'ed.
int cterminal_signals_take(void);

// Puts the handlers back that were there before. Only after a cterminal_signals_begin that succeeded.
void cterminal_signals_end(void);

#endif
