/* noise/measure/watch.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What happens to one CPU's loop beyond what the loop itself sees: watched from its own thread,
 * from just before the common start to just after the end.
 */
#pragma once

#include "measure/calibrate.h"
#include "measure/selfish_loop.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct noise_watch {
    noise_iteration iteration;
    noise_loop_end end;
    uint64_t backwards; /* steps of the clock */
    bool bound;         /* binding worked */
    bool moved;         /* yet ran elsewhere in the end */
    int64_t voluntary;  /* context switches during the loop */
    int64_t involuntary;
    int64_t page_faults;
} noise_watch;

/** On the thread that measures, bound to @p cpu. May take 100 us. */
void noise_watch_begin(noise_watch *watch, uint32_t cpu);
/** On the same thread, after its loop. */
void noise_watch_end(noise_watch *watch, uint32_t cpu);
