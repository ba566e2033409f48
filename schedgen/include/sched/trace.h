/* sched/trace.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * A recorded MPI program in memory, whatever file it came from: per rank the MPI calls in the
 * order in which they were made. Readers fill it, the conversion reads it.
 */
#pragma once

#include "coll/kind.h"
#include "sim/time.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

#define SCHED_ANY        UINT32_MAX       /* MPI_ANY_SOURCE, MPI_ANY_TAG */
#define SCHED_PROC_NULL  (UINT32_MAX - 1) /* MPI_PROC_NULL */
#define SCHED_UNKNOWN    (UINT32_MAX - 2) /* not recorded */
#define SCHED_NO_REQUEST UINT64_MAX

typedef enum {
    SCHED_CALL_OTHER,    /* no communication that is converted; its time counts as compute */
    SCHED_CALL_INIT,     /* tracing starts at its leave */
    SCHED_CALL_FINALIZE, /* the last call of a complete rank */
    SCHED_CALL_SEND,     /* blocking, any mode */
    SCHED_CALL_RECV,
    SCHED_CALL_SENDRECV,   /* also Sendrecv_replace */
    SCHED_CALL_ISEND,      /* nonblocking, any mode; posts `request` */
    SCHED_CALL_IRECV,      /* posts `request` */
    SCHED_CALL_SEND_INIT,  /* persistent: defines `request` */
    SCHED_CALL_RECV_INIT,  /* persistent: defines `request` */
    SCHED_CALL_START,      /* posts the persistent requests in its list */
    SCHED_CALL_COMPLETE,   /* wait and test families: the requests in its list are complete */
    SCHED_CALL_CANCEL,     /* the (unmatched) receive or send in its list never happens */
    SCHED_CALL_COLLECTIVE, /* blocking */
    SCHED_CALL_ICOLLECTIVE /* nonblocking: posts `request` */
} sched_call_kind;

typedef struct sched_call {
    sim_time enter; /* wall clock, on a clock common to all ranks as far as the file allows */
    sim_time leave;
    sim_time cpu;        /* CPU time of the computation since the call before; -1: not recorded */
    sim_time cpu_inside; /* CPU time from enter to leave; -1: not recorded */
    int64_t bytes;      /* sent; receives: that came, else that fit; collectives: coll_call.bytes */
    int64_t recv_bytes; /* SENDRECV: the receive side */
    int64_t room;       /* receives, SENDRECV: bytes that fit, as posted; -1: not recorded */
    uint64_t request;   /* ISEND, IRECV, *_INIT, ICOLLECTIVE; unique in its rank; a persistent
                           request keeps its number over all its starts */
    uint64_t list; /* first of num_list entries in sched_rank.requests (START, COMPLETE, CANCEL) */
    uint64_t counts; /* v-collectives: send, then recv counts in sched_rank.counts */
    uint32_t num_list;
    uint32_t num_send_counts; /* bytes per partner; 0: the call has none */
    uint32_t num_recv_counts;
    uint32_t peer;      /* rank in comm: destination, or source as asked for (SCHED_ANY) */
    uint32_t tag;       /* as asked for (SCHED_ANY) */
    uint32_t recv_peer; /* SENDRECV: source as asked for */
    uint32_t recv_tag;
    /** Receives with wildcards: source and tag of the message that came (of IRECV and persistent
     * receives, the completion says them); SCHED_UNKNOWN: not recorded. */
    uint32_t matched_peer;
    uint32_t matched_tag;
    uint32_t comm;      /* index in sched_trace.comms */
    uint32_t root;      /* rooted collectives: rank in comm */
    uint32_t name;      /* index in sched_trace.names: "MPI_Send" */
    uint32_t line;      /* line or record in the rank's file, for messages; 0: unknown */
    uint8_t kind;       /* sched_call_kind */
    uint8_t collective; /* coll_kind */
    bool in_place;
    bool synchronous; /* Ssend, Issend, Ssend_init: completes only when matched */
} sched_call;

typedef struct sched_comm {
    char *name; /* "MPI_COMM_WORLD", or what the file calls it; never NULL */
    uint32_t size;
    uint32_t *members; /* [size] world rank of each rank of the communicator; NULL: unknown */
} sched_comm;

/** Calls in a compact form: to be walked through, or unpacked. */
typedef struct sched_packed sched_packed;

typedef struct sched_rank {
    char *file; /* what it was read from, for messages */
    uint64_t num_calls;
    sched_call *calls;    /* [num_calls]; NULL if packed */
    sched_packed *packed; /* NULL: not packed */
    uint64_t num_requests;
    uint64_t *requests; /* [num_requests] pool for sched_call.list; NULL if packed */
    uint64_t num_counts;
    int64_t *counts; /* [num_counts] pool for sched_call.counts; bytes */
    bool complete;   /* the record ends with MPI_Finalize */
    /* of what is appended: room in the arrays */
    uint64_t max_calls;
    uint64_t max_requests;
    uint64_t max_counts;
} sched_rank;

