/* apps/ripple/knockout/gain.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * From the slowdowns of each replica with and without a component to what is known of its gain.
 */
#pragma once

#include "experiment/series.h"

/** Of leaving one component out, or two. Slowdowns are relative to the ideal time. */
typedef struct app_knockout_gain {
    size_t component; /* index among the names */
    size_t other;     /* likewise; of a pair. Else SIZE_MAX */
    app_mean without; /* slowdown without it; steady: of the time behind the warm-up */
    app_mean gain;    /* slowdown with all less that without it, of each replica */
    app_mean more;    /* of a pair: its gain less those of both alone, of each replica */
    double met;       /* detours of it that decide whether it may be believed: of all replicas
                       * together, steady of one run; INFINITY: it is a rate */
    bool few_met;     /* too few, and it could matter: the interval is not to be believed */
    uint32_t best;    /* of a single one, from 1: one more than have intervals above all of its */
    uint32_t worst;   /* as many as have no interval below all of its; 0: it has no rank */
} app_knockout_gain;

/** Of each replica, with all of the noise or without some of it. */
typedef struct app_knockout_values {
    double *slowdown; /* [n] */
    double *first;    /* [n] of the first half, steady; NULL: there are no halves to compare */
    double *second;   /* [n] */
    double off_by;    /* of a steady slowdown: what the end of a run may be off by */
} app_knockout_values;

/** What @p series says. @param ideal steady: the run without noise that is as long; else NULL */
app_knockout_values app_knockout_values_of(const app_series *series, const app_run *ideal,
                                           const app_noise *noise);
/** Of @p n replicas that nothing strikes. */
app_knockout_values app_knockout_values_zero(size_t n);
void app_knockout_values_clear(app_knockout_values *values);

/**
 * Mean and interval of @p sign[0] part[0] + ... of each replica. Steady: stretched by what the
 * halves still differ by, and widened by the ends of all runs (statistics/mean.h).
 * @param part [num] of n replicas each
 */
app_mean app_knockout_sum(const app_knockout_values *const *part, const double *sign, size_t num,
                          size_t n, uint64_t seed);

/** Orders the gains and gives them ranks: intervals that overlap share them. O(n^2) */
void app_knockout_rank(app_knockout_gain *gains, size_t n);

/** Does the interval leave 0 out? Never without an interval. */
bool app_knockout_told_apart(const app_mean *mean);
/** Has it a rank that may be said: above 0, an interval, and enough detours met? */
bool app_knockout_is_ranked(const app_knockout_gain *gain);
