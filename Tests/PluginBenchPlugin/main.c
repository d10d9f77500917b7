// The cheapest plugin there can be: it answers hello, and every request after it, without looking further than the ID.
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[65536];
    while (fgets(line, sizeof line, stdin) != NULL) {
        int id = 0;
        if (sscanf(line, "{\"id\":%d", &id) != 1) continue;
        if (strstr(line, "\"hello\"") != NULL) {
            printf("{\"id\":%d,\"hello\":{\"protocol\":1,\"kinds\":[\"bench\"]}}\n", id);
        } else {
            printf("{\"id\":%d,\"satisfied\":true,\"evidence\":\"yes\"}\n", id);
        }
        fflush(stdout);
    }
    return 0;
}
