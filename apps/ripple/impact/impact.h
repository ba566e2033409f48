/* apps/ripple/impact/impact.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What each row of NoiseMiner costs the program: the program once more under noise that stands for
 * all rows (app_miner_row_noise()), and without each of them in turn, drawn alike. The gains are
 * those of knockout/knockout.h. docs/noise-miner.md, section 2, "The way back".
 */
#pragma once

#include "knockout/knockout.h"
#include "noise/miner.h"

typedef struct app_impact_row {
    const char *why_not;    /* no gain is known, because …; static; NULL: it is known */
    app_knockout_gain gain; /* relative to the time without noise */
    bool is_shared;         /* other rows say the same noise: all of them were left out together */
} app_impact_row;

typedef struct app_impact {
    uint32_t ranks;
    uint32_t replicas; /* 0: nothing was run */
    app_mode mode;
    app_mean slowdown;    /* under all rows that can be said as noise */
    app_impact_row *rows; /* [num_rows] as in the report */
    size_t num_rows;
    size_t num_left_out;     /* for lack of time */
    double seconds;          /* that it was given; 0: as long as it takes */
    double needed;           /* seconds that would have been needed, about, if nothing was run */
    char *noise;             /* all rows as --noise has them; NULL: none of them can be said */
    char *failure;           /* why that noise cannot be simulated; NULL: it can */
    bool is_recorded;        /* the program is one that ran under the noise */
    bool has_unknown_gaps;   /* some rows have no period: only what was seen of them is there */
    bool is_of_some_ranks;   /* some rows are of named ranks */
    uint32_t observed_ranks; /* that the rows are of */
} app_impact;

typedef struct app_impact_wish {
    bool wanted;
    uint32_t ranks; /* 0: as many as were mined */
    double seconds; /* of wall time, about: rows of small share are left out first; 0: no limit */
} app_impact_wish;

/**
 * @param program its noise counts for nothing, and its sizes: those of @p wish; the mode is
 *   co-scheduled if its noise is
 * @param is_recorded the events were recorded rather than simulated
 * @return owned by the caller; NULL with an error. A report without rows has no gains
 */
app_impact *app_impact_run(const app_experiment *program, const noise_miner_report *report,
                           bool is_recorded, const app_impact_wish *wish, GError **error);
void app_impact_free(app_impact *impact);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(app_impact, app_impact_free)
