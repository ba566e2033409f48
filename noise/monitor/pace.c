/* noise/monitor/pace.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "monitor/pace.h"

/* Not more often than this, however cheap; and often enough to be of use, however dear: then the
 * budget is exceeded, which the report shows. */
static const double SHORTEST = 200e3;
static const double LONGEST = 1e9;
static const double FIRST_COST = 200e3;
/* Weight of the newest sweep in what a sweep costs, and how fast a debt is made up for. */
static const double NEW = 0.05;
static const double PAYMENT = 0.05;
/* What was saved is not spent later: a watch that was idle shall not burst. */
static const double MOST_CREDIT = 5e6;

void noise_pace_init(noise_pace *p, noise_nit_mode mode, double asked)
{
    *p = (noise_pace){.mode = mode, .budget = asked, .cost_ns = FIRST_COST};
    if (mode == NOISE_NIT_RATE) {
        p->interval_ns = (uint64_t)(1e9 / asked);
    } else if (mode == NOISE_NIT_BUDGET) {
        noise_pace_step(p, 0, 0);
    }
}

void noise_pace_step(noise_pace *p, uint64_t spent_ns, uint64_t elapsed_ns)
{
    if (p->mode != NOISE_NIT_BUDGET) {
        return;
    }
    const double spent = (double)(spent_ns - p->spent_ns);
    const double elapsed = (double)(elapsed_ns - p->elapsed_ns);
    p->spent_ns = spent_ns;
    p->elapsed_ns = elapsed_ns;
    if (elapsed > 0) {
        p->cost_ns += NEW * (spent - p->cost_ns);
        p->debt_ns += spent - p->budget * elapsed;
        p->debt_ns = p->debt_ns > -MOST_CREDIT ? p->debt_ns : -MOST_CREDIT;
    }
    const double owed = p->cost_ns + (p->debt_ns > 0 ? PAYMENT * p->debt_ns : 0);
    double interval = owed / p->budget;
    interval = interval < SHORTEST ? SHORTEST : interval;
    p->interval_ns = (uint64_t)(interval > LONGEST ? LONGEST : interval);
}
