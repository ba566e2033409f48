/* apps/tracer/tracer.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What the parts of the preloaded library share. One record per MPI call, noted when the call has
 * returned: its Enter with the attributes, the standard records in it, its Leave. The clock for
 * the next computation starts after that, so recording costs wall clock, never CPU time of the
 * program.
 *
 * A wrapper reads
 *
 *     tracer_call c;
 *     tracer_enter(&c);            clocks; calls made inside this one are not recorded
 *     int rc = real_Send()(...);
 *     tracer_leave(&c);            clock; takes the lock of the writer
 *     tracer_attr_...              what belongs to the Enter
 *     tracer_open(&c, REGION_Send);
 *     tracer_put_...               records in the call
 *     tracer_close();              Leave; gives the lock back
 */
#pragma once

#include "regions.h"
#include "sched/otf2_names.h"

#include <mpi.h>
#include <otf2/otf2.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define TRACER_EXPORT __attribute__((visibility("default")))

typedef enum {
#define X(symbol, ...) ATTR_##symbol,
    SCHED_OTF2_ATTRIBUTES(X)
#undef X
        ATTR_COUNT
} tracer_attribute;

typedef enum {
#define X(symbol, name) PARAM_##symbol,
    SCHED_OTF2_PARAMETERS(X)
#undef X
        PARAM_COUNT
} tracer_parameter;

typedef struct tracer_call {
    uint64_t enter; /* ns of the monotonic clock */
    uint64_t leave;
    int64_t cpu; /* ns since the call before in this thread; -1: its first */
    tracer_region region;
} tracer_call;

/* What a collective is, in the words of OTF2 and of the converter. */
typedef struct tracer_collective {
    OTF2_CollectiveOp op;
    uint32_t root;     /* OTF2_COLLECTIVE_ROOT_NONE: the call has none */
    uint64_t bytes;    /* coll_call.bytes */
    uint64_t sent;     /* this rank, to all partners */
    uint64_t received; /* this rank, from all partners */
    bool in_place;
} tracer_collective;

typedef struct tracer_comm {
    MPI_Comm handle;
    uint32_t id; /* the same on all members */
    int size;
    int rank;
    bool known; /* false: an intercommunicator, or one that was made behind our back */
} tracer_comm;

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

/* --- state.c: the life of the library --- */
typedef enum { TRACER_BEFORE, TRACER_ON, TRACER_OVER } tracer_phase;
typedef struct tracer_state {
    _Atomic tracer_phase phase;
    OTF2_EvtWriter *events;
    OTF2_DefWriter *definitions;
    MPI_Comm world; /* MPI_COMM_WORLD for our own messages */
    char *dir;
    int rank;
    int size;
    bool threads; /* MPI_THREAD_MULTIPLE: the lock is needed */
    bool paused;  /* by MPI_Pcontrol(0) */
    uint64_t start;
} tracer_state;
extern tracer_state tracer;
extern _Thread_local bool tracer_inside __attribute__((tls_model("initial-exec")));

/** Is this call made by the program itself, while we record? */
static inline bool tracer_outermost(void)
{
    return atomic_load_explicit(&tracer.phase, memory_order_relaxed) == TRACER_ON && !tracer_inside;
}
/** Is the caller one of MPI's Fortran bindings, which call the PMPI entry of the C function? */
bool tracer_from_fortran(const void *caller);
/** The next definition of a symbol behind ours; ends the process if there is none. */
void *tracer_next(const char *symbol);
/** Zeroed; ends the process if there is none. */
void *tracer_calloc(size_t n, size_t width);
void tracer_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/** Write out what this process has, without talking to others. Once; later calls do nothing. */
void tracer_save(const char *why);
/** Everything is open: record from here on, and do not die without saving. */
void tracer_go(bool threads);
/** This process's files, on their own: what archive.c says. False on failure. */
bool tracer_archive_close(void);
bool tracer_archive_open(void);
uint64_t tracer_archive_bytes(void);
uint64_t tracer_archive_events(void);
/** How often OTF2 complained; not all of its functions return it. */
unsigned tracer_archive_errors(void);
/** What OTF2 first complained of, or NULL. */
const char *tracer_archive_error(void);

/* --- cpu.c --- */
/** ns of the monotonic clock. */
uint64_t tracer_clock(void);
/** Find out how CPU time can be had; before the first tracer_cpu. */
void tracer_cpu_start(void);
/** CPU time of this thread in ns. @p wall: tracer_clock, read just now */
uint64_t tracer_cpu(uint64_t wall);

