/* apps/tracer/calls/persistent.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Persistent requests: the definition says what they are, each start is a post. */
#include "calls/entry.h"
#include "calls/large_count.h"
#include "calls/point_to_point.h"
#include "record/message_size.h"
#include "record/record.h"

static int send_defined(tracer_call *c, tracer_region region, int rc, MPI_Count count,
                        MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                        const MPI_Request *request)
{
    tracer_leave(c);
    if (rc == MPI_SUCCESS) {
        tracer_request *r =
            tracer_post(*request, REQUEST_SEND, tracer_bytes(count, type), dest, tag, comm);
        r->persistent = true;
        r->active = false;
        if (r->known) {
            tracer_attr_comm(r->comm);
            tracer_attr_i32(ATTR_PEER, dest == MPI_PROC_NULL ? -2 : dest);
            tracer_attr_i32(ATTR_TAG, tag);
            tracer_attr_u64(ATTR_BYTES, r->bytes);
            tracer_attr_u64(ATTR_REQUEST, r->id);
        }
    }
    tracer_plain(c, region);
    return rc;
}

static int recv_defined(tracer_call *c, tracer_region region, int rc, MPI_Count count,
                        MPI_Datatype type, int source, int tag, MPI_Comm comm,
                        const MPI_Request *request)
{
    tracer_leave(c);
    if (rc == MPI_SUCCESS) {
        tracer_request *r =
            tracer_post(*request, REQUEST_RECV, tracer_bytes(count, type), source, tag, comm);
        r->persistent = true;
        r->active = false;
        tracer_attr_receive(r);
    }
    tracer_plain(c, region);
    return rc;
}

#define FORM(NAME) NAME
#define COUNT      int
#include "calls/persistent.inl"
#undef FORM
#undef COUNT
#ifdef TRACER_LARGE_COUNTS
#define FORM(NAME) NAME##_c
#define COUNT      MPI_Count
#include "calls/persistent.inl"
#endif

static void started(MPI_Request request)
{
    tracer_request *r = tracer_request_find(tracer_request_bits(request));
    if (r != NULL) {
        r->active = true;
        tracer_put_post(r);
    }
}

TRACER_WRAP(Start, (MPI_Request * request), (request))
{
    tracer_call c;
    tracer_enter(&c);
    const int rc = real_Start()(request);
    tracer_leave(&c);
    tracer_open(&c, REGION_Start);
    if (rc == MPI_SUCCESS) {
        started(*request);
    }
    tracer_close();
    return rc;
}

TRACER_WRAP(Startall, (int count, MPI_Request *requests), (count, requests))
{
    tracer_call c;
    tracer_enter(&c);
    const int rc = real_Startall()(count, requests);
    tracer_leave(&c);
    tracer_open(&c, REGION_Startall);
    for (int i = 0; rc == MPI_SUCCESS && i < count; i++) {
        started(requests[i]);
    }
    tracer_close();
    return rc;
}
