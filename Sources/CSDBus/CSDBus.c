#define _GNU_SOURCE

#include "CSDBus.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/eventfd.h>

static csdbus system_table;
static int system_result = -1;
static pthread_once_t system_once = PTHREAD_ONCE_INIT;

int csdbus_resolve(const char *library, csdbus *table) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        return -1;

#define CSDBUS_RESOLVE(name) \
    table->name = (__typeof__(table->name)) dlsym(handle, "sd_bus_" #name); \
    if (table->name == NULL) { \
        dlclose(handle); \
        return -1; \
    }
    CSDBUS_FUNCTIONS(CSDBUS_RESOLVE)
#undef CSDBUS_RESOLVE

    return 0;
}

static void load_system_table(void) {
    system_result = csdbus_resolve("libsystemd.so.0", &system_table);
}

const csdbus *csdbus_load(void) {
    pthread_once(&system_once, load_system_table);
    return system_result == 0 ? &system_table : NULL;
}

int csdbus_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

void csdbus_name_thread(const char *name) {
    pthread_setname_np(pthread_self(), name);
}
