/* apps/ripple/analysis/analysis.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the record of a run says: the critical path summed up by part, kind of operation and rank,
 * the stretches of it and the waits that are longest.
 */
#pragma once

#include "sim/run_wait.h"

#include <glib.h>

typedef struct app_analysis_rank {
    uint32_t rank;
    uint64_t stretches;
    uint64_t visits; /* how often the path comes to it */
    sim_time time;
} app_analysis_rank;

typedef struct app_analysis_type {
    uint64_t stretches;
    sim_time time;
} app_analysis_type;

/** All waits for one kind of thing. */
typedef struct app_analysis_cause {
    uint64_t count;
    sim_time longest;
    sim_int128 total; /* ps; of all ranks, so it may pass SIM_TIME_MAX */
} app_analysis_cause;

enum { APP_NUM_TYPES = 3 }; /* of sim_op_type */

typedef struct app_analysis {
    sim_run_facts facts;
    sim_time part[SIM_NUM_PARTS];
    uint64_t amount[SIM_NUM_PARTS]; /* as in sim_path_stretch */
    app_analysis_type type[APP_NUM_TYPES];
    uint64_t stretches;
    GArray *ranks;      /* of app_analysis_rank: those on the path, most time first */
    GArray *operations; /* of sim_path_stretch: the longest, longest first */
    bool waited;        /* waits have been looked at */
    app_analysis_cause cause[SIM_NUM_CAUSES];
    GArray *waits; /* of sim_wait: the longest, longest first */
} app_analysis;

typedef struct app_analysis_request {
    size_t operations; /* to be kept, at most */
    size_t waits;      /* the same */
    bool waited;       /* look at waits */
} app_analysis_request;

/**
 * One look at each byte of the record, three with waits; memory for what is kept, and as
 * sim_run_record_walk_path() and sim_run_record_visit_waits() say.
 * @return owned by the caller; NULL with their errors
 */
app_analysis *app_analysis_new(const sim_run_record *record, const app_analysis_request *request,
                               GError **error);
void app_analysis_free(app_analysis *analysis); /* NULL is a no-op */
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_analysis, app_analysis_free)
