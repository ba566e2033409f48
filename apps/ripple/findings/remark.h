/* apps/ripple/findings/remark.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What has to be said beside a number: how far a series of runs can stand for the slowdown.
 */
#pragma once

#include "experiment/experiment_results.h"

typedef enum {
    APP_REMARK_TOO_SHORT, /* steady: a component that matters is met by a run less than 20 times */
    APP_REMARK_FEW_MET,   /* pass: it is met by all replicas together less than 20 times */
    APP_REMARK_CHECK,     /* co-scheduled, one run beside the size at which it is settled */
    APP_REMARK_ONE,       /* one replica */
    APP_REMARK_RANGE,     /* two to four replicas */
    APP_REMARK_DRIFTS,    /* steady: one half of the runs was slower than the other */
    APP_REMARK_WIDE,      /* steady: the interval is wider than asked for, or that between halves */
    APP_REMARK_ABSORBED,  /* steady: less than a rank loses that never waits */
    APP_REMARK_LESS_THAN, /* the interval holds 0 */
    APP_REMARK_NO_EFFECT, /* no run was slower than the ideal one */
    APP_NUM_REMARKS
} app_remark;

typedef struct app_remark_words {
    const char *code; /* in JSON and CSV: "too-short" */
    const char *cell; /* in tables: "too short" */
} app_remark_words;

extern const app_remark_words app_remarks[APP_NUM_REMARKS];

/** @param series not the ideal one */
bool app_series_has(const app_series *series, app_remark remark);
/** Wide: is it the interval itself, not that between the halves of the runs? */
bool app_series_interval_is_wide(const app_series *series);
/** "check, too short"; "" if there is nothing to be said. Owned by the caller. */
char *app_series_remarks(const app_series *series);
/** The same as codes, with @p separator between them. Owned by the caller. */
char *app_series_codes(const app_series *series, const char *separator);

/** Which quantity the slowdowns are; of all series with noise the same. */
app_quantity app_results_quantity(const app_results *results);

/** What kind of a statement a series allows. */
typedef enum {
    APP_CLAIM_NONE,    /* none: too short, or too few detours met */
    APP_CLAIM_ONE,     /* an example: one replica */
    APP_CLAIM_RANGE,   /* what was seen in a few replicas */
    APP_CLAIM_LESS,    /* the slowdown is less than the upper end of its interval */
    APP_CLAIM_INTERVAL /* an interval without 0 */
} app_claim;

app_claim app_series_claim(const app_series *series);

/**
 * The component that was met least often of those that matter, where that is less than 20 times: by
 * a run (steady), or by all of them together (pass).
 * @param detours how often  @return its index; SIZE_MAX: all were met often enough
 */
size_t app_series_rarest(const app_series *series, double *detours);

/** Of the component that is met least often, of those that are there at all; or NULL. Borrowed. */
const app_met *app_series_rarest_met(const app_series *series);

/** The cell for the slowdown: "2.56 %", "<0.038 %", "too short". Owned by the caller. */
char *app_series_cell(const app_series *series);
/** The cell for its interval or range: "2.55 % .. 2.57 %", "-". Owned by the caller. */
char *app_series_interval_cell(const app_series *series);
