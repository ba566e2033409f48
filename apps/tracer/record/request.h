/* apps/tracer/record/request.h — SPDX-License-Identifier: GPL-3.0-or-later */
/** @file Open requests by the bits of their handle, and what they are for. */
#pragma once

#include <mpi.h>
#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdint.h>

/* What a collective is, in the words of OTF2 and of the converter. */
typedef struct tracer_collective {
    OTF2_CollectiveOp op;
    uint32_t root;     /* OTF2_COLLECTIVE_ROOT_NONE: the call has none */
    uint64_t bytes;    /* coll_call.bytes */
    uint64_t sent;     /* this rank, to all partners */
    uint64_t received; /* this rank, from all partners */
    bool in_place;
} tracer_collective;

typedef enum { REQUEST_SEND, REQUEST_RECV, REQUEST_COLLECTIVE, REQUEST_COMM } tracer_request_kind;

typedef struct tracer_request {
    uint64_t handle; /* the bits of the MPI_Request */
    uint64_t id;     /* unique in this process, also over the starts of a persistent request */
    uint64_t bytes;
    tracer_collective collective;
    MPI_Comm *new_comm;  /* REQUEST_COMM: where MPI_Comm_idup put it */
    MPI_Request id_sent; /* REQUEST_COMM: brings the id of the new communicator */
    uint32_t new_id;
    uint32_t comm;
    int peer; /* as asked for */
    int tag;
    tracer_request_kind kind;
    bool known; /* the communicator is */
    bool persistent;
    bool active;
    bool cancelled;
    struct tracer_request *next; /* in its bucket */
} tracer_request;

/** What tells a request apart: its handle as a number. */
uint64_t tracer_request_bits(MPI_Request request);
tracer_request *tracer_request_add(MPI_Request request, tracer_request_kind kind);
/** NULL: not one of ours. */
tracer_request *tracer_request_find(uint64_t handle);
void tracer_request_drop(tracer_request *r);
/** After a completion: forget it, or let a persistent request rest. */
void tracer_request_finish(tracer_request *r);
/** All that are open. @p visit  may drop the one it is given */
void tracer_request_each(void (*visit)(tracer_request *r));
