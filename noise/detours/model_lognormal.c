/* noise/detours/model_lognormal.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * lognormal:MEAN:MEDIAN:SIGMA — exponential gaps of mean MEAN; ln(length / MEDIAN) is normal with
 * standard deviation SIGMA: many short detours, and a tail lighter than Pareto's.
 */
#include "detours/model_arrivals.h"
#include "noise/random.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

enum { MEAN, MEDIAN, SIGMA };

static double share(const noise_model *m)
{
    const double sigma = m->value[SIGMA].number;
    return (double)m->value[MEDIAN].time * exp(sigma * sigma / 2) / (double)m->interval;
}

static sim_time length(const noise_model *m, uint64_t seed, uint64_t counter, sim_time longest)
{
    const double u = noise_random_unit(seed, m->stream, counter);
    const double zeta = log((double)m->value[MEDIAN].time);
    return noise_arrivals_length(gsl_cdf_lognormal_Pinv(u, zeta, m->value[SIGMA].number), longest);
}

const noise_model_class noise_model_lognormal = {
    .name = "lognormal",
    /* At a SIGMA of 10 the mean is 10^21 times the median already. */
    .parameters = {[MEAN] = {"MEAN", NOISE_PARAMETER_INTERVAL, 0, 0},
                   [MEDIAN] = {"MEDIAN", NOISE_PARAMETER_LENGTH, 0, 0},
                   [SIGMA] = {"SIGMA", NOISE_PARAMETER_NUMBER, 0, 10}},
    .is_drawn = true,
    .share = share,
    .place = noise_arrivals_at_random,
    .length = length,
};
