/* collectives/algorithms/binomial.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_flow, test_coll_cost. */
/*
 * Binomial tree, nearest child first; docs/collectives.md, section 2.2. On virtual ranks:
 * the parent of v is v without its highest bit, the children are v + 2^j for all 2^j > v. A
 * broadcast serves them in ascending order; a reduction is its mirror image in time.
 */
#include "algorithms/bytes_private.h"
#include "algorithms/class_private.h"

/* The children of v are v + 2^j for lowest(v) <= j < end. */
static uint32_t lowest_child(uint32_t v)
{
    return v == 0 ? 0 : coll_log2_floor(v) + 1;
}

static uint32_t end_of_children(uint32_t v, uint32_t size)
{
    const uint32_t end = v + 1 < size ? coll_log2_floor(size - 1 - v) + 1 : 0;
    return end > lowest_child(v) ? end : lowest_child(v);
}

static uint32_t parent(uint32_t v)
{
    return v - (1U << coll_log2_floor(v));
}

static bool bcast_round(const coll_call *call, uint32_t position, coll_round *round)
{
    const uint32_t v = coll_rank_virtual(call);
    if (position == 0) {
        if (v != 0) {
            coll_round_recv(round, coll_rank_actual(call, parent(v)), coll_whole_bytes(call));
        }
        return true;
    }
    const uint32_t j = lowest_child(v) + position - 1;
    if (j >= end_of_children(v, call->size)) {
        return false;
    }
    coll_round_send(round, coll_rank_actual(call, v + (1U << j)), coll_whole_bytes(call));
    return true;
}

static bool reduce_round(const coll_call *call, uint32_t position, coll_round *round)
{
    const uint32_t v = coll_rank_virtual(call);
    const uint32_t end = end_of_children(v, call->size);
    const uint32_t num_children = end - lowest_child(v);
    if (position < num_children) {
        const uint32_t child = v + (1U << (end - 1 - position));
        coll_round_reduce(round, coll_rank_actual(call, child), coll_whole_bytes(call));
        return true;
    }
    if (position > num_children || v == 0) {
        return false;
    }
    coll_round_send(round, coll_rank_actual(call, parent(v)), coll_whole_bytes(call));
    return true;
}

const coll_phase coll_binomial_bcast = {
    .round = bcast_round,
    .payload = COLL_CARRIES_ALL,
};

const coll_phase coll_binomial_reduce = {
    .round = reduce_round,
    .payload = COLL_CARRIES_ALL,
};

const coll_algorithm_class coll_binomial_class = {
    .name = "binomial",
    .phases =
        {
            [COLL_BCAST] = {&coll_binomial_bcast},
            [COLL_REDUCE] = {&coll_binomial_reduce},
        },
};
