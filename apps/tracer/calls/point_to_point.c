/* apps/tracer/calls/point_to_point.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends, receives and probes; see persistent.c and completion.c for the rest of requests. */
#include "calls/point_to_point.h"

#include "calls/entry.h"
#include "record/message_size.h"
#include "record/record.h"

/* ---- blocking sends ---- */
static int sent(tracer_call *c, tracer_region region, int rc, int count, MPI_Datatype type,
                int dest, int tag, MPI_Comm handle)
{
    tracer_leave(c);
    const tracer_comm *comm = tracer_comm_find(handle);
    if (dest == MPI_PROC_NULL) {
        tracer_attr_i32(ATTR_PEER, -2);
    }
    tracer_open(c, region);
    if (rc == MPI_SUCCESS) {
        tracer_put_send(comm, dest, tag, tracer_bytes(count, type));
    }
    tracer_close();
    return rc;
}

#define SEND(NAME)                                                                                 \
    TRACER_WRAP(                                                                                   \
        NAME,                                                                                      \
        (const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm),      \
        (buffer, count, type, dest, tag, comm))                                                    \
    {                                                                                              \
        tracer_call c;                                                                             \
        tracer_enter(&c);                                                                          \
        const int rc = real_##NAME()(buffer, count, type, dest, tag, comm);                        \
        return sent(&c, REGION_##NAME, rc, count, type, dest, tag, comm);                          \
    }
SEND(Send)
SEND(Bsend)
SEND(Ssend)
SEND(Rsend)

/* ---- blocking receives ---- */
/* What was asked for, where what came may be something else. */
static void asked(int source, int tag, uint64_t room)
{
    if (source == MPI_ANY_SOURCE) {
        tracer_attr_i32(ATTR_SOURCE, -1);
    } else if (source == MPI_PROC_NULL) {
        tracer_attr_i32(ATTR_SOURCE, -2);
    }
    if (tag == MPI_ANY_TAG) {
        tracer_attr_i32(ATTR_RECV_TAG, -1);
    }
    if (source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG) {
        tracer_attr_u64(ATTR_RECV_BYTES, room);
    }
}

static int received(tracer_call *c, tracer_region region, int rc, uint64_t room, int source,
                    int tag, MPI_Comm handle, const MPI_Status *status)
{
    const tracer_comm *comm = tracer_comm_find(handle);
    asked(source, tag, room);
    tracer_open(c, region);
    if (rc == MPI_SUCCESS) {
        tracer_put_recv(comm, status);
    }
    tracer_close();
    return rc;
}

TRACER_WRAP(Recv,
            (void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Status *status),
            (buffer, count, type, source, tag, comm, status))
{
    tracer_call c;
    MPI_Status own;
    MPI_Status *s = status != MPI_STATUS_IGNORE ? status : &own;
    tracer_enter(&c);
    const int rc = real_Recv()(buffer, count, type, source, tag, comm, s);
    tracer_leave(&c);
    return received(&c, REGION_Recv, rc, tracer_bytes(count, type), source, tag, comm, s);
}

/* ---- both ---- */
static int exchanged(tracer_call *c, tracer_region region, int rc, uint64_t bytes, int dest,
                     int send_tag, uint64_t room, int source, int recv_tag, MPI_Comm handle,
                     const MPI_Status *status)
{
    const tracer_comm *comm = tracer_comm_find(handle);
    if (dest == MPI_PROC_NULL) {
        tracer_attr_i32(ATTR_PEER, -2);
    }
    asked(source, recv_tag, room);
    tracer_open(c, region);
    if (rc == MPI_SUCCESS) {
        tracer_put_send(comm, dest, send_tag, bytes);
        tracer_put_recv(comm, status);
    }
    tracer_close();
    return rc;
}

TRACER_WRAP(Sendrecv,
            (const void *out, int out_count, MPI_Datatype out_type, int dest, int send_tag,
             void *in, int in_count, MPI_Datatype in_type, int source, int recv_tag, MPI_Comm comm,
             MPI_Status *status),
            (out, out_count, out_type, dest, send_tag, in, in_count, in_type, source, recv_tag,
             comm, status))
{
    tracer_call c;
    MPI_Status own;
    MPI_Status *s = status != MPI_STATUS_IGNORE ? status : &own;
    tracer_enter(&c);
    const int rc = real_Sendrecv()(out, out_count, out_type, dest, send_tag, in, in_count, in_type,
                                   source, recv_tag, comm, s);
    tracer_leave(&c);
    return exchanged(&c, REGION_Sendrecv, rc, tracer_bytes(out_count, out_type), dest, send_tag,
                     tracer_bytes(in_count, in_type), source, recv_tag, comm, s);
}

TRACER_WRAP(Sendrecv_replace,
            (void *buffer, int count, MPI_Datatype type, int dest, int send_tag, int source,
             int recv_tag, MPI_Comm comm, MPI_Status *status),
            (buffer, count, type, dest, send_tag, source, recv_tag, comm, status))
{
    tracer_call c;
    MPI_Status own;
    MPI_Status *s = status != MPI_STATUS_IGNORE ? status : &own;
    tracer_enter(&c);
    const int rc =
        real_Sendrecv_replace()(buffer, count, type, dest, send_tag, source, recv_tag, comm, s);
    tracer_leave(&c);
    const uint64_t bytes = tracer_bytes(count, type);
    return exchanged(&c, REGION_Sendrecv_replace, rc, bytes, dest, send_tag, bytes, source,
                     recv_tag, comm, s);
}

/* ---- nonblocking ---- */
tracer_request *tracer_post(MPI_Request request, tracer_request_kind kind, uint64_t bytes, int peer,
                            int tag, MPI_Comm handle)
{
    const tracer_comm *comm = tracer_comm_find(handle);
    tracer_request *r = tracer_request_add(request, kind);
    r->bytes = bytes;
    r->peer = peer;
    r->tag = tag;
    r->comm = comm->id;
    r->known = comm->known;
    return r;
}

static int isent(tracer_call *c, tracer_region region, int rc, int count, MPI_Datatype type,
                 int dest, int tag, MPI_Comm comm, const MPI_Request *request)
{
    tracer_leave(c);
    if (rc != MPI_SUCCESS) {
        tracer_plain(c, region);
        return rc;
    }
    const tracer_request *r =
        tracer_post(*request, REQUEST_SEND, tracer_bytes(count, type), dest, tag, comm);
    if (dest == MPI_PROC_NULL) {
        tracer_attr_i32(ATTR_PEER, -2);
        tracer_attr_u64(ATTR_REQUEST, r->id);
    }
    tracer_open(c, region);
    tracer_put_post(r);
    tracer_close();
    return rc;
}

#define ISEND(NAME)                                                                                \
    TRACER_WRAP(NAME,                                                                              \
                (const void *buffer, int count, MPI_Datatype type, int dest, int tag,              \
                 MPI_Comm comm, MPI_Request *request),                                             \
                (buffer, count, type, dest, tag, comm, request))                                   \
    {                                                                                              \
        tracer_call c;                                                                             \
        tracer_enter(&c);                                                                          \
        const int rc = real_##NAME()(buffer, count, type, dest, tag, comm, request);               \
        return isent(&c, REGION_##NAME, rc, count, type, dest, tag, comm, request);                \
    }
ISEND(Isend)
ISEND(Ibsend)
ISEND(Issend)
ISEND(Irsend)

void tracer_attr_receive(const tracer_request *r)
{
    if (r->known) {
        tracer_attr_comm(r->comm);
        tracer_attr_i32(ATTR_SOURCE, r->peer == MPI_ANY_SOURCE  ? -1
                                     : r->peer == MPI_PROC_NULL ? -2
                                                                : r->peer);
        tracer_attr_i32(ATTR_RECV_TAG, r->tag == MPI_ANY_TAG ? -1 : r->tag);
        tracer_attr_u64(ATTR_RECV_BYTES, r->bytes);
        if (r->peer == MPI_PROC_NULL || r->persistent) {
            tracer_attr_u64(ATTR_REQUEST, r->id);
        }
    }
}

/* The completion says what came; a receive that never completes must be known, too. */
static int ireceived(tracer_call *c, tracer_region region, int rc, uint64_t bytes, int source,
                     int tag, MPI_Comm comm, const MPI_Request *request)
{
    if (rc != MPI_SUCCESS) {
        tracer_plain(c, region);
        return rc;
    }
    const tracer_request *r = tracer_post(*request, REQUEST_RECV, bytes, source, tag, comm);
    tracer_attr_receive(r);
    tracer_open(c, region);
    tracer_put_post(r);
    tracer_close();
    return rc;
}

TRACER_WRAP(Irecv,
            (void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
             MPI_Request *request),
            (buffer, count, type, source, tag, comm, request))
{
    tracer_call c;
    tracer_enter(&c);
    const int rc = real_Irecv()(buffer, count, type, source, tag, comm, request);
    tracer_leave(&c);
    return ireceived(&c, REGION_Irecv, rc, tracer_bytes(count, type), source, tag, comm, request);
}

/* ---- probes and the receives of what they found ---- */
/*
 * A message does not say which communicator it came through; one found by a probe is received
 * soon after, mostly the next one. MPI allows as many as one likes, so keep them all.
 */
enum { MAX_FOUND = 1024 };
static struct found {
    uint64_t message;
    MPI_Comm comm;
    int source, tag; /* as asked for */
} found[MAX_FOUND];
static int num_found;

static uint64_t message_bits(MPI_Message message)
{
    return (uint64_t)(uintptr_t)message;
}

static void keep_message(MPI_Message message, MPI_Comm comm, int source, int tag)
{
    if (num_found < MAX_FOUND) {
        found[num_found++] = (struct found){message_bits(message), comm, source, tag};
    }
}

static struct found take_message(uint64_t message)
{
    for (int i = num_found; i-- > 0;) {
        if (found[i].message == message) {
            const struct found f = found[i];
            found[i] = found[--num_found];
            return f;
        }
    }
    return (struct found){message, MPI_COMM_NULL, MPI_ANY_SOURCE, MPI_ANY_TAG};
}

TRACER_WRAP(Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status),
            (source, tag, comm, status))
{
    tracer_call c;
    tracer_enter(&c);
    const int rc = real_Probe()(source, tag, comm, status);
    tracer_leave(&c);
    tracer_plain(&c, REGION_Probe);
    return rc;
}

TRACER_WRAP(Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status),
            (source, tag, comm, flag, status))
{
    tracer_call c;
    tracer_enter(&c);
    const int rc = real_Iprobe()(source, tag, comm, flag, status);
    tracer_leave(&c);
    if (rc == MPI_SUCCESS && !*flag) {
        tracer_poll(&c, REGION_Iprobe);
    } else {
        tracer_plain(&c, REGION_Iprobe);
    }
    return rc;
}

