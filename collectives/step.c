/* collectives/step.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "coll/step.h"

#include "algorithms/bytes_private.h"
#include "step_private.h"

#include <assert.h>

coll_call coll_call_normal(const coll_call *call)
{
    coll_call normal = *call;
    normal.root = coll_kind_is_rooted(call->kind) ? call->root : 0;
    return normal;
}

bool coll_call_is_empty(const coll_call *call)
{
    switch (call->kind) {
    case COLL_BARRIER: /* the messages are the purpose */
    case COLL_GATHERV:
    case COLL_SCATTERV: /* only the root knows */
    case COLL_ALLTOALLV:
    case COLL_ALLTOALLW: /* only of the own data */
        return call->size == 1;
    case COLL_ALLGATHERV:
    case COLL_REDUCE_SCATTER: {
        const uint32_t period = call->num_counts < call->size ? call->num_counts : call->size;
        return call->size == 1 ||
               coll_blocks_bytes(call, 0, call->recv_counts != NULL ? period : 1) == 0;
    }
    default:
        return call->size == 1 || call->bytes == 0;
    }
}

bool coll_round_find(const coll_call *call, coll_algorithm algorithm, uint32_t *phase,
                     uint32_t *position, coll_round *round)
{
    coll_round_fn *const *phases = coll_plan(algorithm, call->kind);
    while (phases[*phase] != NULL) {
        *round = (coll_round){.to = COLL_NOBODY, .from = COLL_NOBODY};
        if (!phases[*phase](call, *position, round)) {
            (*phase)++;
            *position = 0;
        } else if (round->to != COLL_NOBODY || round->from != COLL_NOBODY) {
            return true;
        } else {
            (*position)++;
        }
    }
    return false;
}

bool coll_round_step(const coll_call *call, const coll_round *round, uint32_t *sub, coll_step *step)
{
    const bool sends = round->to != COLL_NOBODY;
    if (*sub == 0 && !sends) {
        *sub = 1;
    }
    if (*sub == 1 && round->from == COLL_NOBODY) {
        *sub = 3;
    }
    if (*sub == 0) {
        *step = (coll_step){.size = round->send, .peer = round->to, .type = SIM_OP_SEND};
    } else if (*sub == 1) {
        *step = (coll_step){
            .size = round->recv, .peer = round->from, .type = SIM_OP_RECV, .with_previous = sends};
    } else if (*sub == 2) {
        const sim_time work = sim_rate_times(call->reduce, round->combine);
        *step = (coll_step){.size = work, .type = SIM_OP_CALC};
        *sub = work > 0 ? 2 : 3;
    }
    return (*sub)++ < 3;
}

void coll_cursor_begin(coll_cursor *cursor, const coll_call *call, coll_algorithm algorithm)
{
    assert(call->rank < call->size && call->bytes >= 0);
    *cursor = (coll_cursor){
        .call = coll_call_normal(call),
        .algorithm = call->size == 1 ? COLL_ALG_NONE : algorithm,
    };
    assert(cursor->call.root < call->size);
}

bool coll_cursor_next(coll_cursor *cursor, coll_step *step)
{
    coll_round round;
    if (!coll_round_find(&cursor->call, cursor->algorithm, &cursor->phase, &cursor->position,
                         &round)) {
        return false;
    }
    coll_round_step(&cursor->call, &round, &cursor->sub,
                    step); /* no round that is found is empty */
    uint32_t after = cursor->sub;
    coll_step next;
    if (!coll_round_step(&cursor->call, &round, &after, &next)) {
        cursor->position++; /* now, or the round would be computed again in vain */
        cursor->sub = 0;
    }
    return true;
}
