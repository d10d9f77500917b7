// Starting a program that isn't trusted with anything, and ending whatever it leaves behind.
//
// posix_spawn can't do it: it has no attribute for no_new_privs, resource limits, or running a descriptor instead of a
// path, and nothing in it finds a child that fled into a session of its own. So this module clones by hand. Between the
// clone and the exec only system calls are made, all of them in Keeper.c, none of them in Swift.
//
//   host ──clone──▶ keeper ──vfork──▶ the program, in a session of its own
//
// The keeper is a subreaper: whoever the program leaves behind, in whatever session, becomes the keeper's child and is
// killed by it. It also sees when the host dies, and ends the program then. It is a process of its own, with descriptors and
// signals of its own, but in the host's memory, with two stacks that the host maps for it: making it costs as much as a
// thread. Where only the memory is shared the C library can't be used (Kernel.h says why).
#ifndef CSPAWN_H
#define CSPAWN_H

#include <stdint.h>
#include <sys/types.h>

// What the host holds of a started program. All descriptors are close-on-exec and don't block.
struct cspawn_child {
    int input;    // writes to the program's standard input
    int output;   // reads its standard output
    int log;      // reads its standard error
    int control;  // takes commands for the keeper, gives one struct cspawn_end, then the end of the stream
    pid_t keeper; // to be waited for with cspawn_reap
    void *memory; // what the keeper works in
    size_t memory_size;
};

// How the program ended.
struct cspawn_end {
    int32_t error;  // the errno of an exec that failed, or 0
    int32_t step;   // which step failed: one of CSPAWN_STEP_…
    int32_t status; // the wait status
    int32_t left;   // whether it left processes behind, which the keeper has ended
};

#define CSPAWN_STEP_NONE 0
#define CSPAWN_STEP_SETUP 1
#define CSPAWN_STEP_EXEC 2

// Commands: one byte each. The end of the control stream is CSPAWN_KILL.
#define CSPAWN_TERMINATE 84 // T
#define CSPAWN_KILL 75 // K

// In the place of a program's descriptor: it is run by its path.
#define CSPAWN_BY_PATH (-1)

// The resource limits that a program gets; 0 leaves one as it is.
struct cspawn_limits {
    uint64_t processor_seconds;
    uint64_t data_bytes;
    uint64_t file_bytes;
    uint64_t open_files;
};

// Starts the program behind a descriptor. A script (is_script != 0) is handed to its interpreter as /dev/fd/3, so that
// the interpreter reads the very file behind the descriptor, too; any other program inherits 0, 1 and 2 alone.
// Where the program is CSPAWN_BY_PATH, it is the one of the absolute path argv[0] instead, as execve finds it.
// Returns 0, or an errno with nothing started and nothing left open.
int cspawn_start(int program, int is_script, char *const argv[], char *const envp[], const struct cspawn_limits *limits,
                 struct cspawn_child *child);

// Waits for the keeper, which ends right after its last message, and gives its memory back.
void cspawn_reap(const struct cspawn_child *child);

// Whether a wait status is an exit, and its code; else the signal.
int cspawn_exited(int status);
int cspawn_code(int status);
int cspawn_signal(int status);

// An event descriptor to wake a poll, and its two uses. Returns -1 where there is none to be had.
int cspawn_event(void);
void cspawn_wake(int event);
void cspawn_drain(int event);

// Names the calling thread, for people who look at a process; at most 15 bytes.
void cspawn_name_thread(const char *name);

// 1 where the file behind a descriptor has capabilities, 0 where it has none, -1 where that can't be found out.
int cspawn_has_capabilities(int descriptor);

// openat with the flags that a walk needs: a component without following a link (O_PATH), and a regular file to read.
int cspawn_open_component(int directory, const char *name);
int cspawn_open_file(int directory, const char *name);
// The target of the link behind an O_PATH descriptor; the length, or -1.
ssize_t cspawn_read_link(int link, char *buffer, size_t size);

#endif
