/* bench/sc10/bootstrap.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "bootstrap.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

enum { RESAMPLES = 1000 };

sc10_estimate sc10_bootstrap(const sc10_times *const *samples, size_t n, size_t draw,
                             sc10_statistic *statistic)
{
    g_autofree sc10_times *drawn = g_new(sc10_times, n);
    g_autofree const sc10_times **pointers = g_new(const sc10_times *, n);
    for (size_t k = 0; k < n; k++) {
        drawn[k] = *samples[k];
        drawn[k].n = draw == SC10_ALL ? samples[k]->n : draw;
        drawn[k].replica = drawn[k].sorted = g_new(double, drawn[k].n);
        pointers[k] = &drawn[k];
    }
    double values[RESAMPLES];
    gsl_rng *random =
        gsl_rng_alloc(gsl_rng_mt19937); /* with its default seed: the same each time */
    for (size_t i = 0; i < RESAMPLES; i++) {
        for (size_t k = 0; k < n; k++) {
            gsl_ran_sample(random, drawn[k].sorted, drawn[k].n, samples[k]->sorted, samples[k]->n,
                           sizeof(double));
            gsl_sort(drawn[k].sorted, 1, drawn[k].n);
        }
        values[i] = statistic(pointers, n);
    }
    gsl_rng_free(random);
    for (size_t k = 0; k < n; k++) {
        g_free(drawn[k].sorted);
    }
    gsl_sort(values, 1, RESAMPLES);
    return (sc10_estimate){
        .value = statistic(samples, n),
        .low = gsl_stats_quantile_from_sorted_data(values, 1, RESAMPLES, 0.025),
        .high = gsl_stats_quantile_from_sorted_data(values, 1, RESAMPLES, 0.975),
    };
}
