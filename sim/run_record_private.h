/* sim/run_record_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * What made each operation of a run start when it did, as it happens: the happens-before of the
 * run, some ten bytes per operation. Each part of an engine appends the *steps* of its ranks to a
 * log of its own, in the order in which it executes them, in chunks that can be read one by one.
 * No instants are kept: from the makespan back they follow by subtraction (critical_path.c).
 *
 * What a step names as its cause has always been executed before it.
 */
#pragma once

#include "rank_share_private.h"
#include "sim/machine.h"
#include "sim/program.h"

#include <glib.h>

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
    RECORD_RELEASED, /* instant: meeting the receive has ended a send later than its CPU part */
    RECORD_LATE,     /* async: an accepted message has got its receive */
    RECORD_NUM_KINDS
} record_kind;

/* What decided the instant of a step, and not something earlier. */
typedef enum {
    /* calc, send, post: it was ready because of by.op (SIM_ANY: from 0 on) which had */
    RECORD_BY_FINISH,
    RECORD_BY_START,
    RECORD_BY_CPU, /* calc, send, receive, accept: by what the CPU was busy with before */
    RECORD_BY_TX,  /* send, cleared: by.op, after which the interface had to wait */
    /*
     * Receive, accept: the interface had the message; meet: it arrived; cleared: the clear-to-send
     * was back; late: the CPU was done with the message.
     */
    RECORD_BY_NETWORK,
    RECORD_BY_POSTING, /* receive, meet, late: the receive was posted */
} record_bound;

/* Something that a CPU or an interface of a rank has done. */
typedef struct record_ref {
    uint32_t op;     /* of the rank itself; or the accepted message of operation op */
    uint32_t source; /* of this rank; SIM_ANY: not that */
} record_ref;

typedef struct record_step {
    uint8_t kind;  /* record_kind */
    uint8_t bound; /* record_bound */
    bool waited;   /* receive, accept: the interface was busy when the message arrived */
    bool later;    /* cleared: the send ends with the data, not with its CPU part */
    uint32_t rank;
    uint32_t op;   /* of the rank; accept: once it is known (record_reader), until then SIM_ANY */
    uint32_t peer; /* receive, accept, meet, late: source; cleared, released: destination */
    uint32_t send; /* receive, accept, meet, late: operation of the source */
    record_ref by;
    record_ref rx;     /* waited: for this */
    int64_t size;      /* calc: its work; send, receive, accept, cleared: bytes of the message */
    sim_time noise[2]; /* calc; send, receive, accept: during o, then during the rest */
} record_step;

/* ---- run_record_code.c: steps as bytes ---- */

#define RECORD_STEP_BYTES 128U /* no step takes more */

/* What steps are told against. All 0 at the beginning of a chunk. */
typedef struct record_state {
    uint32_t rank;
    uint32_t op;     /* of the step before, if it had one */
    int64_t size[3]; /* of the last calc; send or cleared; receive or accept */
} record_state;

/** @param out room for RECORD_STEP_BYTES  @return the end of what was written */
uint8_t *sim_record_encode(record_state *state, const record_step *step, uint8_t *out);
/**
 * Read the next step.
 * @return its end, or NULL: the bytes are none
 */
const uint8_t *sim_record_decode(record_state *state, const uint8_t *at, const uint8_t *end,
                                 record_step *out);

/* ---- run_record.c: logs of chunks ---- */

#define RECORD_CHUNK_BYTES ((size_t)1 << 14)

typedef struct record_chunk record_chunk;
struct record_chunk {
    record_chunk *before;
    size_t bytes;
    uint8_t data[];
};

/* The log of one part. */
typedef struct record_log {
    record_chunk *chunk; /* being written, or the last; NULL: nothing yet */
    uint8_t *at;         /* in it */
    const uint8_t *full; /* from here on a step may not fit */
    record_state state;
} record_log;

typedef struct sim_run_record {
    sim_params params;
    rank_share share; /* of num_parts logs: whose is a rank? */
    record_log *log;  /* [share.num_parts] */
    sim_time makespan;
    uint32_t makespan_rank;
    uint32_t makespan_op; /* that finishes there and then; SIM_ANY: none */
} sim_run_record;

/** Nothing has happened yet. The logs are to be filled and put there. */
sim_run_record *sim_run_record_new(const sim_params *params, const rank_share *share);
void sim_run_record_free(sim_run_record *record);

void sim_record_clear_log(record_log *log);

/** The slow way of record_add(): the chunk is full. */
void sim_record_next_chunk(record_log *log);

static inline void record_add(record_log *log, const record_step *step)
{
    if (__builtin_expect(log->at >= log->full, 0)) {
        sim_record_next_chunk(log);
    }
    log->at = sim_record_encode(&log->state, step, log->at);
}

/* ---- run_record_read.c: logs read from their ends ---- */

/* Where one log is read. */
typedef struct record_place {
    const record_chunk *chunk; /* to be read next; NULL: none */
    size_t bytes;              /* of it */
    record_step *step;         /* [n] of the chunk before, not looked at yet */
    size_t n, cap;
} record_place;

typedef struct record_reader {
    const sim_run_record *record;
    record_place *place; /* [num_parts] */
    /*
     * async: which receive a message that was accepted has met is told later, so it is met earlier.
     * As many as there were such messages at a time.
     */
    GHashTable *late;
    char *wrong; /* with the record; NULL: nothing */
} record_reader;

void sim_record_reader_init(record_reader *reader, const sim_run_record *record);
void sim_record_reader_clear(record_reader *reader);
/** The slow way of record_reader_back(). */
record_step *sim_record_reader_back(record_reader *reader, record_place *place);

/**
 * The step before, in the log of @p rank, the one read last there; at first its last.
 * @return valid until the next; NULL: there is none, or something is wrong
 */
static inline const record_step *record_reader_back(record_reader *reader, uint32_t rank)
{
    record_place *place = &reader->place[rank_share_part_of(&reader->record->share, rank)];
    if (__builtin_expect(place->n > 0, 1)) {
        const record_step *s = &place->step[place->n - 1];
        if (s->kind != RECORD_LATE && s->kind != RECORD_ACCEPT) {
            place->n--;
            return s;
        }
    }
    return sim_record_reader_back(reader, place);
}
