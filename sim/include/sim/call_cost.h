/* sim/call_cost.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a call of a collective takes of its rank's CPU beside its messages: checking of arguments,
 * choice of an algorithm, combination of what came. docs/machines.md, "What a call takes beside its
 * messages".
 */
#pragma once

#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

/** The collectives that have such a cost. */
typedef enum {
    SIM_CALL_BARRIER,
    SIM_CALL_BCAST,
    SIM_CALL_REDUCE,
    SIM_CALL_ALLREDUCE,
    SIM_CALL_GATHER,
    SIM_CALL_SCATTER,
    SIM_CALL_ALLGATHER,
    SIM_CALL_ALLTOALL,
    SIM_NUM_CALLS
} sim_call;

/** Spent by each rank before its first message; noise may strike it. */
typedef struct sim_call_cost {
    sim_time time; /* of a call */
    sim_rate byte; /* for each byte of it, as the call counts them (coll/kind.h) */
} sim_call_cost;

/** "barrier", "bcast", … as in a machine file. Static. */
const char *sim_call_name(sim_call call);
/** What a call of so many bytes takes. At most SIM_TIME_MAX. */
sim_time sim_call_cost_of(const sim_call_cost *cost, int64_t bytes);

/** "95ns", "95ns+20ps/B". @return false with SIM_ERROR_BAD_UNIT that names the text */
bool sim_call_cost_parse(const char *text, sim_call_cost *out, GError **error);
/** Exact text that parses back. Owned by the caller. */
char *sim_call_cost_format(const sim_call_cost *cost);

G_END_DECLS
