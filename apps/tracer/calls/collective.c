/* apps/tracer/calls/collective.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collectives, blocking and not. One description serves both. `bytes` and the counts mean what
 * coll/kind.h says of coll_call; `sent` and `received` are this rank's totals over all partners,
 * as tools that read OTF2 expect them.
 */
#include "calls/entry.h"
#include "calls/large_count.h"
#include "record/message_size.h"
#include "record/record.h"

#include <stdlib.h>

typedef struct description {
    tracer_collective what;
    const tracer_comm *comm;
    uint64_t *counts; /* [2 * comm->size] of this thread: send counts, receive counts */
    int num_send;
    int num_recv;
} description;

static _Thread_local uint64_t *counts;
static _Thread_local int room_counts;

static description describe(OTF2_CollectiveOp op, int root, bool in_place, MPI_Comm handle)
{
    description d = {.what = {.op = op,
                              .root = root >= 0 ? (uint32_t)root : OTF2_COLLECTIVE_ROOT_NONE,
                              .in_place = in_place},
                     .comm = tracer_comm_find(handle)};
    if (d.comm->size > room_counts) {
        free(counts);
        room_counts = d.comm->size;
        counts = tracer_calloc(2 * (size_t)room_counts, sizeof *counts);
    }
    d.counts = counts;
    return d;
}

static uint64_t sum(const uint64_t *v, int n)
{
    uint64_t total = 0;
    for (int i = 0; i < n; i++) {
        total += v[i];
    }
    return total;
}

/* The counts of a v-collective, as the program has them. */
typedef struct count_list {
    const void *counts;
    bool large; /* of MPI_Count, else of int */
} count_list;
#define LIST(COUNTS) ((count_list){(COUNTS), sizeof *(COUNTS) != sizeof(int)})

static MPI_Count count_at(count_list list, int i)
{
    return list.large ? ((const MPI_Count *)list.counts)[i] : ((const int *)list.counts)[i];
}

/* Counts of one type, in bytes. */
static int in_bytes(uint64_t *out, count_list count, MPI_Datatype type, int n)
{
    const uint64_t size = tracer_bytes(1, type);
    for (int i = 0; i < n; i++) {
        const MPI_Count k = count_at(count, i);
        out[i] = k > 0 ? (uint64_t)k * size : 0;
    }
    return n;
}

static int typed_in_bytes(uint64_t *out, count_list count, const MPI_Datatype *type, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = tracer_bytes(count_at(count, i), type[i]);
    }
    return n;
}

static void put_counts(const description *d)
{
    tracer_put_counts(PARAM_SEND_COUNT, d->counts, d->num_send);
    tracer_put_counts(PARAM_RECV_COUNT, d->counts + d->num_send, d->num_recv);
}

static void attributes(const description *d)
{
    if (d->comm->known) {
        tracer_attr_u64(ATTR_BYTES, d->what.bytes);
        if (d->what.in_place) {
            tracer_attr_u64(ATTR_IN_PLACE, 1);
        }
    }
}

static int blocking(tracer_call *c, tracer_region region, int rc, const description *d)
{
    attributes(d);
    tracer_open(c, region);
    if (rc == MPI_SUCCESS && d->comm->known) {
        put_counts(d);
        tracer_put_collective(d->comm, &d->what);
    }
    tracer_close();
    return rc;
}

static int posted(tracer_call *c, tracer_region region, int rc, const description *d,
                  const MPI_Request *request)
{
    if (rc != MPI_SUCCESS || !d->comm->known) {
        tracer_plain(c, region);
        return rc;
    }
    tracer_request *r = tracer_request_add(*request, REQUEST_COLLECTIVE);
    r->collective = d->what;
    r->comm = d->comm->id;
    r->known = true;
    attributes(d);
    tracer_attr_comm(r->comm);
    if (d->what.root != OTF2_COLLECTIVE_ROOT_NONE) {
        tracer_attr_i32(ATTR_ROOT, (int)d->what.root);
    }
    tracer_open(c, region);
    put_counts(d);
    tracer_put_collective_post(r->id);
    tracer_close();
    return rc;
}

