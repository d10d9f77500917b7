// What the cost of an external check is measured against: a parent in C that does the same exchange.
#ifndef PLUGIN_BENCH_SUPPORT_H
#define PLUGIN_BENCH_SUPPORT_H

// Spawns the program, writes the lines, reads so many lines back, ends its input and waits for its exit.
// Returns 0, or -1 where something went wrong.
int plugin_bench_exchange(const char *program, const char *lines, int answers);

#endif
