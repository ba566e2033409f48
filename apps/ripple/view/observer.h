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
    bool logs; /* all stretches go to a log instead */
} app_observer_options;

/** What one thread of a run tells of the ranks that are its own. */
typedef struct app_observer_part {
    sim_sink sink; /* of these */
    struct app_observer *whole;
    GArray *kept;         /* of app_observed_stretch; of a rank in order of time */
    app_stretch_log *log; /* NULL: none */
    sim_time kept_until;  /* SIM_TIME_MAX: all are kept; else from then on none is */
    uint64_t further;
    uint64_t reordered;
} app_observer_part;

typedef struct app_observer {
    sim_sink sink; /* for sim_run() */
    app_observer_options options;
    app_observed_rank *ranks;       /* [num_ranks] */
    app_observed_arrival *arrivals; /* [num_ranks]; NULL: not asked for */
    app_heat *heat;                 /* NULL: not asked for */
    GRWLock heat_lock;              /* writing: to make room in it */
    GPtrArray *parts;               /* of app_observer_part, at least one */
    GArray *kept;                   /* of app_observed_stretch; of a rank in order of time */
    bool kept_all;                  /* else there were more than most_kept, and from that instant */
    sim_time kept_until;            /* on there are none */
    GArray *steps;                  /* of sim_time: when computations of the injected rank begin
                                     * without noise */
    uint64_t further;               /* stretches on other CPUs of ranks: left out */
    uint64_t reordered;             /* stretches that another operation had in the other run */
} app_observer;

/**
 * All threads of a run may tell what their ranks do where the runs it is compared with can be asked
 * by several (app_reference_is_shared()). What is observed does not depend on how many there are.
 */
void app_observer_init(app_observer *observer, const app_observer_options *options);
/** Keep a stretch, if the options say so. Not while a run lasts. */
void app_observer_keep(app_observer *observer, const app_observed_stretch *stretch);
/** Nothing comes any more: put together what has come from all threads. Called once. */
void app_observer_gather(app_observer *observer);
/** After that: as app_stretch_log_read(), of what was logged. */
bool app_observer_read_logs(app_observer *observer, const bool *wanted,
                            app_stretch_log_visit *visit, void *user);
void app_observer_clear(app_observer *observer);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(app_observer, app_observer_clear)
