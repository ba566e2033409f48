/* apps/ripple/steady/steady_series.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What a series of runs says of the steady slowdown, and which components of the noise it has to
 * have met for that.
 */
#pragma once

#include "experiment/series.h"
#include "options/noise_options.h"
#include "steady/threshold.h"

/** Detours of a component that matters that a run has to meet; docs/model.md, section 9.3. */
#define APP_STEADY_MET 20

/**
 * Fill slowdown, met and steady of @p noisy from the slices of its runs and of @p ideal, the same
 * number of passes without noise. O(runs · slices).
 * @param half_width relative to the estimate  @param seed of the bootstrap
 */
void app_steady_evaluate(app_series *noisy, const app_series *ideal, const app_noise *noise,
                         double half_width, uint64_t seed);

/** What the runs of a series say each, from the end of the warm-up on. */
typedef struct app_steady_values {
    double *slowdown;   /* [num_runs] */
    double *first;      /* [num_runs] of the halves (statistics/halves.h); where they are split */
    double *second;     /* [num_runs] */
    double reference;   /* ps, of the ideal run behind the warm-up */
    uint32_t cut;       /* slices of the warm-up */
    bool is_split;      /* there are halves, and a warm-up to cut */
    bool is_comparable; /* the halves are of whole passes */
} app_steady_values;

/** @param ideal the run without noise, of as many slices: their number decides the warm-up.
 * O(runs · slices) */
app_steady_values app_steady_values_of(const app_series *noisy, const app_run *ideal,
                                       uint32_t num_slices);
void app_steady_values_clear(app_steady_values *values);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(app_steady_values, app_steady_values_clear)

/** ps by which the end of a run may be off, as detours of what is locked are met whole or not at
 * all. */
double app_steady_off_by(const app_noise *noise, app_mode mode, uint32_t ranks);

/** The half width that is wanted of @p slowdown, absolute: above 0. @p half_width relative */
double app_steady_width(const app_mean *slowdown, double half_width);

/** Does the whole interval lie on one side of @p threshold, and is it one to be believed? */
app_verdict app_steady_verdict(const app_series *series, double threshold);

/**
 * Passes after which each component that matters will have been met often enough
 * (APP_STEADY_MET). One matters unless all it can add is below a tenth of the half width.
 * @param slowdown the estimate, as far as it is known; 0: all matter
 * @param pass ps, ideal length of one
 * @return at least 1; may be infinite: a component that is on none of the ranks does not matter
 */
double app_steady_passes(const app_noise *noise, app_mode mode, uint32_t ranks, double slowdown,
                         double half_width, double pass);

/**
 * Passes of which the end, where the last detours are met whole or not at all, matters less than
 * @p width to the slowdown.
 * @param pass ps, ideal length of one
 * @return at least 1; may be infinite
 */
double app_steady_passes_to_end(const app_noise *noise, app_mode mode, uint32_t ranks, double width,
                                double pass);

/** Detours met by a run so long (ps) of the component that is met least of those that matter;
 * infinite: none matters. */
double app_steady_met(const app_noise *noise, app_mode mode, uint32_t ranks, double slowdown,
                      double half_width, double lasts);

/** What a rank loses that never waits: s / (1 - s), s the share of its time that it cannot work;
 * the largest. O(ranks) where noise is on some of them. */
double app_steady_reference(const app_noise *noise, app_mode mode, uint32_t ranks);
