// Tells ThreadSanitizer how Synchronization.Mutex hands itself over, which it can't see.
//
// A mutex that is free is taken by an atomic instruction in the code that asks for it, which is instrumented. One that isn't
// is taken and given by the kernel, from functions of the standard library, which aren't. So what the lock guards looks
// unguarded wherever two threads met at it. These functions stand in for those and say what they do; nothing is suppressed.
//
// Linked into each program that is built with ThreadSanitizer: a program's own functions go before a library's.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// As Swift calls methods: the object comes in a register of its own.
#define METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

METHOD void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
METHOD bool try_lock_slow(SELF) __asm__(TRY_LOCK);
METHOD void unlock_slow(SELF) __asm__(UNLOCK);

METHOD void lock_slow(uint32_t thread, SELF) {
    METHOD void (*original)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK);
    original(thread, self);
    __tsan_acquire(self);
}

METHOD bool try_lock_slow(SELF) {
    METHOD bool (*original)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK);
    bool isTaken = original(self);
    if (isTaken) __tsan_acquire(self);
    return isTaken;
}

METHOD void unlock_slow(SELF) {
    METHOD void (*original)(SELF) = dlsym(RTLD_NEXT, UNLOCK);
    __tsan_release(self);
    original(self);
}
