/* noise/detours/model_poisson.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_signature. */
/**
 * @file
 * poisson:MEAN:LENGTH — detours of LENGTH, with exponential gaps of mean MEAN between their starts.
 */
#include "detours/model_arrivals.h"

enum { MEAN, LENGTH };

static double share(const noise_model *m)
{
    return (double)m->value[LENGTH].time / (double)m->interval;
}

static sim_time length(const noise_model *m, uint64_t seed, uint64_t counter, sim_time longest)
{
    (void)seed;
    (void)counter;
    (void)longest;
    return m->value[LENGTH].time;
}

const noise_model_class noise_model_poisson = {
    .name = "poisson",
    .parameters = {[MEAN] = {"MEAN", NOISE_PARAMETER_INTERVAL, 0, 0},
                   [LENGTH] = {"LENGTH", NOISE_PARAMETER_LENGTH, 0, 0}},
    .is_drawn = true,
    .share = share,
    .place = noise_arrivals_at_random,
    .length = length,
};
