// The process between the host and a program: what it is given, and its life.
#ifndef CSPAWN_KEEPER_H
#define CSPAWN_KEEPER_H

#include "CSpawn.h"

// What keeper and program need of the host, by meaning. While the program is set up, all are 10 or above.
struct ends {
    int input, output, log, control, program;
};

// Everything that the keeper works with. It lies in memory that the host unmaps once the keeper is gone, together with both
// stacks: the host's own memory is shared with the keeper, and may be freed at any time.
struct keeping {
    struct ends ends;
    int is_script;
    char *const *argv;
    char *const *envp;
    struct cspawn_limits limits;
    void *keeper_stack;  // the ends of both stacks: a stack grows down
    void *program_stack;
    volatile int step;
    volatile int error;
};

// The keeper's life: start, guard, end everyone, tell how it went. Takes a struct keeping, and never returns.
void cspawn_keep(void *keeping);

#endif