TRACER_WRAP(Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status),
            (source, tag, comm, message, status))
{
    tracer_call c;
    tracer_enter(&c);
    const int rc = real_Mprobe()(source, tag, comm, message, status);
    tracer_leave(&c);
    if (rc == MPI_SUCCESS) {
        keep_message(*message, comm, source, tag);
    }
    tracer_plain(&c, REGION_Mprobe);
    return rc;
}

TRACER_WRAP(Improbe,
            (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
             MPI_Status *status),
            (source, tag, comm, flag, message, status))
{
    tracer_call c;
    tracer_enter(&c);
    const int rc = real_Improbe()(source, tag, comm, flag, message, status);
    tracer_leave(&c);
    if (rc == MPI_SUCCESS && *flag) {
        keep_message(*message, comm, source, tag);
        tracer_plain(&c, REGION_Improbe);
    } else {
        tracer_poll(&c, REGION_Improbe);
    }
    return rc;
}

TRACER_WRAP(Mrecv,
            (void *buffer, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status),
            (buffer, count, type, message, status))
{
    tracer_call c;
    MPI_Status own;
    MPI_Status *s = status != MPI_STATUS_IGNORE ? status : &own;
    const uint64_t which = message_bits(*message);
    tracer_enter(&c);
    const int rc = real_Mrecv()(buffer, count, type, message, s);
    tracer_leave(&c);
    const struct found f = take_message(which);
    return received(&c, REGION_Mrecv, rc, tracer_bytes(count, type), f.source, f.tag, f.comm, s);
}

TRACER_WRAP(Imrecv,
            (void *buffer, int count, MPI_Datatype type, MPI_Message *message,
             MPI_Request *request),
            (buffer, count, type, message, request))
{
    tracer_call c;
    const uint64_t which = message_bits(*message);
    tracer_enter(&c);
    const int rc = real_Imrecv()(buffer, count, type, message, request);
    tracer_leave(&c);
    const struct found f = take_message(which);
    return ireceived(&c, REGION_Imrecv, rc, tracer_bytes(count, type), f.source, f.tag, f.comm,
                     request);
}
