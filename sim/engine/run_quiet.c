/* sim/engine/run_quiet.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_quiet. */
#include "engine/run_private.h"

/*
 * Most that a rank does lies between the same two detours, and looking these up means cache lines
 * that nothing has fetched ahead; what is kept lies in the rank's own. It is kept in whole units
 * that lie within the quiet time, so that no work is ever taken to be undisturbed that is not.
 */
sim_time sim_engine_work_asked(const engine *e, uint32_t rank, sim_time start, sim_time work)
{
    sim_quiet quiet = {0, 0};
    const sim_time finish = e->noise->finish_quiet(e->noise, rank, start, work, &quiet);
    const sim_time from = (quiet.from >> ENGINE_QUIET_UNIT) + 1;
    const sim_time until = MIN(quiet.until >> ENGINE_QUIET_UNIT, UINT32_MAX);
    if (from < until) {
        *engine_quiet_of(e, rank) = (engine_quiet){(uint32_t)from, (uint32_t)until};
    }
    return finish;
}
