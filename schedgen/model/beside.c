/* schedgen/model/beside.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_convert_calls, test_pattern_parse. */
#include "model/beside_private.h"

/* Those with a list of counts are other code in MPI, and have not been measured. */
static const sim_call COSTS[COLL_NUM_KINDS] = {
    [COLL_BARRIER] = SIM_CALL_BARRIER,
    [COLL_BCAST] = SIM_CALL_BCAST,
    [COLL_REDUCE] = SIM_CALL_REDUCE,
    [COLL_ALLREDUCE] = SIM_CALL_ALLREDUCE,
    [COLL_GATHER] = SIM_CALL_GATHER,
    [COLL_GATHERV] = SIM_NUM_CALLS,
    [COLL_SCATTER] = SIM_CALL_SCATTER,
    [COLL_SCATTERV] = SIM_NUM_CALLS,
    [COLL_ALLGATHER] = SIM_CALL_ALLGATHER,
    [COLL_ALLGATHERV] = SIM_NUM_CALLS,
    [COLL_ALLTOALL] = SIM_CALL_ALLTOALL,
    [COLL_ALLTOALLV] = SIM_NUM_CALLS,
    [COLL_ALLTOALLW] = SIM_NUM_CALLS,
    [COLL_REDUCE_SCATTER] = SIM_NUM_CALLS,
    [COLL_REDUCE_SCATTER_BLOCK] = SIM_NUM_CALLS,
    [COLL_SCAN] = SIM_NUM_CALLS,
    [COLL_EXSCAN] = SIM_NUM_CALLS,
};

sim_time sched_beside_of(const sim_call_cost *calls, const coll_call *call)
{
    const sim_call which = COSTS[call->kind];
    const int64_t bytes = coll_kind_table[call->kind].is_empty ? 0 : call->bytes;
    const bool is_idle = call->size == 1 || (bytes == 0 && !coll_kind_table[call->kind].is_empty);
    if (calls == NULL || which == SIM_NUM_CALLS || is_idle) {
        return 0;
    }
    return sim_call_cost_of(&calls[which], bytes);
}
