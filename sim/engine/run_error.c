/* sim/engine/run_error.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_run_errors. */
#include "engine/run_private.h"

bool sim_engine_is_earlier_error(const engine_error *a, const engine_error *b)
{
    if (a->at != b->at) {
        return a->at < b->at;
    }
    return a->rank < b->rank || (a->rank == b->rank && a->receive < b->receive);
}

void sim_engine_fail(engine_partition *p, const engine_error *error)
{
    if (p->error.state == ENGINE_SOUND || sim_engine_is_earlier_error(error, &p->error)) {
        p->error = *error;
    }
}

void sim_engine_overflow(engine_partition *p, uint32_t rank, sim_time at)
{
    sim_engine_fail(p, &(engine_error){.state = ENGINE_OVERFLOW, .at = at, .rank = rank});
}
