/* collectives/algorithms/binomial_far.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_coll_flow, test_coll_knomial. */
/*
 * Binomial tree over runs of ranks, largest subtree first; docs/collectives.md, section 2.3. On
 * virtual ranks: the parent of v is v without its lowest bit 2^l, the children are
 * v + 2^j for j < l, and the subtree of a child is the run of 2^j ranks (or as many as there
 * are) that begins with it. Position j, counted down from the root outwards, up towards it, is
 * the level of the tree; a rank that has no part in a level leaves its round empty.
 */
#include "algorithms/bytes_private.h"
#include "algorithms/class_private.h"

/* Of the edges of level j, which touches v? The other end is v ± 2^j. */
typedef enum { APART, AS_PARENT, AS_CHILD } part;

static part part_in(uint32_t v, uint32_t j, uint32_t size)
{
    const uint32_t bit = 1U << j;
    if ((v & (bit - 1)) != 0) {
        return APART;
    }
    if ((v & bit) != 0) {
        return AS_CHILD;
    }
    return v < size - bit ? AS_PARENT : APART; /* bit < size: levels end there */
}

/* The blocks of the subtree of virtual rank v that hangs on an edge of level j. */
static int64_t subtree_bytes(const coll_call *call, uint32_t v, uint32_t j)
{
    const uint32_t left = call->size - v;
    const uint32_t n = (1U << j) < left ? 1U << j : left;
    return coll_blocks_bytes(call, coll_rank_actual(call, v), n);
}

/* Towards the root, level by level. */
static bool inward(const coll_call *call, uint32_t j, coll_round *round, bool is_gather)
{
    if (j >= coll_log2_ceil(call->size)) {
        return false;
    }
    const uint32_t v = coll_rank_virtual(call);
    const part mine = part_in(v, j, call->size);
    if (mine == AS_PARENT) {
        const uint32_t child = v + (1U << j);
        const uint32_t from = coll_rank_actual(call, child);
        if (is_gather) {
            coll_round_recv(round, from, subtree_bytes(call, child, j));
        } else {
            coll_round_reduce(round, from, coll_whole_bytes(call));
        }
    } else if (mine == AS_CHILD) {
        coll_round_send(round, coll_rank_actual(call, v - (1U << j)),
                        is_gather ? subtree_bytes(call, v, j) : coll_whole_bytes(call));
    }
    return true;
}

/* Away from the root. */
static bool outward(const coll_call *call, uint32_t position, coll_round *round, bool is_scatter)
{
    const uint32_t levels = coll_log2_ceil(call->size);
    if (position >= levels) {
        return false;
    }
    const uint32_t j = levels - 1 - position;
    const uint32_t v = coll_rank_virtual(call);
    const part mine = part_in(v, j, call->size);
    if (mine == AS_PARENT) {
        const uint32_t child = v + (1U << j);
        coll_round_send(round, coll_rank_actual(call, child),
                        is_scatter ? subtree_bytes(call, child, j) : coll_whole_bytes(call));
    } else if (mine == AS_CHILD) {
        coll_round_recv(round, coll_rank_actual(call, v - (1U << j)),
                        is_scatter ? subtree_bytes(call, v, j) : coll_whole_bytes(call));
    }
    return true;
}

static bool bcast_round(const coll_call *call, uint32_t position, coll_round *round)
{
    return outward(call, position, round, false);
}

static bool scatter_round(const coll_call *call, uint32_t position, coll_round *round)
{
    return outward(call, position, round, true);
}

static bool reduce_round(const coll_call *call, uint32_t position, coll_round *round)
{
    return inward(call, position, round, false);
}

static bool gather_round(const coll_call *call, uint32_t position, coll_round *round)
{
    return inward(call, position, round, true);
}

static const coll_phase BCAST = {
    .round = bcast_round,
    .payload = COLL_CARRIES_ALL,
};

static const coll_phase REDUCE = {
    .round = reduce_round,
    .payload = COLL_CARRIES_ALL,
};

const coll_phase coll_far_gather = {
    .round = gather_round,
    .payload = COLL_CARRIES_MISSING,
};

const coll_phase coll_far_scatter = {
    .round = scatter_round,
    .payload = COLL_CARRIES_SUBTREE,
};

const coll_algorithm_class coll_binomial_far_class = {
    .name = "binomial-far",
    .phases =
        {
            [COLL_BCAST] = {&BCAST},
            [COLL_REDUCE] = {&REDUCE},
            [COLL_GATHER] = {&coll_far_gather},
            [COLL_SCATTER] = {&coll_far_scatter},
        },
};
