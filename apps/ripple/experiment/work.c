/* apps/ripple/experiment/work.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_workload. */
#include "experiment/work.h"

#include <math.h>

enum { IN_CACHES = 4096 }; /* ranks whose data are */

/*
 * bench/README.md, "Estimates": of the time of an operation where there are four times as many
 * ranks; of a recorded run; and of up to eight replicas in lanes, for an operation and for a rank.
 */
static const double GROWTH = 1.05, RECORDED = 2.5, LANES_OP = 0.06, LANES_RANK = 1.2;

double app_work_of_run(uint32_t ranks, uint64_t num_ops, bool recorded)
{
    const double growth = ranks > IN_CACHES ? pow(GROWTH, log2((double)ranks / IN_CACHES) / 2) : 1;
    return (double)num_ops * growth * (recorded ? RECORDED : 1);
}

double app_work_of_lanes(uint32_t ranks, uint64_t num_ops)
{
    return LANES_OP * (double)num_ops + LANES_RANK * (double)ranks;
}

void app_work_add(app_work *sum, const app_work *work)
{
    sum->runs += work->runs;
    sum->engine += work->engine;
    sum->lanes += work->lanes;
}

double app_work_total(const app_work *work)
{
    return work->engine + work->lanes;
}
