#define _GNU_SOURCE
#include "CSpawn.h"

#include "Keeper.h"
#include "Kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static void close_pair(int pair[2]) {
    if (pair[0] >= 0) close(pair[0]);
    if (pair[1] >= 0) close(pair[1]);
}

// The bytes of each of the two stacks.
#define STACK_SIZE 65536

static size_t size_of(char *const texts[]) {
    size_t size = sizeof(char *);
    for (; *texts != NULL; texts++) size += sizeof(char *) + strlen(*texts) + 1;
    return size;
}

// Copies a list of texts to *place, which is moved behind it: first the pointers, then the texts.
static char *const *copied(char *const texts[], char **place) {
    size_t count = 0;
    while (texts[count] != NULL) count++;
    char **list = (char **)(void *)*place;
    char *text = *place + (count + 1) * sizeof(char *);
    for (size_t one = 0; one < count; one++) {
        list[one] = text;
        text = stpcpy(text, texts[one]) + 1;
    }
    list[count] = NULL;
    *place = text + (-(uintptr_t)text & (sizeof(char *) - 1));
    return list;
}

// Memory for a keeper: its stack, the program's first stack, and all that both need, since the caller's own may be freed
// before the program has started. Below each stack is a page that nobody can touch. NULL where there is none.
static struct keeping *prepared(struct cspawn_child *child, char *const argv[], char *const envp[]) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t data = sizeof(struct keeping) + size_of(argv) + size_of(envp) + 2 * sizeof(char *);
    child->memory_size = 2 * (page + STACK_SIZE) + (data + page - 1) / page * page;
    char *memory = mmap(NULL, child->memory_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    child->memory = memory;
    mprotect(memory, page, PROT_NONE);
    mprotect(memory + page + STACK_SIZE, page, PROT_NONE);
    char *place = memory + 2 * (page + STACK_SIZE);
    struct keeping *keeping = (struct keeping *)(void *)place;
    place += sizeof *keeping;
    keeping->argv = copied(argv, &place);
    keeping->envp = copied(envp, &place);
    keeping->keeper_stack = memory + page + STACK_SIZE;
    keeping->program_stack = memory + 2 * (page + STACK_SIZE);
    return keeping;
}

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
    int held = program == CSPAWN_BY_PATH ? CSPAWN_BY_PATH : fcntl(program, F_DUPFD_CLOEXEC, 10);
    int error = 0;
    if ((held < 0 && program != CSPAWN_BY_PATH) || pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0 || pipe2(log, O_CLOEXEC) != 0 ||
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
    struct keeping *keeping = error == 0 ? prepared(child, argv, envp) : NULL;
    if (error == 0 && keeping == NULL) error = errno;
    if (error == 0) {
        keeping->ends = (struct ends){input[0], output[1], log[1], control[1], held};
        keeping->is_script = is_script;
        keeping->limits = *limits;
        sigset_t all, before;
        sigfillset(&all);
        // No handler of the host may run in the keeper.
        pthread_sigmask(SIG_SETMASK, &all, &before);
        // The clone itself, not fork(): handlers that libraries registered for forks are no business of the keeper, and
        // without an exit signal neither a SIGCHLD handler nor a waitpid(-1) of the host ever meets it. The memory is shared:
        // copying the tables of a host's takes longer than starting a program.
        long keeper = kernel_clone(CLONE_VM, keeping->keeper_stack, cspawn_keep, keeping);
        if (keeper < 0) {
            error = (int)-keeper;
            munmap(child->memory, child->memory_size);
        }
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

void cspawn_reap(const struct cspawn_child *child) {
    int status;
    while (waitpid(child->keeper, &status, __WALL) < 0 && errno == EINTR) {
    }
    munmap(child->memory, child->memory_size);
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
