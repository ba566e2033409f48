/* schedgen/dumpi/dumpi_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The reader of DUMPI in parts: which files (dumpi_set.c), a file as numbers (dumpi_stream.c), a
 * record (dumpi_function.c, dumpi_record.c), the call it stands for (dumpi_call.c, with
 * dumpi_type.c and dumpi_request.c), communicators over all ranks (dumpi_comm.c), and all of it
 * together (dumpi.c).
 */
#pragma once

#include "sched/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DUMPI_NONE UINT32_MAX

/* ---- dumpi_stream.c ---- */

/** A file, read from its beginning; numbers are big-endian. */
typedef struct dumpi_stream {
    const char *file; /* for messages; borrowed, as the data */
    const uint8_t *data;
    size_t at;
    size_t end;       /* of what may be read */
    bool is_cut;      /* something lay behind the end; what was read of it is 0 */
    uint32_t record;  /* from 1 */
    size_t begin;     /* of the record */
    const char *what; /* the function of the record; NULL: none yet */
} dumpi_stream;

/** What a file says beside its records. */
typedef struct dumpi_head {
    uint64_t wall_s; /* what seconds of the wall clock begin at */
    GArray *sizes;   /* of int64_t: bytes of a type, by number; -1: not known. Owned */
} dumpi_head;

/** Does a file begin as one of DUMPI does? */
bool sched_dumpi_is_head(const char *data, size_t size);
/** Find the records: @p stream stands at the first. @return false with SCHED_ERROR */
bool sched_dumpi_stream_open(dumpi_stream *stream, const char *file, const char *data, size_t size,
                             dumpi_head *head, GError **error);
/** The next @p bytes (1 to 8) as a number without sign. */
uint64_t sched_dumpi_take(dumpi_stream *stream, int bytes);
void sched_dumpi_skip(dumpi_stream *stream, uint64_t bytes);
/** @return false with SCHED_ERROR_BAD_FILE naming file, record and value */
bool sched_dumpi_fail(const dumpi_stream *stream, const char *what, int64_t value, GError **error);

/* ---- dumpi_function.c ---- */

/** What a call does beyond being one. */
typedef enum {
    DUMPI_PLAIN,
    DUMPI_WAIT,    /* all its requests are complete, if its flag says so */
    DUMPI_ANY,     /* the one that its index says */
    DUMPI_SOME,    /* those of its list of indices */
    DUMPI_FORGET,  /* MPI_Request_free */
    DUMPI_CANCEL,  /* MPI_Cancel */
    DUMPI_TYPE,    /* makes a type of count times block old ones */
    DUMPI_TYPE_OF, /* makes a type of blocks of several lengths */
    DUMPI_COMM_FREE,
    DUMPI_COMM_DUP, /* from here on: make communicators */
    DUMPI_COMM_SPLIT,
    DUMPI_COMM_CART,
    DUMPI_COMM_SUB,
    DUMPI_COMM_OTHER /* of members that are not in the record */
} dumpi_action;

typedef struct dumpi_function {
    const char *name;
    const char *args; /* dumpi_record.c; NULL: not known */
    uint8_t kind;     /* sched_call_kind */
    uint8_t detail;   /* coll_kind; of sends and waits: 1 synchronous; of receives: nothing */
    uint8_t action;   /* dumpi_action */
} dumpi_function;

/** By number; NULL: there is none. Its name is known, its arguments may not be. */
const dumpi_function *sched_dumpi_function(unsigned number);
bool sched_dumpi_is_end(unsigned number);

/* ---- dumpi_record.c ---- */

/** A list in the file. */
typedef struct dumpi_list {
    const uint8_t *at;
    uint32_t n;
    int bytes; /* of an entry */
} dumpi_list;

int32_t sched_dumpi_entry(const dumpi_list *list, uint32_t i);

typedef struct dumpi_status {
    int32_t bytes, source, tag;
    bool is_cancelled;
} dumpi_status;

/** What a record says; arguments that its function does not have are 0. */
typedef struct dumpi_record {
    const dumpi_function *function;
    uint16_t thread;
    bool has_wall, has_cpu;
    uint64_t wall_s[2], cpu_s[2]; /* enter, leave: 16 bits of the seconds */
    uint32_t wall_ns[2], cpu_ns[2];
    int32_t count, other_count, block;
    uint16_t type, other_type, new_type;
    int32_t dest, source, tag, other_tag;
    uint16_t comm, new_comm;
    int32_t comm_rank, root;
    int32_t flag, index, color, key, reorder;
    uint32_t request;
    dumpi_list requests, indices, send_counts, recv_counts, types, other_types, dims, blocks;
    dumpi_list statuses;
} dumpi_record;

