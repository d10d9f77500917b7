// The kernel's calls without the C library: for code that runs in a process of its own but in somebody else's memory.
//
// A call of the C library may write errno, which is the thread's that was running when the process was made, and a
// sanitizer's runtime would take the process for that thread. So nothing here touches either: errors are returned as minus
// an errno value, and what is compiled between KERNEL_ONLY_BEGIN and KERNEL_ONLY_END isn't instrumented.
#ifndef CSPAWN_KERNEL_H
#define CSPAWN_KERNEL_H

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__clang__)
#define KERNEL_ONLY_BEGIN \
    _Pragma("clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)")
#define KERNEL_ONLY_END _Pragma("clang attribute pop")
#else
#define KERNEL_ONLY_BEGIN
#define KERNEL_ONLY_END
#endif

KERNEL_ONLY_BEGIN

static inline long kernel_call(long number, long one, long two, long three, long four, long five) {
#if defined(__x86_64__)
    register long r10 __asm__("r10") = four;
    register long r8 __asm__("r8") = five;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(number), "D"(one), "S"(two), "d"(three), "r"(r10), "r"(r8)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = one;
    register long x1 __asm__("x1") = two;
    register long x2 __asm__("x2") = three;
    register long x3 __asm__("x3") = four;
    register long x4 __asm__("x4") = five;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
    return x0;
#else
    long result = syscall(number, one, two, three, four, five);
    return result < 0 ? -errno : result;
#endif
}

#define KERNEL(name, one, two, three, four, five) \
    kernel_call(SYS_##name, (long)(one), (long)(two), (long)(three), (long)(four), (long)(five))

// Makes a process that runs a body, which never returns, on a stack of its own; the stack is given by its end.
// Where CLONE_VM is among the flags it shares the caller's memory, which spares copying that. Returns its number, or minus an
// errno value.
static inline long kernel_clone(unsigned long flags, void *stack, void (*body)(void *), void *argument) {
#if defined(__x86_64__)
    register long r10 __asm__("r10") = 0;
    register long r8 __asm__("r8") = 0;
    register void (*r12)(void *) __asm__("r12") = body;
    register void *r13 __asm__("r13") = argument;
    long result;
    __asm__ volatile("syscall\n\t"
                     "testq %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "xorl %%ebp, %%ebp\n\t"
                     "movq %%r13, %%rdi\n\t"
                     "callq *%%r12\n\t"
                     "ud2\n"
                     "1:"
                     : "=a"(result)
                     : "0"((long)SYS_clone), "D"(flags), "S"(stack), "d"(0L), "r"(r10), "r"(r8), "r"(r12), "r"(r13)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = SYS_clone;
    register long x0 __asm__("x0") = (long)flags;
    register void *x1 __asm__("x1") = stack;
    register long x2 __asm__("x2") = 0;
    register long x3 __asm__("x3") = 0;
    register long x4 __asm__("x4") = 0;
    register void (*x9)(void *) __asm__("x9") = body;
    register void *x10 __asm__("x10") = argument;
    __asm__ volatile("svc 0\n\t"
                     "cbnz x0, 1f\n\t"
                     "mov x29, xzr\n\t"
                     "mov x0, x10\n\t"
                     "blr x9\n\t"
                     "brk #1\n"
                     "1:"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x9), "r"(x10)
                     : "memory");
    return x0;
#else
    // Without a way to change stacks the memory is copied.
    (void)stack;
    long result = syscall(SYS_clone, flags & 0xffUL, 0, 0, 0, 0);
    if (result == 0) body(argument);
    return result < 0 ? -errno : result;
#endif
}

KERNEL_ONLY_END

#endif
