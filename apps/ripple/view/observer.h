/* apps/ripple/view/observer.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Looks on while a run lasts, in one pass: what each rank's time went to, what it lost against
 * the run without noise, when, and where an injected detour came to. What is not of chosen ranks is
 * summed up at once. docs/view.md, section 2.
 */
#pragma once

#include "stretches/detours.h"
#include "stretches/reference.h"
#include "stretches/stretch_log.h"
#include "view/heat.h"

#include "sim/sink.h"

/** What is kept of a rank, in the whole run. */
typedef struct app_observed_rank {
    sim_time time[APP_PICTURE_NUM_KINDS];
    sim_time absorbed; /* it waited less than without noise: so much of its delay is gone */
    sim_time finish;   /* end of its last stretch */
} app_observed_rank;

/** Where the detour came to: the first stretch of a rank that begins later by the threshold. */
typedef struct app_observed_arrival {
    sim_time usual; /* when it would have begun; SIM_TIME_MAX: none is late */
    sim_time delay;
    uint32_t cause_rank;
} app_observed_arrival;

/** What to look at. All borrowed. */
typedef struct app_observer_options {
    uint32_t num_ranks;
    const sim_noise *noise;     /* of the run; NULL: none */
    app_reference *ideal;       /* the run without noise; NULL where there is none in this */
    app_reference *undisturbed; /* the run without the injected detour; NULL: it is not looked for;
                                 * the same as ideal where there is no other noise */
    sim_time threshold;         /* of arrivals, > 0 */
    uint32_t injected;          /* the rank of the detour */
    bool maps_heat;
    sim_time makespan;   /* it will be at least so long; 0: nothing is known */
    const bool *is_kept; /* [num_ranks] whose stretches are kept; NULL: of all */
    sim_time from, to;   /* those that are in there at least in part */
    size_t most_kept;
    app_stretch_log *log; /* all stretches go there instead; NULL: none */
} app_observer_options;

typedef struct app_observer {
    sim_sink sink; /* for sim_run() */
    app_observer_options options;
    app_observed_rank *ranks;       /* [num_ranks] */
    app_observed_arrival *arrivals; /* [num_ranks]; NULL: not asked for */
    app_heat *heat;                 /* NULL: not asked for */
    GArray *kept;                   /* of app_observed_stretch; of a rank in order of time */
    bool kept_all;                  /* else there were more than most_kept, and from that instant */
    sim_time kept_until;            /* on there are gaps */
    GArray *steps;                  /* of sim_time: when computations of the injected rank begin
                                     * without noise */
    uint64_t further;               /* stretches on other CPUs of ranks: left out */
    uint64_t reordered;             /* stretches that another operation had in the other run */
} app_observer;

void app_observer_init(app_observer *observer, const app_observer_options *options);
/** Keep a stretch, if the options say so. */
void app_observer_keep(app_observer *observer, const app_observed_stretch *stretch);
void app_observer_clear(app_observer *observer);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(app_observer, app_observer_clear)
