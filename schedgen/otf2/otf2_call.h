/* schedgen/otf2/otf2_call.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The call under construction while a rank's events are read, the last calls before it, and the
 * requests that are open.
 */
#pragma once

#include "model/by_number_private.h"
#include "model/packer_private.h"
#include "otf2/otf2_private.h"

typedef struct sched_otf2_message {
    bool there;
    uint32_t peer;
    uint32_t comm; /* reference of the archive */
    uint32_t tag;
    uint64_t bytes;
} sched_otf2_message;

typedef struct sched_otf2_done { /* a collective, as its end records it */
    bool there;
    OTF2_CollectiveOp op;
    uint32_t comm;
    uint32_t root;
    uint64_t sent;
    uint64_t received;
} sched_otf2_done;

typedef struct sched_otf2_post {
    uint8_t kind; /* SCHED_CALL_ISEND, IRECV, ICOLLECTIVE; START: a persistent one, for nobody */
    uint64_t request;
    sched_otf2_message message;
} sched_otf2_post;

typedef struct sched_otf2_completion {
    uint64_t request;
    bool cancelled;
    sched_otf2_message message;
    sched_otf2_done collective;
} sched_otf2_completion;

typedef struct sched_otf2_posts {
    sched_otf2_post *at; /* [num] */
    uint32_t num, room;
} sched_otf2_posts;

typedef struct sched_otf2_completions {
    sched_otf2_completion *at; /* [num] */
    uint32_t num, room;
} sched_otf2_completions;

typedef struct sched_otf2_call {
    const sched_otf2_region *region;
    sim_time enter;
    /* attributes of ours */
    sim_time cpu;
    sim_time cpu_inside;
    uint64_t bytes, recv_bytes, request;
    uint32_t peer, tag, source, recv_tag, comm, root; /* SCHED_UNKNOWN: not said */
    bool has_bytes, has_recv_bytes, has_request, in_place;
    bool all_cpu; /* on the CPU from enter to leave, unless cpu_inside says otherwise */
    /* records */
    sched_otf2_message send, recv;
    sched_otf2_done collective;
    sched_otf2_posts posts;
    sched_otf2_completions completions;
    GArray *send_counts; /* of int64_t */
    GArray *recv_counts;
} sched_otf2_call;

typedef struct sched_otf2_request {
    struct sched_otf2_request *next; /* of those that are spare */
    uint64_t number;                 /* of sched_call.request */
    uint64_t call;                   /* that posted or defined it: its index in the whole rank */
    bool persistent;
} sched_otf2_request;

/* A region that was entered or left. */
typedef struct sched_otf2_region_met {
    const sched_otf2_region *region; /* NULL: none yet */
    OTF2_RegionRef ref;
} sched_otf2_region_met;

enum { SCHED_OTF2_REGIONS_MET = 32, SCHED_OTF2_ATTRIBUTE_REFS = 64 };

typedef struct sched_otf2_rank {
    sched_otf2_archive *archive;
    sched_rank *rank;     /* its calls: those since the first `taken` */
    sched_packer *packer; /* has those; NULL: all are kept as they are */
    uint64_t taken;
    uint64_t most;           /* calls since: more are looked at, whether they can be taken, too */
    uint64_t unknown;        /* nonblocking calls that never completed */
    sched_otf2_local *local; /* numbers of communicators and names in its calls */
    int64_t tick;            /* of the archive's clock, in ps; 0: no whole number of them */
    uint32_t number;
    uint32_t depth; /* of MPI functions entered */
    uint64_t events;
    uint64_t next_request;
    sched_by_number requests;  /* by the archive's number: sched_otf2_request */
    sched_otf2_request *spare; /* were in use */
    sched_otf2_call call;
    sched_otf2_region_met regions[SCHED_OTF2_REGIONS_MET]; /* by the lowest bits of the reference */
    uint32_t attributes[SCHED_OTF2_ATTRIBUTE_REFS]; /* by reference: a bit for each that it is */
    sched_otf2_region lone;                         /* of a record outside of MPI functions */
    GArray *counting;                               /* what a REPEAT repeats */
    sim_time flush_begin, flush_end; /* of the last one; not a call yet while the end is known */
    sim_time off_since;
    sim_time last; /* of the Enter or Leave before */
    bool off;
    GError *error;
} sched_otf2_rank;

void sched_otf2_rank_init(sched_otf2_rank *s);
/** Frees all but the error; names what never completed. */
void sched_otf2_rank_end(sched_otf2_rank *s);
void sched_otf2_call_begin(sched_otf2_rank *s, const sched_otf2_region *region, sim_time enter);
/** One more record of the call: all of it is to be set. Amortised O(1) */
sched_otf2_post *sched_otf2_call_post(sched_otf2_call *call);
sched_otf2_completion *sched_otf2_call_completion(sched_otf2_call *call);
/** Look up which attributes references are; before the first Enter. */
void sched_otf2_attributes_begin(sched_otf2_rank *s);
/** What the attributes of its Enter say, which are taken from @p list; it may be NULL. */
void sched_otf2_call_attributes(sched_otf2_rank *s, OTF2_AttributeList *list);
/** @return false with s->error set */
bool sched_otf2_call_end(sched_otf2_rank *s, sim_time leave);

void sched_otf2_window_begin(sched_otf2_rank *s);
/** Pack calls that nothing can change any more, if there are many. Amortised O(1) */
void sched_otf2_window_move(sched_otf2_rank *s);
/** There are no more: all calls are in s->rank, packed if so wanted. */
void sched_otf2_window_end(sched_otf2_rank *s);
