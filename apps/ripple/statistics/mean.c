/* apps/ripple/statistics/mean.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "statistics/mean.h"

#include "statistics/bootstrap.h"
#include "statistics/skewness.h"

#include <assert.h>
#include <glib.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort_double.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

enum { BOOTSTRAP_LEAST = 20 };

static const double SKEWED = 1.959964; /* the normal's 97.5 % quantile */

/* From the first value on: values that are all alike have exactly that mean, and no variance. */
static double mean_of(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += values[i] - values[0];
    }
    return values[0] + sum / (double)n;
}

app_mean app_mean_of(const double *values, size_t n, uint64_t seed)
{
    assert(n > 0);
    g_autofree double *sorted = g_memdup2(values, n * sizeof *values);
    gsl_sort(sorted, 1, n);
    app_mean m = {
        .mean = mean_of(values, n),
        .median = gsl_stats_median_from_sorted_data(sorted, 1, n),
        .low = sorted[0],
        .high = sorted[n - 1],
        .half_width = INFINITY,
    };
    if (n < APP_MEAN_LEAST) {
        return m;
    }
    m.level = APP_MEAN_LEVEL;
    m.is_bootstrap = n >= BOOTSTRAP_LEAST && fabs(app_skewness_of(values, n)) > SKEWED;
    if (m.is_bootstrap) {
        app_bootstrap_mean(values, n, m.level, seed, &m.low, &m.high);
        m.half_width = fmax(m.mean - m.low, m.high - m.mean);
    } else {
        m.half_width = gsl_cdf_tdist_Pinv(0.5 + m.level / 2, (double)n - 1) *
                       gsl_stats_sd_m(values, 1, n, m.mean) / sqrt((double)n);
        m.low = m.mean - m.half_width;
        m.high = m.mean + m.half_width;
    }
    return m;
}

size_t app_mean_needed(const app_mean *pilot, size_t n, double half_width)
{
    assert(half_width > 0);
    if (pilot->level == 0) {
        return MAX(n, (size_t)APP_MEAN_LEAST);
    }
    if (pilot->half_width <= half_width) {
        return n;
    }
    /* (t s / half_width)^2, as the pilot's half width is t s / sqrt(n) */
    const double ratio = pilot->half_width / half_width;
    const double needed = ceil((double)n * ratio * ratio);
    return needed < (double)SIZE_MAX ? (size_t)needed : SIZE_MAX;
}

void app_mean_widen(app_mean *m, double half_width)
{
    if (m->level > 0) {
        m->low = fmin(m->low, m->mean - half_width);
        m->high = fmax(m->high, m->mean + half_width);
        m->half_width = fmax(m->half_width, half_width);
    }
}

void app_mean_stretch(app_mean *m, double by)
{
    if (m->level > 0) {
        m->low += fmin(by, 0);
        m->high += fmax(by, 0);
        m->half_width = fmax(m->mean - m->low, m->high - m->mean);
    }
}
