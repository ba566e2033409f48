/* noise/analysis/bottleneck.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_detour_statistics. */
#include "noise/detour_statistics.h"

#include <assert.h>
#include <math.h>

double noise_bottleneck_ranks(double interval, double length, double lasts)
{
    assert(interval > 0 && length + lasts > 0);
    return fmax(G_LN2 * interval / (length + lasts), 1);
}
