/* apps/ripple/statistics/warm_up.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistics/warm_up.h"

#include <math.h>

enum { BATCH = 5, LEAST_LEFT = 5 };

static const double ROUNDING = 1e-9; /* a longer cut must be better by more than this part */

static double batch_mean(const double *batch)
{
    double sum = 0;
    for (size_t i = 0; i < BATCH; i++) {
        sum += batch[i];
    }
    return sum / BATCH;
}

size_t app_warm_up_of(const double *increments, size_t n, bool *refused)
{
    const size_t num_batches = n / BATCH;
    double best = INFINITY;
    size_t cut = 0;
    /* From the last batch to the first, mean and squared distances of all that are left are kept
     * up to date (Welford's way: batches that are alike have no distances at all). */
    double mean = 0;
    double squares = 0;
    for (size_t left = 1; left <= num_batches; left++) {
        const size_t at = (num_batches - left) * BATCH;
        const double x = batch_mean(increments + at);
        const double delta = x - mean;
        mean += delta / (double)left;
        squares += delta * (x - mean);
        const double error = squares / ((double)left * (double)left);
        if (left >= LEAST_LEFT && error <= best * (1 + ROUNDING)) {
            best = fmin(best, error);
            cut = at;
        }
    }
    *refused = cut > n / 2;
    return *refused ? 0 : cut;
}
