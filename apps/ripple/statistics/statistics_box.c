/* apps/ripple/statistics/statistics_box.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistics/statistics_box.h"

#include <assert.h>
#include <gsl/gsl_sort_double.h>

static double in_ns(sim_time t)
{
    return (double)t / (double)SIM_NS;
}

app_box_sample app_statistics_box(const app_statistics *times, const sim_time *values, size_t n,
                                  GPtrArray *kept)
{
    double *outliers = g_new(double, times->outliers);
    size_t num_outliers = 0;
    g_ptr_array_add(kept, outliers);
    for (size_t i = 0; i < n; i++) {
        if (values[i] < times->whisker_low || values[i] > times->whisker_high) {
            assert(num_outliers < times->outliers);
            outliers[num_outliers++] = in_ns(values[i]);
        }
    }
    gsl_sort(outliers, 1, num_outliers);
    return (app_box_sample){
        .num_values = n,
        .whisker_low = in_ns(times->whisker_low),
        .quartile1 = in_ns(times->quartile1),
        .median = in_ns(times->median),
        .quartile3 = in_ns(times->quartile3),
        .whisker_high = in_ns(times->whisker_high),
        .outliers = outliers,
        .num_outliers = num_outliers,
    };
}