/** Something that could not be read or is not converted: named and counted. */
typedef struct sched_notice {
    char *what; /* "MPI_Waitany: which request completed is not in this format" */
    uint64_t count;
    double share; /* of the time of all ranks that it concerns; 0: it is not about time */
} sched_notice;

typedef struct sched_trace {
    char *path;
    char *format; /* "liballprof 1 (PMPI Tracer)", "OTF2 (Ripple)", "OTF2 (Score-P)" */
    uint32_t num_ranks;
    sched_rank *ranks;  /* [num_ranks] */
    uint32_t num_comms; /* comms[0] is MPI_COMM_WORLD */
    sched_comm *comms;
    GPtrArray *names;       /* of char *: MPI function names */
    GHashTable *name_index; /* name to its place in names; sched_trace_name()'s own */
    GArray *notices;        /* of sched_notice */
} sched_trace;

/** An empty trace (ranks without calls, comms[0] = world). Owned by the caller. */
sched_trace *sched_trace_new(const char *path, const char *format, uint32_t num_ranks);
void sched_trace_free(sched_trace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(sched_trace, sched_trace_free)

/** Index of a function name, added if new. O(1) expected. */
uint32_t sched_trace_name(sched_trace *trace, const char *name);
/** Append a communicator; takes @p members (may be NULL). @return its index */
uint32_t sched_trace_add_comm(sched_trace *trace, const char *name, uint32_t size,
                              uint32_t *members);
/** Count @p n more of @p what (printf format). */
void sched_trace_notice(sched_trace *trace, uint64_t n, const char *what, ...) G_GNUC_PRINTF(3, 4);

/** A list of sched_notice that frees what it holds; count @p n more of @p what in it. */
GArray *sched_notices_new(void);
void sched_notices_add(GArray *notices, uint64_t n, const char *what);

/**
 * Append a call. Amortised O(1).
 * @return valid until the next append; zeroed, but request = SCHED_NO_REQUEST, cpu = cpu_inside =
 * room = -1, matched_peer = matched_tag = SCHED_UNKNOWN
 */
sched_call *sched_rank_append(sched_rank *rank);
/** Append to sched_rank.requests, or sched_rank.counts. @return the index there. Amortised O(1). */
uint64_t sched_rank_add_request(sched_rank *rank, uint64_t request);
uint64_t sched_rank_add_count(sched_rank *rank, int64_t bytes);

void sched_rank_clear(sched_rank *rank); /* frees what it holds, not the rank itself */

/**
 * Keep the calls in some 10 to 25 bytes each instead of 136 and their requests; a loop of the
 * program in 2 to 5 for each call, or, where its times are the same again, in next to nothing.
 * Nothing is lost: unpacked again, they are as before. O(calls)
 */
void sched_rank_pack(sched_rank *rank);
void sched_rank_unpack(sched_rank *rank);
void sched_trace_pack(sched_trace *trace);
void sched_trace_unpack(sched_trace *trace);

/**
 * A way through the calls of a rank, packed or not:
 *
 *     sched_walk walk;
 *     sched_walk_begin(&walk, rank);
 *     for (const sched_call *call; (call = sched_walk_next(&walk)) != NULL;) { ... }
 *     sched_walk_end(&walk);
 *
 * It takes 60 bytes for each call that differs from all before it in more than time.
 */
typedef struct sched_walk {
    const sched_rank *rank;   /* borrowed; not to be changed meanwhile */
    uint64_t next;            /* index of the next call */
    const uint64_t *requests; /* what sched_call.list counts in: of the call at hand */
    struct sched_walk_state *state;
} sched_walk;

void sched_walk_begin(sched_walk *walk, const sched_rank *rank);
/** @return valid until the next call of this; NULL at the end */
const sched_call *sched_walk_next(sched_walk *walk);
void sched_walk_end(sched_walk *walk);

/** Is there a call of that kind? O(different calls) if packed, else O(calls). */
bool sched_rank_has_kind(const sched_rank *rank, sched_call_kind kind);
/** false: no receive takes any source or any tag. O(1) */
bool sched_rank_may_be_wild(const sched_rank *rank);
/** When the first of its calls, of which there is one, begins. O(1) */
sim_time sched_rank_begin(const sched_rank *rank);
/** Bytes that its calls, requests and counts take. O(1) */
size_t sched_rank_bytes(const sched_rank *rank);
/** Make all calls so much later. O(1) if packed */
void sched_rank_shift(sched_rank *rank, sim_time by);

/**
 * Read a trace of any format: the anchor file of an OTF2 archive or its directory; a liballprof
 * file (any rank's), the directory of such files, or a tar archive (plain, .gz, .xz, .zst).
 * @return owned by the caller; NULL with SCHED_ERROR
 */
sched_trace *sched_trace_read(const char *path, GError **error);

G_END_DECLS
