/* sim/replica.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Many replicas of a chain program (sim/chain.h) at once, one in each lane of a vector. The result
 * is that of sim_run(), to the picosecond, on every rank: the order of evaluation is the same for
 * all replicas and is worked out once.
 */
#pragma once

#include "sim/machine.h"
#include "sim/noise_lanes.h"
#include "sim/program.h"
#include "sim/watch.h"

#include <glib.h>

typedef struct sim_replicas sim_replicas;

/**
 * Work out the order of evaluation. O(rounds of all ranks); at most 64 MiB and 256 bytes per rank.
 * @param why why the lanes cannot do it: "progress is async", …; static
 * @return owned by the caller; NULL with @p why where only sim_run() will do
 */
sim_replicas *sim_replicas_new(const sim_program *program, const sim_params *params,
                               const char **why);
void sim_replicas_free(sim_replicas *replicas);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sim_replicas, sim_replicas_free)

uint64_t sim_replicas_num_ops(const sim_replicas *replicas);
uint64_t sim_replicas_num_messages(const sim_replicas *replicas);
/** Bytes that sim_replicas_run() takes for each thread that is in it. */
uint64_t sim_replicas_memory(const sim_replicas *replicas);
/**
 * "avx512", "avx2" or "portable": the best that this processor has, or what the environment
 * variable RIPPLE_LANES named when the object was made. Results are the same. Static.
 */
const char *sim_replicas_variant(const sim_replicas *replicas);
/** The variants that this processor has, NULL-terminated; g_free() the list, not the names. */
const char **sim_replicas_variants(void);

/** Is every instant sure to stay below SIM_TIME_MAX under this noise (NULL: none)? If not,
 * sim_run() says where one passes it.
 */
bool sim_replicas_in_time(const sim_replicas *replicas, const sim_noise_lanes *noise);

/**
 * Run. May be called by several threads at once; each takes memory that is kept until the end.
 * @param noise    NULL: none; every lane is the same replica
 * @param watch    told how far it is, and may end it; NULL: nobody
 * @param makespan [SIM_LANES]
 * @param finish   NULL, or [SIM_LANES] of [num_ranks] or NULL: when each rank has finished
 * @return false: @p watch has ended it; @p makespan and @p finish hold nothing
 */
bool sim_replicas_run(sim_replicas *replicas, const sim_noise_lanes *noise, sim_watch *watch,
                      sim_time *makespan, sim_time *const *finish);
