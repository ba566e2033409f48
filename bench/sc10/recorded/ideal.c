/* bench/sc10/recorded/ideal.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_app_ideal. */
#include "ideal.h"

#include <assert.h>
#include <math.h>

/* ceil(log2 ranks) */
static double rounds_of(uint32_t ranks)
{
    int rounds = 0;
    while (UINT64_C(1) << rounds < ranks) {
        rounds++;
    }
    return rounds;
}

sc10_ideal sc10_ideal_extrapolate(const uint32_t ranks[SC10_IDEAL_SIZES],
                                  const double seconds[SC10_IDEAL_SIZES], uint32_t wanted)
{
    double rounds[SC10_IDEAL_SIZES];
    for (int i = 0; i < SC10_IDEAL_SIZES; i++) {
        rounds[i] = rounds_of(ranks[i]);
        assert(i == 0 || rounds[i] > rounds[i - 1]);
    }
    const double x = rounds_of(wanted);
    assert(x >= rounds[2]);
    const double first = (seconds[1] - seconds[0]) / (rounds[1] - rounds[0]); /* s per round */
    const double last = (seconds[2] - seconds[1]) / (rounds[2] - rounds[1]);
    const double bent = (last - first) / (rounds[2] - rounds[0]); /* Newton's form */
    return (sc10_ideal){.seconds = seconds[2] + last * (x - rounds[2]),
                        .off = fabs(bent * (x - rounds[1]) * (x - rounds[2]))};
}
