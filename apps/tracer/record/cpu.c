/* apps/tracer/record/cpu.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CPU time of a thread without a system call each time. As long as a thread is not switched
 * out, its CPU clock and the wall clock run alike; and whether it was, the kernel leaves to be
 * seen where the C library registered a restartable sequence: on every switch it clears the
 * pointer to the sequence that the thread is in. Ours points to an empty one. While it stands,
 * CPU time is what it was at the last look plus the wall clock since.
 *
 * Kernels that clear the pointer only when they interrupt user code would hide a thread that
 * sleeps in a system call. So it is tried first, and without it the clock is read.
 */
#include "record/cpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#if defined(__has_include)
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif
#endif

/* Without the pointer: who was off the CPU has been away for longer than this. */
enum { SHORT_NS = 5000 };
/* With it: kernels leave out of CPU time what interrupts take, and what a host takes from a virtual
 * CPU, and do not tell. So look from time to time: CPU time is ahead by no more than this. */
enum { LONG_NS = 1000000 };

static _Thread_local struct {
    uint64_t wall; /* 0: never looked */
    uint64_t cpu;
} look __attribute__((tls_model("initial-exec")));

static bool told; /* of switches, by the kernel; set before any call is recorded */

uint64_t tracer_clock(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

static uint64_t read_cpu_clock(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

#ifdef RSEQ_SIG
static struct rseq_cs nowhere;              /* empty: no instruction is in it */
static const uint32_t signature = RSEQ_SIG; /* what the kernel wants to see before abort_ip */

static volatile uint64_t *pointer(void)
{
    char *area = (char *)__builtin_thread_pointer() + __rseq_offset;
    return (volatile uint64_t *)(void *)(area + offsetof(struct rseq, rseq_cs));
}

static void watch(void)
{
    *pointer() = (uint64_t)(uintptr_t)&nowhere;
}

static bool stayed(void)
{
    return *pointer() == (uint64_t)(uintptr_t)&nowhere;
}

void tracer_cpu_start(void)
{
    told = __rseq_size > 0; /* 0: not registered, by an old kernel or on request */
    nowhere.abort_ip = (uint64_t)(uintptr_t)(&signature + 1);
    for (int i = 0; told && i < 3; i++) { /* all kernels tell a thread that woke on another CPU */
        const struct timespec moment = {0, 1};
        watch();
        (void)nanosleep(&moment, NULL);
        told = !stayed();
    }
}
#else
static void watch(void)
{
}

static bool stayed(void)
{
    return false;
}

void tracer_cpu_start(void)
{
}
#endif

uint64_t tracer_cpu(uint64_t wall)
{
    const uint64_t since = wall - look.wall;
    if (told && since < LONG_NS && stayed()) {
        return look.cpu + since;
    }
    if (!told && since < SHORT_NS) {
        look.wall = wall;
        look.cpu += since;
        return look.cpu;
    }
    if (told) {
        watch(); /* before both clocks: a switch between them is seen next time */
    }
    look.wall = tracer_clock();
    look.cpu = read_cpu_clock();
    return look.cpu;
}
