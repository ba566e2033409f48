/* noise/measure/watch.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What happens to one CPU's loop beyond what the loop itself sees.
 */
#pragma once

#include "host/witness.h"
#include "measure/calibrate.h"
#include "measure/selfish_loop.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct noise_watch {
    noise_iteration iteration;
    noise_iteration iteration_after; /* right after the loop; t_min 0: not looked at */
    noise_loop_end end;
    uint64_t backwards;    /* steps of the clock */
    bool bound;            /* binding worked */
    noise_witness witness; /* from just before the common start to just after the end */
} noise_watch;
