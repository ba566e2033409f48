/* collectives/algorithms/knomial.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * k-nomial tree: a binomial tree with a radix q instead of 2, docs/collectives.md, section 2.12. On
 * virtual ranks, written in base q: the parent of v is v with its lowest digit that is not 0
 * cleared; the children are v + d·q^j for 0 < d < q on all levels j below that digit; the subtree
 * of a child on level j is the run of q^j ranks (or as many as there are) that begins with it. The
 * largest subtrees are served first, and of these that of the lowest d; a reduction is the mirror
 * image in time.
 */
#include "algorithms/bytes_private.h"
#include "algorithms/class_private.h"

/* The children of a rank: on a top level there may be fewer than q - 1, on those below it all. */
typedef struct children {
    uint64_t unit;   /* q^j of the top level */
    uint32_t on_top; /* on the top level */
    uint32_t n;      /* on all levels */
} children;

static children children_of(const coll_call *call, uint32_t v)
{
    const uint64_t q = call->parameter;
    const uint32_t left = call->size - 1 - v;
    if (left == 0 || v % q != 0) {
        return (children){0};
    }
    children c = {.unit = 1};
    uint32_t below = 0; /* levels below the top one */
    while (c.unit * q <= left && v / (c.unit * q) % q == 0) {
        c.unit *= q;
        below++;
    }
    c.on_top = (uint32_t)(left / c.unit < q ? left / c.unit : q - 1);
    c.n = c.on_top + below * (uint32_t)(q - 1);
    return c;
}

/* Child i of v in the order in which they are served. */
static uint32_t child(const coll_call *call, uint32_t v, children c, uint32_t i)
{
    if (i < c.on_top) {
        return v + (uint32_t)(c.unit * (i + 1));
    }
    const uint32_t others = call->parameter - 1;
    uint64_t unit = c.unit / call->parameter;
    for (i -= c.on_top; i >= others; i -= others) {
        unit /= call->parameter;
    }
    return v + (uint32_t)(unit * (i + 1));
}

/* q^j for the level j of v != 0 in its parent's list: that of its lowest digit that is not 0. */
static uint64_t unit_of(const coll_call *call, uint32_t v)
{
    uint64_t unit = 1;
    while (v / unit % call->parameter == 0) {
        unit *= call->parameter;
    }
    return unit;
}

static uint32_t parent(const coll_call *call, uint32_t v)
{
    const uint64_t unit = unit_of(call, v);
    return v - (uint32_t)(v / unit % call->parameter * unit);
}

/* The blocks of v != 0 and all below it. */
static int64_t subtree_bytes(const coll_call *call, uint32_t v)
{
    const uint64_t unit = unit_of(call, v);
    const uint32_t left = call->size - v;
    return coll_blocks_bytes(call, coll_rank_actual(call, v), unit < left ? (uint32_t)unit : left);
}

/* Away from the root: from the parent, then to the children. */
static bool outward(const coll_call *call, uint32_t position, coll_round *round, bool is_scatter)
{
    const uint32_t v = coll_rank_virtual(call);
    uint32_t i = position;
    if (v != 0 && i-- == 0) {
        coll_round_recv(round, coll_rank_actual(call, parent(call, v)),
                        is_scatter ? subtree_bytes(call, v) : coll_whole_bytes(call));
        return true;
    }
    const children c = children_of(call, v);
    if (i >= c.n) {
        return false;
    }
    const uint32_t to = child(call, v, c, i);
    coll_round_send(round, coll_rank_actual(call, to),
                    is_scatter ? subtree_bytes(call, to) : coll_whole_bytes(call));
    return true;
}

/* Towards the root: from the children, then to the parent. */
static bool inward(const coll_call *call, uint32_t position, coll_round *round, bool is_gather)
{
    const uint32_t v = coll_rank_virtual(call);
    const children c = children_of(call, v);
    if (position < c.n) {
        const uint32_t from = child(call, v, c, c.n - 1 - position);
        if (is_gather) {
            coll_round_recv(round, coll_rank_actual(call, from), subtree_bytes(call, from));
        } else {
            coll_round_reduce(round, coll_rank_actual(call, from), coll_whole_bytes(call));
        }
        return true;
    }
    if (position > c.n || v == 0) {
        return false;
    }
    coll_round_send(round, coll_rank_actual(call, parent(call, v)),
                    is_gather ? subtree_bytes(call, v) : coll_whole_bytes(call));
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

/* A parent, and q - 1 children on each level; never more than there are other ranks. */
static uint64_t max_rounds(uint32_t size, uint32_t radix)
{
    uint64_t n = 1;
    for (uint64_t unit = 1; unit < size; unit *= radix) {
        n += radix - 1;
    }
    return n < size ? n : size;
}

static const coll_phase BCAST = {.round = bcast_round, .payload = COLL_CARRIES_ALL};
static const coll_phase REDUCE = {.round = reduce_round, .payload = COLL_CARRIES_ALL};
static const coll_phase GATHER = {.round = gather_round, .payload = COLL_CARRIES_MISSING};
static const coll_phase SCATTER = {.round = scatter_round, .payload = COLL_CARRIES_SUBTREE};

const coll_algorithm_class coll_knomial_class = {
    .name = "knomial",
    .parameter = {.name = "radix", .usual = 4, .min = 2, .max = 65536},
    .max_rounds = max_rounds,
    .phases =
        {
            [COLL_BARRIER] = {&REDUCE, &BCAST},
            [COLL_BCAST] = {&BCAST},
            [COLL_REDUCE] = {&REDUCE},
            [COLL_ALLREDUCE] = {&REDUCE, &BCAST},
            [COLL_GATHER] = {&GATHER},
            [COLL_SCATTER] = {&SCATTER},
            [COLL_ALLGATHER] = {&GATHER, &BCAST},
            [COLL_ALLGATHERV] = {&GATHER, &BCAST},
            [COLL_REDUCE_SCATTER] = {&REDUCE, &SCATTER},
            [COLL_REDUCE_SCATTER_BLOCK] = {&REDUCE, &SCATTER},
        },
};
