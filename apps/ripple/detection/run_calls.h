/* apps/ripple/detection/run_calls.h — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_recorded_calls, test_simulated_calls. */
/**
 * @file
 * The calls of all ranks of one run, wherever they come from: symbols, computation before each of
 * them, and when it was made. docs/interference.md, section 2.
 */
#pragma once

#include "noise/sequences.h"

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

typedef struct app_rank_calls {
    size_t n;
    noise_sequence_call *call; /* [n] in the order in which the program makes them */
    uint64_t *at;              /* [n] their indices in the record; NULL: of a simulated run */
} app_rank_calls;

typedef struct app_run_calls {
    uint32_t num_ranks;
    app_rank_calls *rank; /* [num_ranks] */
    sim_time end;         /* of the run: when the last rank ended; 0..SIM_TIME_MAX */
    GHashTable *names;    /* of all symbols: uint64_t to "MPI_Send to rank+1" */
} app_run_calls;

/** No calls yet. Owned by the caller. */
app_run_calls *app_run_calls_new(uint32_t num_ranks);
void app_run_calls_free(app_run_calls *calls); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_run_calls, app_run_calls_free)

/** Say what @p symbol means, once; copies. */
void app_run_calls_name(app_run_calls *calls, uint64_t symbol, const char *name);
/** Borrowed; NULL: it has no name. */
const char *app_run_calls_find_name(const app_run_calls *calls, uint64_t symbol);
