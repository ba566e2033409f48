/* schedgen/otf2/otf2_collective.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From totals to the block or vector of a collective. Score-P counts what a rank sends to and
 * receives from all partners, itself included unless the call is in place: an allreduce of n
 * ranks sends n vectors, the root of a broadcast n and gets one.
 */
#include "otf2/otf2_private.h"

bool sched_otf2_collective_kind(OTF2_CollectiveOp op, coll_kind *out)
{
    static const struct {
        OTF2_CollectiveOp op;
        coll_kind kind;
    } known[] = {
        {OTF2_COLLECTIVE_OP_BARRIER, COLL_BARRIER},
        {OTF2_COLLECTIVE_OP_BCAST, COLL_BCAST},
        {OTF2_COLLECTIVE_OP_GATHER, COLL_GATHER},
        {OTF2_COLLECTIVE_OP_GATHERV, COLL_GATHERV},
        {OTF2_COLLECTIVE_OP_SCATTER, COLL_SCATTER},
        {OTF2_COLLECTIVE_OP_SCATTERV, COLL_SCATTERV},
        {OTF2_COLLECTIVE_OP_ALLGATHER, COLL_ALLGATHER},
        {OTF2_COLLECTIVE_OP_ALLGATHERV, COLL_ALLGATHERV},
        {OTF2_COLLECTIVE_OP_ALLTOALL, COLL_ALLTOALL},
        {OTF2_COLLECTIVE_OP_ALLTOALLV, COLL_ALLTOALLV},
        {OTF2_COLLECTIVE_OP_ALLTOALLW, COLL_ALLTOALLW},
        {OTF2_COLLECTIVE_OP_ALLREDUCE, COLL_ALLREDUCE},
        {OTF2_COLLECTIVE_OP_REDUCE, COLL_REDUCE},
        {OTF2_COLLECTIVE_OP_REDUCE_SCATTER, COLL_REDUCE_SCATTER},
        {OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, COLL_REDUCE_SCATTER_BLOCK},
        {OTF2_COLLECTIVE_OP_SCAN, COLL_SCAN},
        {OTF2_COLLECTIVE_OP_EXSCAN, COLL_EXSCAN},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        if (known[i].op == op) {
            *out = known[i].kind;
            return true;
        }
    }
    return false;
}

/* Everybody, or everybody else if in place: a total that n does not divide was in place. */
static uint64_t share(uint64_t total, uint64_t n, bool *in_place)
{
    if (n > 1 && total % n != 0 && total % (n - 1) == 0) {
        *in_place = true;
        return total / (n - 1);
    }
    return total / n;
}

/* n equal parts of a total; what does not divide goes to the first ones. */
static uint32_t parts(sched_rank *rank, uint64_t total, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        (void)sched_rank_add_count(rank, (int64_t)(total / n + (i < total % n ? 1 : 0)));
    }
    return n;
}

/* Rooted: @p out of this rank, @p in at the root (scatter and broadcast: turned round). */
static uint64_t rooted(const sched_otf2_collective *c, uint64_t out, uint64_t in, bool *in_place)
{
    *in_place = c->rank == c->root && out == 0 && in > 0;
    return *in_place && c->size > 1 ? in / (c->size - 1) : out;
}

void sched_otf2_collective_bytes(const sched_otf2_collective *c, sched_rank *rank, sched_call *call,
                                 bool *equal)
{
    const uint64_t n = c->size;
    const uint64_t sent = MIN(c->sent, (uint64_t)INT64_MAX / 4);
    const uint64_t received = MIN(c->received, (uint64_t)INT64_MAX / 4);
    const bool at_root = c->rank == c->root;
    uint64_t bytes = 0;
    call->counts = rank->num_counts;
    switch (c->kind) {
    case COLL_BCAST:
    case COLL_SCATTER:
        bytes = rooted(c, received, sent, &call->in_place);
        break;
    case COLL_REDUCE:
    case COLL_GATHER:
        bytes = rooted(c, sent, received, &call->in_place);
        break;
    case COLL_GATHERV:
        bytes = sent;
        call->num_recv_counts = at_root ? parts(rank, received, c->size) : 0;
        break;
    case COLL_SCATTERV:
        bytes = received;
        call->num_send_counts = at_root ? parts(rank, sent, c->size) : 0;
        break;
    case COLL_ALLREDUCE:
    case COLL_ALLGATHER:
    case COLL_ALLTOALL:
        bytes = share(sent, n, &call->in_place);
        break;
    case COLL_REDUCE_SCATTER_BLOCK:
        bytes = share(received, n, &call->in_place);
        break;
    case COLL_ALLGATHERV:
        call->num_recv_counts = parts(rank, received, c->size);
        break;
    case COLL_REDUCE_SCATTER:
        call->num_recv_counts = parts(rank, sent, c->size);
        break;
    case COLL_ALLTOALLV:
    case COLL_ALLTOALLW:
        call->num_send_counts = parts(rank, sent, c->size);
        call->num_recv_counts = parts(rank, received, c->size);
        break;
    case COLL_SCAN: /* from and for itself as well, unless in place; one of the two is certain */
        bytes = c->rank + 1 < c->size ? sent / (n - c->rank) : received / n;
        break;
    case COLL_EXSCAN:
        bytes = c->rank + 1 < c->size ? sent / (n - 1 - c->rank)
                : c->rank > 0         ? received / c->rank
                                      : 0;
        break;
    default: /* barrier */
        break;
    }
    call->bytes = (int64_t)bytes;
    *equal = call->num_send_counts + call->num_recv_counts > 0;
}
