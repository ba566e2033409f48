/* record/off_cpu.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * When the threads that call MPI were not on a CPU, as the kernel records it, into the file
 * switches.RANK (noise/switch_record.h), if TRACER_ENV_SWITCHES asks for it. Costs a call one load
 * and one comparison; and 30 ns per interval when the kernel's ring is a quarter full.
 *
 * Where the kernel refuses, the counter of how long the thread was ready and had no CPU (run_delay
 * in /proc/thread-self/schedstat) is read where calls begin and end, every 200 us at the most
 * often: 25 ns a call, a microsecond each time. What was added is written as one time off the CPU
 * that ends there.
 */
#pragma once

#include "noise/switches.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct tracer_off_cpu {
    noise_switches *ring; /* of this thread; NULL: refused, its schedstat is read instead */
    int fd;               /* of that; -1: none */
    uint32_t tid;
    uint64_t looked; /* ns: when it was read */
    uint64_t delay;  /* ns that the thread had waited for a CPU by then */
    struct tracer_off_cpu *next;
} tracer_off_cpu;
extern _Thread_local tracer_off_cpu *tracer_off_cpu_mine __attribute__((tls_model("initial-exec")));

/** By the thread that initialises MPI, when there is a folder. @param entered when it did, ns */
void tracer_off_cpu_start(uint64_t entered);
/** At the first call of any other thread. */
void tracer_off_cpu_thread(void);
/** What the ranks' clocks say, at the start and at the end. @param boot_id 36 bytes */
void tracer_off_cpu_clock(bool first, const char *boot_id, uint64_t when, int64_t offset,
                          uint64_t uncertainty);
void tracer_off_cpu_drain(tracer_off_cpu *log);
/** Drains all threads' and closes the file. */
void tracer_off_cpu_end(void);

/** Is it time to read the counters again? */
bool tracer_off_cpu_is_due(const tracer_off_cpu *log);

/** Where a call ends. */
static inline void tracer_off_cpu_look(void)
{
    tracer_off_cpu *log = tracer_off_cpu_mine;
    if (log != NULL &&
        (log->ring != NULL ? noise_switches_filling(log->ring) : tracer_off_cpu_is_due(log))) {
        tracer_off_cpu_drain(log);
    }
}

/** Where a call begins: what was waited for a CPU while computing is not the call's. */
static inline void tracer_off_cpu_look_before(void)
{
    tracer_off_cpu *log = tracer_off_cpu_mine;
    if (log != NULL && log->ring == NULL && tracer_off_cpu_is_due(log)) {
        tracer_off_cpu_drain(log);
    }
}