/* ---- one description per collective; under the lock ---- */
static void bytes_to_all(description *d, uint64_t bytes) /* each rank to and from each */
{
    const uint64_t n = (uint64_t)d->comm->size - (d->what.in_place ? 1 : 0);
    d->what.bytes = bytes;
    d->what.sent = n * bytes;
    d->what.received = n * bytes;
}

/* Everybody sends a block to the root (or, turned round by the caller, gets one from it). */
static void bytes_to_root(const description *d, uint64_t bytes, uint64_t *out, uint64_t *in)
{
    const bool root = (uint32_t)d->comm->rank == d->what.root;
    const uint64_t n = (uint64_t)d->comm->size - (d->what.in_place ? 1 : 0);
    *out = root && d->what.in_place ? 0 : bytes;
    *in = root ? n * bytes : 0;
}

static description of_barrier(MPI_Comm comm)
{
    return describe(OTF2_COLLECTIVE_OP_BARRIER, -1, false, comm);
}

static description of_bcast(MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm)
{
    description d = describe(OTF2_COLLECTIVE_OP_BCAST, root, false, comm);
    d.what.bytes = tracer_bytes(count, type);
    bytes_to_root(&d, d.what.bytes, &d.what.received, &d.what.sent);
    return d;
}

static description of_reduce(const void *from, MPI_Count count, MPI_Datatype type, int root,
                             MPI_Comm comm)
{
    description d = describe(OTF2_COLLECTIVE_OP_REDUCE, root, from == MPI_IN_PLACE, comm);
    d.what.bytes = tracer_bytes(count, type);
    bytes_to_root(&d, d.what.bytes, &d.what.sent, &d.what.received);
    return d;
}

static description of_allreduce(const void *from, MPI_Count count, MPI_Datatype type, MPI_Comm comm)
{
    description d = describe(OTF2_COLLECTIVE_OP_ALLREDUCE, -1, from == MPI_IN_PLACE, comm);
    bytes_to_all(&d, tracer_bytes(count, type));
    return d;
}

static description of_gather(const void *from, MPI_Count send_count, MPI_Datatype send_type,
                             MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    description d = describe(OTF2_COLLECTIVE_OP_GATHER, root, from == MPI_IN_PLACE, comm);
    d.what.bytes = d.comm->rank == root ? tracer_bytes(recv_count, recv_type)
                                        : tracer_bytes(send_count, send_type);
    bytes_to_root(&d, d.what.bytes, &d.what.sent, &d.what.received);
    return d;
}

static description of_scatter(MPI_Count send_count, MPI_Datatype send_type, const void *to,
                              MPI_Count recv_count, MPI_Datatype recv_type, int root, MPI_Comm comm)
{
    description d = describe(OTF2_COLLECTIVE_OP_SCATTER, root, to == MPI_IN_PLACE, comm);
    d.what.bytes = d.comm->rank == root ? tracer_bytes(send_count, send_type)
                                        : tracer_bytes(recv_count, recv_type);
    bytes_to_root(&d, d.what.bytes, &d.what.received, &d.what.sent);
    return d;
}

static description of_gatherv(const void *from, MPI_Count send_count, MPI_Datatype send_type,
                              count_list recv_counts, MPI_Datatype recv_type, int root,
                              MPI_Comm comm)
{
    description d = describe(OTF2_COLLECTIVE_OP_GATHERV, root, from == MPI_IN_PLACE, comm);
    const bool at_root = d.comm->known && d.comm->rank == root;
    if (at_root) {
        d.num_recv = in_bytes(d.counts, recv_counts, recv_type, d.comm->size);
        d.what.bytes = d.counts[root];
        d.what.received = sum(d.counts, d.num_recv) - (d.what.in_place ? d.what.bytes : 0);
    } else {
        d.what.bytes = tracer_bytes(send_count, send_type);
    }
    d.what.sent = at_root && d.what.in_place ? 0 : d.what.bytes;
    return d;
}

