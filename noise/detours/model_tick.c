/* noise/detours/model_tick.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_signature. */
/**
 * @file
 * tick:PERIOD:MIN:MAX — a detour every PERIOD, its length uniform in MIN..MAX.
 */
#include "detours/model_arrivals.h"
#include "noise/random.h"

enum { PERIOD, LOW, HIGH };

static const char *refuse(const noise_model *m)
{
    return m->value[HIGH].time < m->value[LOW].time ? "MAX is less than MIN:" : NULL;
}

static double share(const noise_model *m)
{
    return ((double)m->value[LOW].time + (double)m->value[HIGH].time) / 2 / (double)m->interval;
}

static sim_time length(const noise_model *m, uint64_t seed, uint64_t counter, sim_time longest)
{
    (void)longest;
    const uint64_t spread = (uint64_t)(m->value[HIGH].time - m->value[LOW].time) + 1;
    return m->value[LOW].time + (sim_time)noise_random_below(seed, m->stream, counter, spread);
}

const noise_model_class noise_model_tick = {
    .name = "tick",
    .parameters = {[PERIOD] = {"PERIOD", NOISE_PARAMETER_INTERVAL, 0, 0},
                   [LOW] = {"MIN", NOISE_PARAMETER_LENGTH, 0, 0},
                   [HIGH] = {"MAX", NOISE_PARAMETER_LENGTH, 0, 0}},
    .is_periodic = true,
    .is_drawn = true,
    .refuse = refuse,
    .share = share,
    .place = noise_arrivals_every,
    .length = length,
};
