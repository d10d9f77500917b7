#define _GNU_SOURCE
#include "PluginBenchSupport.h"

#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int plugin_bench_exchange(const char *program, const char *lines, int answers) {
    int input[2], output[2];
    if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0) return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], 0);
    posix_spawn_file_actions_adddup2(&actions, output[1], 1);
    char *argv[] = {(char *)program, NULL};
    char *envp[] = {"PATH=/usr/bin:/bin", "HOME=/", NULL};
    pid_t child;
    int code = posix_spawn(&child, program, &actions, NULL, argv, envp);
    posix_spawn_file_actions_destroy(&actions);
    close(input[0]);
    close(output[1]);
    int found = 0;
    if (code == 0 && write(input[1], lines, strlen(lines)) == (ssize_t)strlen(lines)) {
        char buffer[4096];
        while (found < answers) {
            ssize_t count = read(output[0], buffer, sizeof buffer);
            if (count <= 0) break;
            for (ssize_t place = 0; place < count; place++) found += buffer[place] == '\n';
        }
    }
    close(input[1]);
    close(output[0]);
    int status = -1;
    if (code == 0) waitpid(child, &status, 0);
    return found == answers && status == 0 ? 0 : -1;
}
