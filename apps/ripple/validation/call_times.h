/* apps/ripple/validation/call_times.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Where the time of a recorded run went, and where it goes when the record is simulated, by the
 * same names: computation, and each type of MPI call. docs/validate.md, section 2.
 */
#pragma once

#include "coll/algorithm.h"
#include "sched/trace.h"
#include "sim/levels.h"
#include "sim/machine.h"

#include <glib.h>
#include <stdbool.h>

typedef enum {
    APP_TIME_COMPUTATION, /* CPU time between calls, or all of the time there */
    APP_TIME_OFF_CPU,     /* between calls, beyond CPU time: recording, and what preempted it */
    APP_TIME_LEFT_OUT,    /* calls that are not converted; simulated: as computation */
    APP_TIME_CALL,        /* in calls of one function */
    APP_TIME_RECORDING,   /* the record is written; simulated: waiting for what was posted before */
    APP_TIME_IDLE         /* the rank has ended, and the last one has not */
} app_time_kind;

typedef struct app_call_time {
    app_time_kind kind;
    char *name;         /* "MPI_Send"; of the others, what the table calls them */
    bool is_collective; /* blocking */
    uint64_t calls;     /* of all ranks */
    double recorded;    /* ps, mean of the ranks */
    double simulated;
    /* Of these, what is in the first call of each rank that makes further ones of that name. */
    uint64_t first_calls;
    double first_recorded;
    double first_simulated;
} app_call_time;

typedef struct app_call_times {
    GArray *rows;       /* of app_call_time; either side sums up to its makespan */
    sim_time recorded;  /* makespan: the longest rank from MPI_Init to MPI_Finalize */
    sim_time simulated; /* makespan */
    sim_time computed;  /* sum over the ranks of what was simulated as computation */
    uint32_t num_ranks;
} app_call_times;

/** On what it is simulated. */
typedef struct app_call_machine {
    const sim_params *params;
    const sim_levels *levels; /* NULL: one level */
    const coll_profile *profile;
    const sim_call_cost *calls; /* [SIM_NUM_CALLS] beside their messages; NULL: nothing */
    const sim_cold_cost *cold;  /* after a computation; NULL: nothing */
    bool by_wall; /* computation takes the wall clock between calls, not its CPU time */
} app_call_machine;

/**
 * Simulate @p trace once, without noise, on one thread. Its ranks must have come to MPI_Finalize.
 * O(n log n) in operations; some 100 bytes an operation.
 * @return owned by the caller; NULL with an error of the conversion or of the run
 */
app_call_times *app_call_times_of(const sched_trace *trace, const app_call_machine *machine,
                                  GError **error);
void app_call_times_free(app_call_times *times); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_call_times, app_call_times_free)
