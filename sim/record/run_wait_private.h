/* sim/record/run_wait_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * Following a record from its beginning: which instants a step follows from, which it makes known,
 * and how long each is needed. How long can only be seen from the end of a log; so each log is read
 * backwards first, which leaves a byte for each step, its *mark*, in a file.
 */
#pragma once

#include "record/instant_table_private.h"
#include "record/message_cost_private.h"
#include "record/run_record_private.h"
#include "sim/run_wait.h"

enum { MOST_USED = 3, MOST_MADE = 4 }; /* by a step, of its own log */

/* ---- run_wait_marks.c ---- */

/** Instants of the log of @p step that it follows from. @return how many */
unsigned sim_step_uses(const record_step *step, instant_key out[MOST_USED]);
/** Those that it makes known. @return how many */
unsigned sim_step_makes(const record_step *step, instant_key out[MOST_MADE]);

/* Of a mark. */
static inline bool mark_is_last_use(uint8_t mark, unsigned used)
{
    return (mark >> used & 1) != 0;
}
static inline bool mark_is_needed(uint8_t mark, unsigned made)
{
    return (mark >> MOST_USED >> made & 1) != 0;
}

/* Where the bytes of a chunk and the marks of its steps are. */
typedef struct marked_chunk {
    uint64_t offset;
    uint64_t marks;
} marked_chunk;

typedef struct record_marks {
    const sim_run_record *record;
    GArray **chunks; /* [num_partitions] of marked_chunk, last one first */
    FILE *file;
    uint64_t bytes;
} record_marks;

/** @return false with G_FILE_ERROR or SIM_ERROR_BAD_FILE; to be cleared even then */
bool sim_record_marks_init(record_marks *marks, const sim_run_record *record, GError **error);
void sim_record_marks_clear(record_marks *marks);
/**
 * Read chunk @p i of log @p partition, its last is 0, to place->data and its steps to place->step.
 * @param mark [RECORD_CHUNK_BYTES] gets a mark for each of the place->n steps
 * @return false: see @p wrong, owned by the caller
 */
bool sim_record_marks_read(const record_marks *marks, uint32_t partition, guint i,
                           record_place *place, uint8_t *mark, char **wrong);

/* ---- run_wait_step.c: one step after the other ---- */

typedef struct followed_log {
    guint chunks_left;
    record_place place;
    size_t next; /* of place.step */
    uint8_t *mark;
} followed_log;

typedef struct wait_walk {
    const sim_run_record *record;
    sim_level level[MESSAGE_LEVELS];
    message_costs costs[MESSAGE_LEVELS];
    bool async;
    bool instant;
    record_marks marks;
    followed_log *log; /* [num_partitions] */
    instant_table table;
    sim_time finish;            /* latest so far */
    sim_wait_visit *visit;      /* NULL: waits are not told of */
    sim_work_visit *visit_work; /* NULL: nor is work */
    void *user;
    char *wrong; /* NULL: nothing */
} wait_walk;

/* A step that happens now. */
typedef struct happening {
    const record_step *s;
    instant used[MOST_USED]; /* as sim_step_uses() lists them */
    unsigned num_used;
    instant made[MOST_MADE]; /* keys as sim_step_makes() lists them */
    unsigned num_made;
} happening;

/** The record is damaged: the first to say so says why. */
void sim_wait_fail(wait_walk *walk, const char *format, ...) G_GNUC_PRINTF(2, 3);
/** What a step needs of another rank, which has to be in the table. @return false: nothing */
bool sim_wait_needs(const wait_walk *walk, const record_step *step, instant_key *out);
/** A step happens: tell of its waits, give what it makes known its instants. */
void sim_wait_follow(wait_walk *walk, happening *now);
