/* schedgen/otf2/otf2_collective.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_otf2. */
/*
 * From totals to the block or vector of a collective. Score-P counts what a rank sends to and
 * receives from all partners, itself included unless the call is in place: an allreduce of n
 * ranks sends n vectors, the root of a broadcast n and gets one.
 */
#include "otf2/otf2_private.h"

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

/* What one member says of its call, and where what follows from it goes. */
typedef struct totals {
    const sched_otf2_collective *c;
    uint64_t n; /* members */
    uint64_t sent;
    uint64_t received;
    sched_rank *rank; /* of the counts */
    sched_call *call;
} totals;

/* The bytes of a call of some kind (coll_call); sets its counts and whether it is in place. */
typedef uint64_t bytes_fn(const totals *t);

static uint64_t no_bytes(const totals *t)
{
    (void)t;
    return 0;
}

static uint64_t from_root(const totals *t)
{
    return rooted(t->c, t->received, t->sent, &t->call->in_place);
}

static uint64_t to_root(const totals *t)
{
    return rooted(t->c, t->sent, t->received, &t->call->in_place);
}

static uint64_t to_root_counted(const totals *t)
{
    const bool at_root = t->c->rank == t->c->root;
    t->call->num_recv_counts = at_root ? parts(t->rank, t->received, t->c->size) : 0;
    return t->sent;
}

static uint64_t from_root_counted(const totals *t)
{
    const bool at_root = t->c->rank == t->c->root;
    t->call->num_send_counts = at_root ? parts(t->rank, t->sent, t->c->size) : 0;
    return t->received;
}

static uint64_t to_each(const totals *t)
{
    return share(t->sent, t->n, &t->call->in_place);
}

static uint64_t from_each(const totals *t)
{
    return share(t->received, t->n, &t->call->in_place);
}

static uint64_t from_each_counted(const totals *t)
{
    t->call->num_recv_counts = parts(t->rank, t->received, t->c->size);
    return 0;
}

/* The blocks that a rank sends are those that the ranks end with. */
static uint64_t to_each_counted(const totals *t)
{
    t->call->num_recv_counts = parts(t->rank, t->sent, t->c->size);
    return 0;
}

static uint64_t pairs_counted(const totals *t)
{
    t->call->num_send_counts = parts(t->rank, t->sent, t->c->size);
    t->call->num_recv_counts = parts(t->rank, t->received, t->c->size);
    return 0;
}

/* From and for itself as well, unless in place; one of the two is certain. */
static uint64_t of_scan(const totals *t)
{
    return t->c->rank + 1 < t->c->size ? t->sent / (t->n - t->c->rank) : t->received / t->n;
}

static uint64_t of_exscan(const totals *t)
{
    if (t->c->rank + 1 < t->c->size) {
        return t->sent / (t->n - 1 - t->c->rank);
    }
    return t->c->rank > 0 ? t->received / t->c->rank : 0;
}

static const struct {
    OTF2_CollectiveOp op;
    coll_kind kind;
    bytes_fn *bytes;
} COLLECTIVES[] = {
    {OTF2_COLLECTIVE_OP_BARRIER, COLL_BARRIER, no_bytes},
    {OTF2_COLLECTIVE_OP_BCAST, COLL_BCAST, from_root},
    {OTF2_COLLECTIVE_OP_GATHER, COLL_GATHER, to_root},
    {OTF2_COLLECTIVE_OP_GATHERV, COLL_GATHERV, to_root_counted},
    {OTF2_COLLECTIVE_OP_SCATTER, COLL_SCATTER, from_root},
    {OTF2_COLLECTIVE_OP_SCATTERV, COLL_SCATTERV, from_root_counted},
    {OTF2_COLLECTIVE_OP_ALLGATHER, COLL_ALLGATHER, to_each},
    {OTF2_COLLECTIVE_OP_ALLGATHERV, COLL_ALLGATHERV, from_each_counted},
    {OTF2_COLLECTIVE_OP_ALLTOALL, COLL_ALLTOALL, to_each},
    {OTF2_COLLECTIVE_OP_ALLTOALLV, COLL_ALLTOALLV, pairs_counted},
    {OTF2_COLLECTIVE_OP_ALLTOALLW, COLL_ALLTOALLW, pairs_counted},
    {OTF2_COLLECTIVE_OP_ALLREDUCE, COLL_ALLREDUCE, to_each},
    {OTF2_COLLECTIVE_OP_REDUCE, COLL_REDUCE, to_root},
    {OTF2_COLLECTIVE_OP_REDUCE_SCATTER, COLL_REDUCE_SCATTER, to_each_counted},
    {OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, COLL_REDUCE_SCATTER_BLOCK, from_each},
    {OTF2_COLLECTIVE_OP_SCAN, COLL_SCAN, of_scan},
    {OTF2_COLLECTIVE_OP_EXSCAN, COLL_EXSCAN, of_exscan},
};

bool sched_otf2_collective_kind(OTF2_CollectiveOp op, coll_kind *out)
{
    for (size_t i = 0; i < G_N_ELEMENTS(COLLECTIVES); i++) {
        if (COLLECTIVES[i].op == op) {
            *out = COLLECTIVES[i].kind;
            return true;
        }
    }
    return false;
}

void sched_otf2_collective_bytes(const sched_otf2_collective *c, sched_rank *rank, sched_call *call,
                                 bool *equal)
{
    const totals t = {.c = c,
                      .n = c->size,
                      .sent = MIN(c->sent, (uint64_t)INT64_MAX / 4),
                      .received = MIN(c->received, (uint64_t)INT64_MAX / 4),
                      .rank = rank,
                      .call = call};
    call->counts = rank->num_counts;
    for (size_t i = 0; i < G_N_ELEMENTS(COLLECTIVES); i++) {
        if (COLLECTIVES[i].kind == c->kind) {
            call->bytes = (int64_t)COLLECTIVES[i].bytes(&t);
            break;
        }
    }
    *equal = call->num_send_counts + call->num_recv_counts > 0;
}
