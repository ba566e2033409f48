/* noise/detours/model_pareto.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_signature. */
/**
 * @file
 * pareto:MEAN:MIN:ALPHA — exponential gaps of mean MEAN; P(length > x) = (MIN / x)^ALPHA.
 */
#include "detours/model_arrivals.h"
#include "noise/random.h"

#include <math.h>

enum { MEAN, LOW, ALPHA };

static double share(const noise_model *m)
{
    const double alpha = m->value[ALPHA].number;
    return (double)m->value[LOW].time * alpha / (alpha - 1) / (double)m->interval;
}

static sim_time length(const noise_model *m, uint64_t seed, uint64_t counter, sim_time longest)
{
    const double u = noise_random_unit(seed, m->stream, counter);
    const double drawn = (double)m->value[LOW].time * pow(u, -1 / m->value[ALPHA].number);
    return noise_arrivals_length(drawn, longest);
}

const noise_model_class noise_model_pareto = {
    .name = "pareto",
    /* At 1 and below the mean length is infinite: nothing would be left for work. */
    .parameters = {[MEAN] = {"MEAN", NOISE_PARAMETER_INTERVAL, 0, 0},
                   [LOW] = {"MIN", NOISE_PARAMETER_LENGTH, 0, 0},
                   [ALPHA] = {"ALPHA", NOISE_PARAMETER_NUMBER, 1, 1000}},
    .is_drawn = true,
    .share = share,
    .place = noise_arrivals_at_random,
    .length = length,
};
