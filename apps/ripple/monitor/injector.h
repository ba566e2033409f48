/* apps/ripple/monitor/injector.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A process that burns CPU time at known instants: what a monitor must find.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/** Written by the process, in memory that both see. CLOCK_MONOTONIC, ns. */
typedef struct app_burst {
    uint64_t begin, end;
} app_burst;

typedef struct app_injector {
    pid_t pid;
    uint32_t most;      /* bursts */
    uint64_t *num;      /* bursts that are over */
    uint64_t *cpu_ns;   /* all its CPU time since before the first, by its own clock */
    uint64_t *burnt_ns; /* of this in bursts; the rest was waking up and going to sleep */
    app_burst *bursts;
} app_injector;

/** Begin: @p most bursts of @p burst_ns of CPU time on @p cpu, one every @p period_ns. */
bool app_injector_start(app_injector *injector, uint32_t cpu, uint64_t burst_ns, uint64_t period_ns,
                        uint32_t most);
/** Wait until all bursts are over, or end it at once; the log stays. */
void app_injector_join(app_injector *injector, bool at_once);
void app_injector_clear(app_injector *injector);
