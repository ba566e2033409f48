/* bench/paper/verdict.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "verdict.h"

#include <assert.h>
#include <math.h>

const char *const SC10_VERDICTS[SC10_NUM_VERDICTS] = {"inside", "compatible", "outside"};

sc10_verdict sc10_verdict_of(sc10_estimate ours, double low, double high)
{
    assert(low <= high);
    if (!isfinite(ours.value)) {
        return SC10_OUTSIDE;
    }
    if (ours.low >= low && ours.high <= high) {
        return SC10_INSIDE;
    }
    return ours.high >= low && ours.low <= high ? SC10_COMPATIBLE : SC10_OUTSIDE;
}