static description of_scatterv(count_list send_counts, MPI_Datatype send_type, const void *to,
                               MPI_Count recv_count, MPI_Datatype recv_type, int root,
                               MPI_Comm comm)
{
    description d = describe(OTF2_COLLECTIVE_OP_SCATTERV, root, to == MPI_IN_PLACE, comm);
    const bool at_root = d.comm->known && d.comm->rank == root;
    if (at_root) {
        d.num_send = in_bytes(d.counts, send_counts, send_type, d.comm->size);
        d.what.bytes = d.counts[root];
        d.what.sent = sum(d.counts, d.num_send) - (d.what.in_place ? d.what.bytes : 0);
    } else {
        d.what.bytes = tracer_bytes(recv_count, recv_type);
    }
    d.what.received = at_root && d.what.in_place ? 0 : d.what.bytes;
    return d;
}

static description of_allgather(const void *from, MPI_Count recv_count, MPI_Datatype recv_type,
                                MPI_Comm comm)
{
    description d = describe(OTF2_COLLECTIVE_OP_ALLGATHER, -1, from == MPI_IN_PLACE, comm);
    bytes_to_all(&d, tracer_bytes(recv_count, recv_type));
    return d;
}

static description of_allgatherv(const void *from, count_list recv_counts, MPI_Datatype recv_type,
                                 MPI_Comm comm)
{
    description d = describe(OTF2_COLLECTIVE_OP_ALLGATHERV, -1, from == MPI_IN_PLACE, comm);
    if (d.comm->known) {
        d.num_recv = in_bytes(d.counts, recv_counts, recv_type, d.comm->size);
        const uint64_t own = d.counts[d.comm->rank];
        d.what.sent = own * ((uint64_t)d.comm->size - (d.what.in_place ? 1 : 0));
        d.what.received = sum(d.counts, d.num_recv) - (d.what.in_place ? own : 0);
    }
    return d;
}

static description of_alltoall(const void *from, MPI_Count recv_count, MPI_Datatype recv_type,
                               MPI_Comm comm)
{
    description d = describe(OTF2_COLLECTIVE_OP_ALLTOALL, -1, from == MPI_IN_PLACE, comm);
    bytes_to_all(&d, tracer_bytes(recv_count, recv_type));
    return d;
}

/* Both counts are in place; with MPI_IN_PLACE as much is sent as received, nothing to oneself. */
static void total_alltoall(description *d)
{
    const int n = d->comm->size;
    if (d->what.in_place) {
        for (int i = 0; i < n; i++) {
            d->counts[i] = d->counts[n + i];
        }
    }
    const uint64_t own = d->what.in_place ? d->counts[d->comm->rank] : 0;
    d->num_send = n;
    d->num_recv = n;
    d->what.sent = sum(d->counts, n) - own;
    d->what.received = sum(d->counts + n, n) - own;
}

static description of_alltoallv(const void *from, count_list send_counts, MPI_Datatype send_type,
                                count_list recv_counts, MPI_Datatype recv_type, MPI_Comm comm)
{
    description d = describe(OTF2_COLLECTIVE_OP_ALLTOALLV, -1, from == MPI_IN_PLACE, comm);
    if (d.comm->known) {
        (void)in_bytes(d.counts + d.comm->size, recv_counts, recv_type, d.comm->size);
        if (!d.what.in_place) {
            (void)in_bytes(d.counts, send_counts, send_type, d.comm->size);
        }
        total_alltoall(&d);
    }
    return d;
}

