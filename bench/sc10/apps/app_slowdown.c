/* bench/sc10/apps/app_slowdown.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_app_lab. */
#include "app_slowdown.h"

#include "output/number_text.h"
#include "statistics/mean.h"

sc10_estimate sc10_app_slowdown(const sc10_app_times *times, uint64_t seed)
{
    g_autofree double *values = g_new(double, times->n);
    for (size_t i = 0; i < times->n; i++) {
        values[i] = 100 * (times->time[i] / times->ideal - 1);
    }
    const app_mean mean = app_mean_of(values, times->n, seed);
    return (sc10_estimate){mean.mean, mean.low, mean.high};
}

char *sc10_app_runs_text(const sc10_app_times *times)
{
    return times->n >= APP_MEAN_LEAST ? g_strdup_printf("mean of %zu runs", times->n)
           : times->n > 1             ? g_strdup_printf("mean and range of %zu runs", times->n)
                                      : g_strdup("1 run");
}

void sc10_app_check(sc10_table *table, const char *id, const char *label, const char *paper,
                    const sc10_app_times *times, uint64_t seed, bool is_whole, double low,
                    double high)
{
    const sc10_estimate ours = sc10_app_slowdown(times, seed);
    g_autofree char *ranks = app_format_number(times->ranks);
    g_autofree char *runs = sc10_app_runs_text(times);
    g_autofree char *what = g_strdup_printf("%s: slowdown at %s ranks (%s)", label, ranks, runs);
    if (is_whole) {
        sc10_check_estimate(table, id, what, paper, ours, low, high, "%");
    } else if (times->n == 1) { /* which tells no interval */
        sc10_note(table, id, what, paper, "%.4g %%", ours.value);
    } else {
        sc10_note(table, id, what, paper, "%.4g %% (%.4g .. %.4g)", ours.value, ours.low,
                  ours.high);
    }
}
