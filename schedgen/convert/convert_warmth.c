/* schedgen/convert/convert_warmth.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert_calls. */
/**
 * @file
 * What calls take more because their rank has computed before, and code and data of MPI are in its
 * caches no more. What all calls share is fetched by the first call after a computation, of
 * whatever kind; what is its kind's own, by the first call of that kind.
 */
#include "convert/convert_filler.h"

enum { POINT_TO_POINT, COLLECTIVES };

/* A receive that is posted, and a request that is only made, do too little to count. */
static bool counts(const sched_call *call)
{
    return call->kind != SCHED_CALL_IRECV && call->kind != SCHED_CALL_SEND_INIT &&
           call->kind != SCHED_CALL_RECV_INIT;
}

static size_t kind_of(const sched_call *call)
{
    const bool is_collective =
        call->kind == SCHED_CALL_COLLECTIVE || call->kind == SCHED_CALL_ICOLLECTIVE;
    return is_collective ? (size_t)COLLECTIVES + call->collective : (size_t)POINT_TO_POINT;
}

void sched_convert_warmth_pass(conv_warmth *warmth, sim_time computed)
{
    warmth->computed = conv_add_times(warmth->computed, computed);
}

sim_time sched_convert_warmth_call(conv_warmth *warmth, const sched_call *call,
                                   const sim_cold_cost *cold)
{
    if (cold == NULL || !counts(call)) {
        return 0;
    }
    sim_time *kind = &warmth->kind[kind_of(call)];
    const sim_time more =
        sim_cold_cost_of(cold, warmth->computed - warmth->any, warmth->computed - *kind);
    warmth->any = warmth->computed;
    *kind = warmth->computed;
    return more;
}
