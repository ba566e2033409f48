/* sim/watch.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Watching over a long run: learning how far it has come, and ending it early.
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct sim_watch sim_watch;
struct sim_watch {
    /**
     * Called every now and then (usually every 1 to 200 ms) by the thread that called sim_run() or
     * sim_replicas_run().
     * @param num_ops operations that have become ready, out of the sum of
     * sim_program_class.num_ops; it never falls. In lanes: roughly, and for each lane
     * @param now of the simulation; in lanes, where each rank is at an instant of its own, 0
     * @return false: the run is to end here, without a result
     */
    bool (*look)(sim_watch *watch, uint64_t num_ops, sim_time now);
};

G_END_DECLS
