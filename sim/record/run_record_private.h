/* sim/record/run_record_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The causes of a run: what each operation waited for last before it started, in some ten bytes per
 * operation. Each partition of an engine appends the *steps* of its ranks to a log of its own, in
 * the order in which it executes them, in chunks that can be read one by one. No instants are kept:
 * they follow from the makespan backwards by subtraction (critical_path.c), or from the beginning
 * by addition (run_wait.c).
 *
 * What a step names as its cause has always been executed before it.
 */
#pragma once

#include "base/rank_partition_private.h"
#include "record/message_cost_private.h"
#include "sim/out_file.h"
#include "sim/program.h"
#include "sim/run_record.h"

#include <glib.h>
#include <stdatomic.h>
#include <stdio.h>

typedef enum {
    RECORD_TURN, /* in chunks only: the steps that follow are of another rank */
    RECORD_CALC,
    RECORD_SEND,
    RECORD_POST, /* a receive has been posted */
    /* polling: the CPU takes up a receive; async: it accepts a message that has a receive */
    RECORD_RECEIVE,
    RECORD_RECEIVE_WAITED, /* in chunks only: step.waited */
    RECORD_ACCEPT,         /* async: it accepts a message that has none yet */
    RECORD_ACCEPT_WAITED,  /* in chunks only */
    RECORD_MEET,     /* rendezvous: message or request has met its receive; not async, instant */
    RECORD_CLEARED,  /* handshake: the data leave */
    RECORD_RELEASED, /* instant: a send ends as its message meets the receive, after its CPU part */
    RECORD_LATE,     /* async: an accepted message has got its receive */
    RECORD_NUM_KINDS
} record_kind;

/* What decided the instant of a step, and not something earlier. */
typedef enum {
    RECORD_BY_FINISH, /* calc, send, post: by.op had to finish (SIM_ANY: ready from 0 on) */
    RECORD_BY_START,  /* calc, send, post: by.op had to start */
    RECORD_BY_CPU,    /* calc, send, receive, accept: by what the CPU was busy with before */
    RECORD_BY_TX,     /* send, cleared: by.op, after which the interface had to wait */
    /*
     * Receive, accept: the interface had the message; meet: it arrived; cleared: the clear-to-send
     * was back; late: the CPU was done with the message.
     */
    RECORD_BY_NETWORK,
    RECORD_BY_POSTING, /* receive, meet, late: the receive was posted */
} record_bound;

/* Something that a CPU or an interface of a rank has done. */
typedef struct record_ref {
    uint32_t op;     /* an operation: of the rank itself if source is SIM_ANY, else a send */
    uint32_t source; /* the sender of an accepted message; or SIM_ANY */
} record_ref;

typedef struct record_step {
    uint8_t kind;  /* record_kind */
    uint8_t bound; /* record_bound */
    bool waited;   /* receive, accept: the interface was busy when the message arrived */
    bool later;    /* cleared: the send ends with the data, not with its CPU part */
    uint8_t level; /* message_level, of all but calc, post and released */
    uint32_t rank;
    uint32_t op;   /* of the rank; accept: once it is known (record_reader), until then SIM_ANY */
    uint32_t peer; /* receive, accept, meet, late: source; cleared, released: destination */
    uint32_t send; /* receive, accept, meet, late: operation of the source */
    record_ref by;
    record_ref rx;     /* waited: for this */
    int64_t size;      /* calc: its work; send, receive, accept, cleared: bytes of the message */
    sim_time noise[2]; /* calc; send, receive, accept: during o, then during the rest */
    sim_time distance; /* what it adds to L, of what has a level */
} record_step;

/* ---- run_record_code.c: steps as bytes ---- */

#define RECORD_STEP_BYTES 128U /* no step takes more */

/* What the next step is encoded relative to: at the beginning of a chunk, to 0. */
typedef struct record_state {
    /* Of the record, and the same for all of it: sim_record_state(). */
    bool has_levels; /* steps say which level and distance they have */
    bool has_node;
    sim_time L_hop;
    /* Of the steps before. */
    uint32_t rank;
    uint32_t op;     /* of the step before, if it had one */
    int64_t size[3]; /* of the last calc; send or cleared; receive or accept */
} record_state;

/** At the beginning of a chunk. */
record_state sim_record_state(const sim_run_record *record);
/** @param out [RECORD_STEP_BYTES]  @return the end of what was written */
uint8_t *sim_record_encode(record_state *state, const record_step *step, uint8_t *out);
/**
 * Read the next step.
 * @return its end, or NULL: the bytes are none
 */
const uint8_t *sim_record_decode(record_state *state, const uint8_t *at, const uint8_t *end,
                                 record_step *out);

/* ---- run_record.c: logs of chunks ---- */

#define RECORD_CHUNK_BYTES ((size_t)1 << 14) /* as steps, they stay in the cache */

typedef struct record_chunk record_chunk;
struct record_chunk {
    record_chunk *before;
    size_t bytes;
    uint8_t data[];
};

/* The log of one partition. */
typedef struct record_log {
    record_chunk *chunk; /* being written, or the last; NULL: nothing yet */
    uint8_t *at;         /* in it */
    const uint8_t *full; /* from here on a step may not fit */
    record_state state;
    uint32_t partition;
    sim_run_record *record; /* NULL: none */
} record_log;

