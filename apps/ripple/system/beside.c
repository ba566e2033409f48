/* apps/ripple/system/beside.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_beside. */
#include "system/beside.h"

#include <glib.h>

/* Of the time of a thread that shares a run, what is not spent waiting for the others:
 * bench/README.md, "Runs beside each other". */
static const double SHARED = 0.85;

/* Each run goes to the first thread that is free. @return when the last one ends */
static double end_of(const double *work, size_t n, unsigned at_once)
{
    g_autofree double *busy_until = g_new0(double, at_once);
    double end = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned first = 0;
        for (unsigned k = 1; k < at_once; k++) {
            first = busy_until[k] < busy_until[first] ? k : first;
        }
        busy_until[first] += work[i];
        end = MAX(end, busy_until[first]);
    }
    return end;
}

size_t app_beside_before(const double *work, size_t n, unsigned at_once, unsigned threads)
{
    size_t best = 0;
    double shortest = end_of(work, n, at_once);
    for (size_t k = 1; k < at_once && k < n; k++) {
        const size_t each = threads / k;
        const double speed = each > 1 ? SHARED * (double)each : 1;
        const double end = end_of(work, k, (unsigned)k) / speed + end_of(work + k, n - k, at_once);
        if (end < shortest) {
            shortest = end;
            best = k;
        }
    }
    return best;
}