/* --- record.c --- */
void tracer_enter(tracer_call *c);
void tracer_leave(tracer_call *c);
void tracer_attr_i32(tracer_attribute a, int value);
void tracer_attr_u64(tracer_attribute a, uint64_t value);
void tracer_attr_comm(uint32_t comm);
void tracer_open(tracer_call *c, tracer_region region);
void tracer_close(void);
/** An unsuccessful poll; a run of them is one record. Opens and closes. */
void tracer_poll(tracer_call *c, tracer_region region);
/** Nothing to say but the call and its time. Opens and closes. */
void tracer_plain(tracer_call *c, tracer_region region);
void tracer_put_send(const tracer_comm *comm, int peer, int tag, uint64_t bytes);
void tracer_put_recv(const tracer_comm *comm, const MPI_Status *status);
void tracer_put_post(const tracer_request *r);
void tracer_put_complete(const tracer_request *r, const MPI_Status *status);
void tracer_put_collective(const tracer_comm *comm, const tracer_collective *what);
void tracer_put_collective_post(uint64_t request);
void tracer_put_counts(tracer_parameter which, const uint64_t *bytes, int n);
void tracer_put_parameter(tracer_parameter which, uint64_t value);
uint64_t tracer_calls(void);
uint64_t tracer_calls_of_other_threads(void);
/** Before the first call; by the thread that initialises MPI. */
void tracer_record_start(void);
/** Hand everything to OTF2. @return false: OTF2 was interrupted at work; that cannot be saved */
bool tracer_record_end(void);
/**
 * Around calls of OTF2, so that nothing that interrupts them makes some as well.
 * @return false: somebody is at it
 */
bool tracer_otf2_begin(void);
void tracer_otf2_end(void);
/** The lock of the notes and of the tables; taken by tracer_leave, given back at close. */
void tracer_lock(void);
void tracer_unlock(void);

/* --- comm.c --- */
void tracer_comm_start(void);
/** Never NULL; .known is false where messages cannot be attributed. Valid until the next call. */
const tracer_comm *tracer_comm_find(MPI_Comm comm);
/** The members of a new communicator agree on its id. Collective; not under the lock. */
uint32_t tracer_comm_agree(MPI_Comm comm);
/** Know it from here on. */
void tracer_comm_add(MPI_Comm comm, uint32_t id);
void tracer_comm_forget(MPI_Comm comm);
/** An id for a communicator whose rank 0 is this process. */
uint32_t tracer_comm_new_id(void);
/** The communicators whose rank 0 is this process: id, size, members, id, size, ... */
const uint32_t *tracer_comm_led(size_t *words);

/* --- request.c --- */
uint64_t tracer_request_bits(MPI_Request request);
tracer_request *tracer_request_add(MPI_Request request, tracer_request_kind kind);
/** NULL: not one of ours. */
tracer_request *tracer_request_find(uint64_t handle);
void tracer_request_drop(tracer_request *r);
/** After a completion: forget it, or let a persistent request rest. */
void tracer_request_finish(tracer_request *r);

/* --- point_to_point.c --- */
uint64_t tracer_bytes(int count, MPI_Datatype type);
uint64_t tracer_status_bytes(const MPI_Status *status);
/** A posted send or receive, as it was asked for. Under the lock. */
tracer_request *tracer_post(MPI_Request request, tracer_request_kind kind, uint64_t bytes, int peer,
                            int tag, MPI_Comm comm);
void tracer_attr_receive(const tracer_request *r);

/* --- clock.c --- */
void tracer_clock_align(bool first);

/* --- definitions.c: rank 0 --- */
typedef struct tracer_definitions {
    const char *dir;
    int size;
    const uint64_t *events; /* [size]; NULL: not known yet */
    const uint32_t *nodes;  /* [size] number of the node of each rank */
    char *const *node_names;
    int num_nodes;
    const uint32_t *comms; /* as tracer_comm_led, of all ranks */
    size_t comm_words;
    uint64_t start;
    uint64_t end; /* 0: not known yet */
} tracer_definitions;
/** @return false if they could not be written */
bool tracer_definitions_write(const tracer_definitions *d);

/**
 * One MPI function: its MPI_ and PMPI_ entry, which call trace_NAME for calls of the program and
 * the library's own function otherwise. The body of trace_NAME follows.
 */
// NOLINTBEGIN(bugprone-macro-parentheses): PARAMS and ARGS are lists with their parentheses
#define TRACER_REAL(NAME, PARAMS)                                                                  \
    typedef int(*NAME##_function) PARAMS;                                                          \
    static NAME##_function real_##NAME(void)                                                       \
    {                                                                                              \
        static _Atomic(NAME##_function) known;                                                     \
        NAME##_function f = atomic_load_explicit(&known, memory_order_relaxed);                    \
        if (f == NULL) {                                                                           \
            f = (NAME##_function)tracer_next("PMPI_" #NAME);                                       \
            atomic_store_explicit(&known, f, memory_order_relaxed);                                \
        }                                                                                          \
        return f;                                                                                  \
    }
#define TRACER_WRAP(NAME, PARAMS, ARGS)                                                            \
    TRACER_REAL(NAME, PARAMS)                                                                      \
    static int trace_##NAME PARAMS;                                                                \
    TRACER_EXPORT int MPI_##NAME PARAMS                                                            \
    {                                                                                              \
        return tracer_outermost() ? trace_##NAME ARGS : real_##NAME() ARGS;                        \
    }                                                                                              \
    TRACER_EXPORT int PMPI_##NAME PARAMS                                                           \
    {                                                                                              \
        return tracer_outermost() && tracer_from_fortran(__builtin_return_address(0))              \
                   ? trace_##NAME ARGS                                                             \
                   : real_##NAME() ARGS;                                                           \
    }                                                                                              \
    static int trace_##NAME PARAMS
// NOLINTEND(bugprone-macro-parentheses)
