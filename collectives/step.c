/* collectives/step.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_program, test_coll_profile. */
#include "step_private.h"

#include "algorithms/bytes_private.h"

const coll_phase *const *coll_phases(coll_algorithm algorithm, coll_kind kind)
{
    static const coll_phase *const no_steps[] = {NULL};
    return algorithm.how == NULL ? no_steps : algorithm.how->phases[kind];
}

coll_call coll_call_normal(const coll_call *call, coll_algorithm algorithm)
{
    coll_call normal = *call;
    normal.root = coll_kind_is_rooted(call->kind) ? call->root : 0;
    normal.parameter = algorithm.parameter;
    return normal;
}

bool coll_call_is_empty(const coll_call *call)
{
    if (call->size == 1) {
        return true;
    }
    if (coll_kind_bytes_agree(call->kind)) {
        return call->bytes == 0;
    }
    if (coll_kind_counts_agree(call->kind)) {
        const uint32_t period = call->num_counts < call->size ? call->num_counts : call->size;
        return coll_blocks_bytes(call, 0, call->recv_counts != NULL ? period : 1) == 0;
    }
    return false; /* barrier: the messages are the purpose; else a rank knows of its own data only
                   */
}

bool coll_round_find(const coll_call *call, const coll_phase *const *phases, uint32_t *phase,
                     uint32_t *position, coll_round *round)
{
    while (phases[*phase] != NULL) {
        *round = (coll_round){.to = COLL_NOBODY, .from = COLL_NOBODY};
        if (!phases[*phase]->round(call, *position, round)) {
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