struct sim_run_record {
    sim_params params;
    bool has_levels; /* the machine has [node] or distance */
    bool has_node;
    sim_level node;       /* has_node: parameters of messages within a node */
    sim_time L_hop;       /* what the distance of a message is counted in; 0: there is none */
    rank_partition ranks; /* of num_partitions logs: whose is a rank? */
    sim_time makespan;
    uint32_t makespan_rank;
    uint32_t makespan_op; /* that finishes there and then; SIM_ANY: none */
    uint64_t num_ops;
    uint64_t num_messages;
    record_log *log; /* [num_partitions] if it stays in memory */
    char *label;
    /* All that follows is for a record in a file. */
    char *path;         /* for messages; NULL: the record stays in memory */
    sim_out_file *file; /* to be put in place; NULL: the file has no name, or is read */
    FILE *stream;
    GMutex mutex;   /* guards stream, bytes and last while threads write */
    uint64_t bytes; /* of the file so far */
    uint64_t *last; /* [num_partitions] where the last chunk of each log begins; 0: there is none */
    atomic_int failed; /* errno of the first write that failed */
};

/** Parameters of the messages of each level, from what a record says. */
void sim_record_levels(const sim_run_record *record, sim_level out[MESSAGE_LEVELS]);
/** A record that stays in memory. */
sim_run_record *sim_record_new(void);
/** The run begins. @p levels: NULL: messages of all ranks take the same */
void sim_record_begin(sim_run_record *record, const sim_params *params, const sim_levels *levels,
                      const rank_partition *ranks);
/** The log of a partition, to be given back by sim_record_take() or sim_record_clear_log(). */
record_log sim_record_log(sim_run_record *record, uint32_t partition);
void sim_record_take(record_log *log);
void sim_record_clear_log(record_log *log);
/** The run is over, and the makespan and the logs are there. @return false with G_FILE_ERROR */
bool sim_record_end(sim_run_record *record, GError **error);
static inline bool sim_record_has_failed(const sim_run_record *record)
{
    return atomic_load_explicit(&record->failed, memory_order_relaxed) != 0;
}

/** @return false with G_FILE_ERROR: it cannot be written */
bool sim_record_check(const sim_run_record *record, GError **error);

/** The general path of record_add(): the chunk is full. */
void sim_record_next_chunk(record_log *log);

static inline void record_add(record_log *log, const record_step *step)
{
    if (__builtin_expect(log->at >= log->full, 0)) {
        sim_record_next_chunk(log);
    }
    log->at = sim_record_encode(&log->state, step, log->at);
}

/* ---- run_record_file.c ---- */

void sim_record_write_header(sim_run_record *record);
/** Several threads may call this at once. */
void sim_record_write_chunk(const record_log *log);
void sim_record_write_end(sim_run_record *record);
/** Header and end of record->stream: all but the logs. @return false with SIM_ERROR_BAD_FILE */
bool sim_record_read_frame(sim_run_record *record, GError **error);
/**
 * Read the chunk of log @p partition that begins at @p *offset, which moves on to the one before.
 * @param data [RECORD_CHUNK_BYTES]  @return bytes, or 0: see @p wrong, owned by the caller
 */
size_t sim_record_read_chunk(const sim_run_record *record, uint32_t partition, uint64_t *offset,
                             uint8_t *data, char **wrong);

/* ---- run_record_read.c: logs read from their ends ---- */

/* Where one log is read. */
typedef struct record_place {
    const record_chunk *chunk; /* in memory: the one to be read next; NULL: none */
    uint64_t offset;           /* in a file: where the one to be read next begins; 0: none */
    uint8_t *data;             /* in a file: the bytes of the chunk that is read */
    record_step *step;         /* [n] steps of the chunk read last that have not been returned */
    size_t n, cap;
} record_place;

typedef struct record_reader {
    const sim_run_record *record;
    record_place *place; /* [num_partitions] */
    /*
     * async: which receive an accepted message has met is recorded after its acceptance, so that
     * reading backwards finds it first. As many entries as there were such messages at a time.
     */
    GHashTable *late;
    char *wrong; /* with the record; NULL: nothing */
} record_reader;

/**
 * The steps of the @p bytes of a chunk of log @p partition, behind the place->n that are there.
 * @return false: it is damaged; see @p wrong, owned by the caller
 */
bool sim_record_decode_chunk(const sim_run_record *record, uint32_t partition, const uint8_t *data,
                             size_t bytes, record_place *place, char **wrong);

void sim_record_reader_init(record_reader *reader, const sim_run_record *record);
void sim_record_reader_clear(record_reader *reader);
/** The general path of record_reader_back(). */
record_step *sim_record_reader_back(record_reader *reader, uint32_t partition);

/**
 * The step before, in the log of @p rank, the one read last there; at first its last.
 * @return valid until the next; NULL: there is none, or something is wrong
 */
static inline const record_step *record_reader_back(record_reader *reader, uint32_t rank)
{
    const uint32_t partition = rank_partition_of(&reader->record->ranks, rank);
    record_place *place = &reader->place[partition];
    if (__builtin_expect(place->n > 0, 1)) {
        const record_step *s = &place->step[place->n - 1];
        if (s->kind != RECORD_LATE && s->kind != RECORD_ACCEPT) {
            place->n--;
            return s;
        }
    }
    return sim_record_reader_back(reader, partition);
}
