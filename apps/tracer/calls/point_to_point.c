/* apps/tracer/calls/point_to_point.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends, receives and probes; see persistent.c and completion.c for the rest of requests. */
#include "calls/point_to_point.h"

#include "calls/entry.h"
#include "calls/large_count.h"
#include "record/message_size.h"
#include "record/record.h"

/* ---- blocking sends ---- */
static int sent(tracer_call *c, tracer_region region, int rc, MPI_Count count, MPI_Datatype type,
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

/* ---- blocking receives ---- */
/* Of a receive that waits. Without a wildcard nothing but what came can come: not asked for. */
static uint64_t room_of(int source, int tag, MPI_Count count, MPI_Datatype type)
{
    return source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG ? tracer_bytes(count, type)
                                                          : TRACER_ROOM_UNKNOWN;
}

static void attr_room(uint64_t bytes)
{
    if (bytes != TRACER_ROOM_UNKNOWN) {
        tracer_attr_u64(ATTR_RECV_BYTES, bytes);
    }
}

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
    attr_room(room);
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

static int isent(tracer_call *c, tracer_region region, int rc, MPI_Count count, MPI_Datatype type,
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

void tracer_attr_receive(const tracer_request *r)
{
    if (r->known) {
        tracer_attr_comm(r->comm);
        tracer_attr_i32(ATTR_SOURCE, r->peer == MPI_ANY_SOURCE  ? -1
                                     : r->peer == MPI_PROC_NULL ? -2
                                                                : r->peer);
        tracer_attr_i32(ATTR_RECV_TAG, r->tag == MPI_ANY_TAG ? -1 : r->tag);
        attr_room(r->bytes);
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

#define FORM(NAME) NAME
#define COUNT      int
#include "calls/point_to_point.inl"
#undef FORM
#undef COUNT
#ifdef TRACER_LARGE_COUNTS
#define FORM(NAME) NAME##_c
#define COUNT      MPI_Count
#include "calls/point_to_point.inl"
#endif
