/* apps/ripple/system/beside.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_beside. */
#include "system/beside.h"

#include <glib.h>
#include <math.h>

static const double DOUBLED = 1.7; /* speed of a run on twice as many threads */

/* @p threads for all of @p at_once; each run goes to the first of them that is free. @return when
 * the last one ends */
static double end_of(const double *work, size_t n, unsigned at_once, unsigned threads)
{
    const double speed = pow(DOUBLED, log2(MAX(threads / at_once, 1U)));
    g_autofree double *busy_until = g_new0(double, at_once);
    double end = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned first = 0;
        for (unsigned k = 1; k < at_once; k++) {
            first = busy_until[k] < busy_until[first] ? k : first;
        }
        busy_until[first] += work[i] / speed;
        end = MAX(end, busy_until[first]);
    }
    return end;
}

static double end_of_plan(const double *work, size_t n, app_beside plan, unsigned threads)
{
    const double first =
        plan.before > 0 ? end_of(work, plan.before, (unsigned)plan.before, threads) : 0;
    return first + end_of(work + plan.before, n - plan.before, plan.at_once, threads);
}

app_beside app_beside_plan(const double *work, size_t n, unsigned most, unsigned threads)
{
    app_beside best = {0, most};
    double soonest = end_of_plan(work, n, best, threads);
    for (unsigned each = 1; each <= threads; each *= 2) {
        const unsigned at_once = MIN(most, threads / each);
        const app_beside plans[] = {{0, at_once}, {n % at_once, at_once}};
        for (size_t i = 0; i < G_N_ELEMENTS(plans); i++) {
            const double end = end_of_plan(work, n, plans[i], threads);
            if (end < soonest) {
                soonest = end;
                best = plans[i];
            }
        }
    }
    return best;
}
