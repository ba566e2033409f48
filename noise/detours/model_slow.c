/* noise/detours/model_slow.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_place, test_place_cores. */
/**
 * @file
 * slow:PERCENT[:PERIOD:LENGTH] — a core that gives so much less of its time, always or for LENGTH
 * of every PERIOD. It has no detours.
 */
#include "detours/model.h"

#include <math.h>

enum { PERCENT, PERIOD, LENGTH };

static const char *refuse(const noise_model *m)
{
    return m->interval > 0 && m->value[LENGTH].time >= m->interval ? "LENGTH is not below PERIOD:"
                                                                   : NULL;
}

static noise_model_rate rate(const noise_model *m)
{
    const double lost = m->value[PERCENT].number / 100 * NOISE_RATE_WHOLE;
    return (noise_model_rate){.gives = NOISE_RATE_WHOLE - (uint32_t)MAX(llround(lost), 1),
                              .period = m->interval,
                              .length = m->value[LENGTH].time};
}

static double share(const noise_model *m)
{
    const double part = m->interval > 0 ? (double)m->value[LENGTH].time / (double)m->interval : 1;
    return m->value[PERCENT].number / 100 * part;
}

const noise_model_class noise_model_slow = {
    .name = "slow",
    .parameters = {[PERCENT] = {"PERCENT", NOISE_PARAMETER_PERCENT, 0, 99},
                   [PERIOD] = {"PERIOD", NOISE_PARAMETER_INTERVAL, 0, 0},
                   [LENGTH] = {"LENGTH", NOISE_PARAMETER_LENGTH, 0, 0}},
    .num_optional = 2,
    .refuse = refuse,
    .share = share,
    .rate = rate,
};