/** @return false with an error; *@p is_end: there was none left */
bool sched_dumpi_record_read(dumpi_stream *stream, dumpi_record *out, bool *is_end, GError **error);
/** @return false: there is none */
bool sched_dumpi_status(const dumpi_record *record, uint32_t i, dumpi_status *out);

/* ---- dumpi_call.c ---- */

/** A communicator as one rank sees it. */
typedef struct dumpi_comm {
    uint32_t parent; /* of the rank's; DUMPI_NONE: the world, or the rank itself */
    uint8_t action;  /* dumpi_action that made it */
    bool is_member;  /* the rank got one */
    bool reorder;
    int32_t color, key;
    dumpi_list dims;
    uint32_t comm; /* in the trace, found last; DUMPI_NONE: not known */
    uint32_t line; /* record */
} dumpi_comm;

/** One rank while it is read. */
typedef struct dumpi_rank {
    dumpi_stream stream;
    dumpi_head head;
    GHashTable *requests; /* of dumpi_request, by their numbers in the file */
    GArray *comms;        /* of dumpi_comm; 0: the world, 1: the rank itself */
    GHashTable *comm_of;  /* handle to index + 1 in comms */
    uint64_t next_request;
    uint64_t offset_s;            /* of the wall clock, to the first of all ranks */
    uint64_t wall_turn, cpu_turn; /* seconds above what 16 bits hold */
    uint64_t last_wall_s, last_cpu_s;
    sim_time last;      /* leave of the call before */
    sim_time last_cpu;  /* -1: not known */
    int32_t thread;     /* that calls MPI; -1: none so far */
    bool has_cancelled; /* it called MPI_Cancel */
    uint64_t set_back;  /* calls that began before the one before had ended */
} dumpi_rank;

void sched_dumpi_rank_init(dumpi_rank *rank);
void sched_dumpi_rank_clear(dumpi_rank *rank);
/** Append the calls of all its records to @p out; comm of these is an index in rank->comms. */
bool sched_dumpi_rank_read(dumpi_rank *rank, sched_trace *trace, sched_rank *out, GError **error);

/** What is being read, and into what. */
typedef struct dumpi_reading {
    dumpi_rank *rank;
    sched_rank *out;
    const dumpi_record *r;
    sched_call *call; /* of the record */
    GError **error;
} dumpi_reading;

/* ---- dumpi_type.c ---- */

/** Bytes of @p count elements. @return false with an error: their type is not known */
bool sched_dumpi_bytes(const dumpi_reading *in, int32_t count, uint32_t type, int64_t *out);
/** What the record says of a new type, where it says enough; else what the file has of its number
 * stays. */
void sched_dumpi_type_make(dumpi_rank *rank, const dumpi_record *r);
void sched_dumpi_type_make_of_blocks(dumpi_rank *rank, const dumpi_record *r);

/* ---- dumpi_request.c ---- */

/** What came in: source, tag, and bytes if they are no more than @p bytes. */
void sched_dumpi_match(sched_call *receive, int64_t *bytes, uint32_t asked, uint32_t tag,
                       const dumpi_status *status);
/** @p call, of the record, posts or, if persistent, defines a request. */
void sched_dumpi_request_post(const dumpi_reading *in, sched_call *call, bool is_persistent);
void sched_dumpi_requests_start(const dumpi_reading *in);
/** The requests of the record may be cancelled from here on. */
void sched_dumpi_request_mark(const dumpi_reading *in);
/** All that the record says is complete: the cancelled ones, or the others. */
bool sched_dumpi_requests_complete(const dumpi_reading *in, bool cancelled);
/** What a wait found cancelled becomes a call of its own before the wait, which takes no time. */
bool sched_dumpi_requests_cancel(dumpi_reading *in, uint32_t name);

/* ---- dumpi_comm.c ---- */

/** Find the communicators of @p trace, and let its calls name them. */
void sched_dumpi_comms_resolve(sched_trace *trace, dumpi_rank *ranks);

/* ---- dumpi_set.c ---- */

/** The files of the trace that @p path is part of, in the order of ranks; owned by the caller. NULL
 * with SCHED_ERROR: there is none, or one is missing. */
char **sched_dumpi_files(const char *path, GError **error);
