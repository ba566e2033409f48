/* tests/collectives/algorithms/cost.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * How long a collective takes on the engine, and what its messages take by docs/collectives.md,
 * section 6.2. Everything eager, no noise; @p bytes >= 1.
 */
#pragma once

#include "coll/kind.h"
#include "sim/run.h"

#include <glib.h>

/** A call with root 0; -1, and a check that fails, if it cannot be done. */
sim_time cost_makespan(coll_kind kind, const char *algorithm, uint32_t size, int64_t bytes,
                       const sim_params *params);

sim_time cost_max(sim_time a, sim_time b);
/** g + (bytes - 1) G. */
sim_time cost_gap(const sim_params *p, int64_t bytes);
/** A */
sim_time cost_send_interval(const sim_params *p, int64_t bytes);
/** D */
sim_time cost_one_message(const sim_params *p, int64_t bytes);
/** B */
sim_time cost_receive_interval(const sim_params *p, int64_t bytes);

/** Whole ps, all regimes. */
sim_params cost_random_params(GRand *rand, sim_progress progress);
