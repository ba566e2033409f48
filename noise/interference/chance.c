/* noise/interference/chance.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses GSL: not in the tracer. Tests: test_scorer_verdict. */
#include "noise/interference.h"

#include <gsl/gsl_cdf.h>
#include <limits.h>
#include <math.h>

/* Upper end of the 95 % interval of exceeded / count: Clopper and Pearson, Biometrika 26, 1934. */
static double upper_rate(uint64_t exceeded, uint64_t count)
{
    return exceeded < count
               ? gsl_cdf_beta_Pinv(0.975, (double)exceeded + 1, (double)(count - exceeded))
               : 1;
}

double noise_interference_p_value(const noise_interference_row *row, double rate, uint64_t judged,
                                  uint64_t exceeded)
{
    if (exceeded == 0 || judged > UINT_MAX) {
        return 1;
    }
    const double q = row->count > 0 ? upper_rate(row->exceeded, row->count) : rate;
    return gsl_cdf_binomial_Q((unsigned)exceeded - 1, q, (unsigned)judged);
}

uint32_t noise_interference_k_of_rate(noise_interference_reference reference, uint64_t others,
                                      double rate)
{
    const double n = (double)others;
    double k = 0;
    if (!(rate > 0 && rate < 0.5) || others < 3) {
        return 0;
    }
    switch (reference) {
    case NOISE_REFERENCE_PAPER: { /* a deviation that the sample is itself part of */
        const double t = gsl_cdf_tdist_Qinv(rate, n - 2);
        k = t * sqrt(n - 1) / sqrt(n - 2 + t * t);
        break;
    }
    case NOISE_REFERENCE_LOO:
    case NOISE_REFERENCE_CLEAN: /* of one more sample; the deviation divides by n */
        k = gsl_cdf_tdist_Qinv(rate, n - 1) * sqrt((n + 1) / (n - 1));
        break;
    case NOISE_REFERENCE_MAD:
        k = gsl_cdf_ugaussian_Qinv(rate);
        break;
    }
    const double thousandths = ceil(k * NOISE_INTERFERENCE_K_ONE);
    return thousandths < NOISE_INTERFERENCE_K_MOST ? (uint32_t)thousandths
                                                   : NOISE_INTERFERENCE_K_MOST;
}
