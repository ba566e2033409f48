/* apps/ripple/steady/steady_budget.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_steady. */
#include "steady/steady_budget.h"

#include "steady/steady_breakdown.h"

#include <math.h>

double app_steady_least(const app_steady_size *size, const app_steady_pace *pace)
{
    return app_steady_seconds(size, pace, 1, APP_STEADY_FEWEST + 2) +
           app_steady_breakdown_seconds(size, pace);
}

/* What it takes about, if there is time enough. */
static double wanted(const app_steady_size *size, const app_steady_pace *pace)
{
    return app_steady_planned_work(size, pace, HUGE_VAL) * pace->seconds +
           app_steady_breakdown_seconds(size, pace);
}

/* What it takes however little time it is given. */
static double barest(const app_steady_size *size, const app_steady_pace *pace)
{
    const app_experiment *x = size->experiment;
    return app_steady_seconds(size, pace, 1, x->noise->cosched ? 3 : 2) +
           (x->explain ? 0 : app_steady_breakdown_seconds(size, pace));
}

bool app_steady_has_room(double budget, double left, const app_steady_size *size,
                         const app_steady_pace *pace)
{
    return barest(size, pace) <= left + APP_STEADY_OVER * budget;
}

double app_steady_floor(double budget, double left, const app_steady_size *size,
                        const app_steady_pace *pace)
{
    const double over = APP_STEADY_OVER * budget;
    return MIN(app_steady_least(size, pace), MIN(over, left + over));
}

double app_steady_part(double budget, double left, const app_steady_size *sizes, size_t n,
                       const app_steady_pace *pace)
{
    double rest = left;
    double all = 0;
    double own = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && !app_steady_has_room(budget, rest, &sizes[i], pace)) {
            continue;
        }
        rest -= barest(&sizes[i], pace);
        const double need = MAX(wanted(&sizes[i], pace), app_steady_least(&sizes[i], pace));
        own = i == 0 ? need : own;
        all += need;
    }
    return all > 0 ? MAX(left, 0) * own / all : MAX(left, 0);
}
