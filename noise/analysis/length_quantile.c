/* noise/analysis/length_quantile.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_detour_statistics. */
#include "noise/detour_statistics.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* The largest k, 0..n, with P(B < k) <= rest, B ~ Binomial(n, q): so few values are below the true
 * quantile with that probability at most. Bisection. */
static size_t rank_below(size_t n, double q, double rest)
{
    size_t low = 0;
    size_t high = n;
    while (low < high) {
        const size_t mid = low + (high - low + 1) / 2;
        if (gsl_cdf_binomial_P((unsigned)(mid - 1), q, (unsigned)n) <= rest) {
            low = mid;
        } else {
            high = mid - 1;
        }
    }
    return low;
}

noise_quantile noise_quantile_of(const sim_time *sorted, size_t n, double q, double level)
{
    assert(n > 0 && n <= UINT_MAX && q > 0 && q < 1);
    const double rest = (1 - level) / 2;
    /* The k-th value from below is under the quantile unless fewer than k are; by symmetry the k-th
     * from above. Where there is no such value, the end stands, and the level is less. */
    const size_t below = MAX(rank_below(n, q, rest), 1);
    const size_t above = MAX(rank_below(n, 1 - q, rest), 1);
    const double miss_low = gsl_cdf_binomial_P((unsigned)(below - 1), q, (unsigned)n);
    const double miss_high = gsl_cdf_binomial_P((unsigned)(above - 1), 1 - q, (unsigned)n);
    const double at = ceil(q * (double)n - 1e-9 * q * (double)n);
    return (noise_quantile){
        .q = q,
        .value = sorted[MIN((size_t)fmax(at, 1), n) - 1],
        .low = sorted[below - 1],
        .high = sorted[n - above],
        .level = fmax(1 - miss_low - miss_high, 0),
    };
}
