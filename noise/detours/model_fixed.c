/* noise/detours/model_fixed.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_signature. */
/**
 * @file
 * fixed:PERIOD:LENGTH — a detour of LENGTH every PERIOD.
 */
#include "detours/model_arrivals.h"

enum { PERIOD, LENGTH };

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

const noise_model_class noise_model_fixed = {
    .name = "fixed",
    .parameters = {[PERIOD] = {"PERIOD", NOISE_PARAMETER_INTERVAL, 0, 0},
                   [LENGTH] = {"LENGTH", NOISE_PARAMETER_LENGTH, 0, 0}},
    .is_periodic = true,
    .share = share,
    .place = noise_arrivals_every,
    .length = length,
};
