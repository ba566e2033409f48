/* tests/collectives/algorithms/flow_blocks.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "flow_private.h"

/* Who makes a contribution to block b, and who ends with it. */
typedef enum { ROOT, OWNER, ALL, PAIR } who; /* OWNER: rank b; PAIR: from b / p to b % p */

static const struct {
    who makes;
    who gets;
} MPI[COLL_NUM_KINDS] = {
    [COLL_BARRIER] = {ALL, ALL},
    [COLL_BCAST] = {ROOT, ALL},
    [COLL_REDUCE] = {ALL, ROOT},
    [COLL_ALLREDUCE] = {ALL, ALL},
    [COLL_GATHER] = {OWNER, ROOT},
    [COLL_GATHERV] = {OWNER, ROOT},
    [COLL_SCATTER] = {ROOT, OWNER},
    [COLL_SCATTERV] = {ROOT, OWNER},
    [COLL_ALLGATHER] = {OWNER, ALL},
    [COLL_ALLGATHERV] = {OWNER, ALL},
    [COLL_ALLTOALL] = {PAIR, PAIR},
    [COLL_ALLTOALLV] = {PAIR, PAIR},
    [COLL_ALLTOALLW] = {PAIR, PAIR},
    [COLL_REDUCE_SCATTER] = {ALL, OWNER},
    [COLL_REDUCE_SCATTER_BLOCK] = {ALL, OWNER},
    [COLL_SCAN] = {ALL, ALL}, /* of the lower ranks only: flow.c */
    [COLL_EXSCAN] = {ALL, ALL},
};

bool flow_is_scan(coll_kind kind)
{
    return kind == COLL_SCAN || kind == COLL_EXSCAN;
}

static uint32_t core_size(uint32_t p)
{
    uint32_t core = 1;
    while (2 * core <= p) {
        core *= 2;
    }
    return core;
}

/* A vector stays whole, or is cut for the ranks, or for the core of recursive halving. */
static uint32_t count_parts(uint32_t p, const coll_phase *const *phases)
{
    uint32_t parts = 1;
    for (; *phases != NULL; phases++) {
        if ((*phases)->payload == COLL_CARRIES_HALF) {
            return core_size(p);
        }
        parts = (*phases)->payload == COLL_CARRIES_ALL ? parts : p;
    }
    return parts;
}

uint32_t flow_count_blocks(const calls_spec *spec, const coll_phase *const *phases)
{
    if (coll_kind_table[spec->kind].is_vector) {
        return count_parts(spec->size, phases);
    }
    return MPI[spec->kind].makes == PAIR ? spec->size * spec->size : spec->size;
}

int64_t flow_block_bytes(const flow *f, uint32_t b)
{
    const calls_spec *spec = f->spec;
    if (spec->kind == COLL_BARRIER) {
        return 0;
    }
    if (coll_kind_table[spec->kind].is_vector) { /* as equal as can be, the longer ones first */
        return spec->bytes / f->num_blocks + (b < spec->bytes % f->num_blocks ? 1 : 0);
    }
    return MPI[spec->kind].makes == PAIR ? calls_pair(spec, b / f->p, b % f->p)
                                         : calls_block(spec, b);
}

rank_set flow_complete(const flow *f, uint32_t b)
{
    switch (MPI[f->spec->kind].makes) {
    case ROOT:
        return flow_only(f->spec->root);
    case OWNER:
        return flow_only(b);
    case PAIR:
        return flow_only(b / f->p);
    default:
        return f->p == 64 ? ~(rank_set)0 : flow_only(f->p) - 1;
    }
}

bool flow_must_end_with(const flow *f, uint32_t rank, uint32_t b)
{
    switch (MPI[f->spec->kind].gets) {
    case ROOT:
        return rank == f->spec->root;
    case OWNER:
        return rank == b;
    case PAIR:
        return rank == b % f->p;
    default:
        return true;
    }
}

/* Recursive halving on a number of ranks that is no power of two is folded: a rank that waits
 * gives all that it has away first, and is given its block in the end. */
coll_payload flow_payload(const flow *f, const flow_message *m)
{
    const coll_payload payload = f->phases[m->phase]->payload;
    if (payload == COLL_CARRIES_HALF && !m->is_exchange) {
        return m->number == 0 ? COLL_CARRIES_ALL : COLL_CARRIES_OWN;
    }
    return payload;
}

static bool is_below(const flow *f, uint32_t rank, uint32_t ancestor)
{
    for (uint32_t hops = 0; hops <= f->p; hops++) {
        if (rank == ancestor) {
            return true;
        }
        if (f->parent[rank] == UINT32_MAX) {
            return false;
        }
        rank = f->parent[rank];
    }
    return false;
}

/* The core member that answers for block b in the end. */
static uint32_t answers_for(const flow *f, uint32_t b)
{
    if (coll_kind_table[f->spec->kind].is_vector) {
        return b;
    }
    return f->member[b] != UINT32_MAX ? f->member[b] : f->member[b + 1];
}

/* Up to exchange i, has every exchange chosen the side of block b that the receiver is on? */
static bool is_in_half(const flow *f, uint32_t b, uint32_t to, uint32_t i)
{
    const uint32_t core = core_size(f->p);
    for (uint32_t t = 0; t <= i; t++) {
        const uint32_t block_bit = core >> (t + 1);
        const uint32_t rank_bit = f->spec->kind == COLL_ALLREDUCE ? 1U << t : block_bit;
        if (((answers_for(f, b) & block_bit) != 0) != ((f->member[to] & rank_bit) != 0)) {
            return false;
        }
    }
    return true;
}

bool flow_carries(const flow *f, uint32_t from, uint32_t to, const flow_message *m, uint32_t b)
{
    switch (flow_payload(f, m)) {
    case COLL_CARRIES_ALL:
        return true;
    case COLL_CARRIES_MISSING:
        return m->blocks[b] == flow_complete(f, b) &&
               f->has[(size_t)to * f->num_blocks + b] != flow_complete(f, b);
    case COLL_CARRIES_SUBTREE:
        return is_below(f, b, to);
    case COLL_CARRIES_OWN:
        return b == to;
    case COLL_CARRIES_PAIR:
        return b == from * f->p + to;
    case COLL_CARRIES_BITS:
        return m->blocks[b] != 0 && ((b % f->p + f->p - b / f->p) % f->p >> m->number & 1) != 0;
    case COLL_CARRIES_HALF:
        return is_in_half(f, b, to, m->trades);
    case COLL_CARRIES_ROUNDTRIP:
        return (b + 1 + m->number) % f->p == from;
    }
    return false;
}

void flow_find_roles(flow *f)
{
    for (uint32_t rank = 0; rank < f->p; rank++) {
        f->parent[rank] = UINT32_MAX;
        f->member[rank] = UINT32_MAX;
        for (uint32_t i = 0; i < f->steps[rank]->len; i++) {
            const calls_step *step = &g_array_index(f->steps[rank], calls_step, i);
            if (step->step.type == SIM_OP_RECV &&
                f->phases[step->phase]->payload == COLL_CARRIES_SUBTREE) {
                f->parent[rank] = step->step.peer;
            }
        }
    }
    const uint32_t root = coll_kind_is_rooted(f->spec->kind) ? f->spec->root : 0;
    uint32_t next = 0;
    for (uint32_t i = 0; i < f->p; i++) {
        const uint32_t rank = (root + i) % f->p;
        const coll_step *first = flow_step(f, rank, 0);
        const bool waits =
            first != NULL && first->type == SIM_OP_SEND && !flow_is_exchange(f, rank, 0);
        if (!waits) {
            f->member[rank] = next++;
        }
    }
}