static description of_alltoallw(const void *from, count_list send_counts,
                                const MPI_Datatype *send_types, count_list recv_counts,
                                const MPI_Datatype *recv_types, MPI_Comm comm)
{
    description d = describe(OTF2_COLLECTIVE_OP_ALLTOALLW, -1, from == MPI_IN_PLACE, comm);
    if (d.comm->known) {
        (void)typed_in_bytes(d.counts + d.comm->size, recv_counts, recv_types, d.comm->size);
        if (!d.what.in_place) {
            (void)typed_in_bytes(d.counts, send_counts, send_types, d.comm->size);
        }
        total_alltoall(&d);
    }
    return d;
}

static description of_reduce_scatter(const void *from, count_list recv_counts, MPI_Datatype type,
                                     MPI_Comm comm)
{
    description d = describe(OTF2_COLLECTIVE_OP_REDUCE_SCATTER, -1, from == MPI_IN_PLACE, comm);
    if (d.comm->known) {
        d.num_recv = in_bytes(d.counts, recv_counts, type, d.comm->size);
        const uint64_t own = d.counts[d.comm->rank];
        d.what.sent = sum(d.counts, d.num_recv) - (d.what.in_place ? own : 0);
        d.what.received = own * ((uint64_t)d.comm->size - (d.what.in_place ? 1 : 0));
    }
    return d;
}

static description of_reduce_scatter_block(const void *from, MPI_Count count, MPI_Datatype type,
                                           MPI_Comm comm)
{
    description d =
        describe(OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, -1, from == MPI_IN_PLACE, comm);
    bytes_to_all(&d, tracer_bytes(count, type));
    return d;
}

/* From all before this rank to all behind it; itself counts in a scan that is not in place. */
static description of_scan(OTF2_CollectiveOp op, const void *from, MPI_Count count,
                           MPI_Datatype type, MPI_Comm comm)
{
    description d = describe(op, -1, from == MPI_IN_PLACE, comm);
    const uint64_t self = op == OTF2_COLLECTIVE_OP_SCAN && !d.what.in_place ? 1 : 0;
    const uint64_t rank = (uint64_t)d.comm->rank;
    d.what.bytes = tracer_bytes(count, type);
    if (d.comm->known) {
        d.what.sent = ((uint64_t)d.comm->size - 1 - rank + self) * d.what.bytes;
        d.what.received = (rank + self) * d.what.bytes;
    }
    return d;
}

/* Both entries of a collective; UNWRAP takes the parentheses off a list, so that it can grow. */
#define UNWRAP(...) __VA_ARGS__
#define COLLECTIVE_NAMED(NAME, INAME, PARAMS, ARGS, DESCRIPTION)                                   \
    TRACER_WRAP(NAME, (UNWRAP PARAMS), (UNWRAP ARGS))                                              \
    {                                                                                              \
        tracer_call c;                                                                             \
        tracer_enter(&c);                                                                          \
        const int rc = real_##NAME()(UNWRAP ARGS);                                                 \
        tracer_leave(&c);                                                                          \
        const description d = DESCRIPTION;                                                         \
        return blocking(&c, REGION_##NAME, rc, &d);                                                \
    }                                                                                              \
    TRACER_WRAP(INAME, (UNWRAP PARAMS, MPI_Request * request), (UNWRAP ARGS, request))             \
    {                                                                                              \
        tracer_call c;                                                                             \
        tracer_enter(&c);                                                                          \
        const int rc = real_##INAME()(UNWRAP ARGS, request);                                       \
        tracer_leave(&c);                                                                          \
        const description d = DESCRIPTION;                                                         \
        return posted(&c, REGION_##INAME, rc, &d, request);                                        \
    }
#define COLLECTIVE(...) COLLECTIVE_NAMED(__VA_ARGS__)

COLLECTIVE(Barrier, Ibarrier, (MPI_Comm comm), (comm), of_barrier(comm))
#define FORM(NAME) NAME
#define COUNT      int
#define PLACE      int
#include "calls/collective.inl"
#undef FORM
#undef COUNT
#undef PLACE
#ifdef TRACER_LARGE_COUNTS
#define FORM(NAME) NAME##_c
#define COUNT      MPI_Count
#define PLACE      MPI_Aint
#include "calls/collective.inl"
#endif
