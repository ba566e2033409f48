/* schedgen/replay.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "sched/replay.h"
#include "replay_private.h"
#include "sim/large.h"

#include <inttypes.h>

/*
 * A rank goes along its record one operation ahead: `next` is decoded as soon as the operation
 * before it has become ready, and becomes ready itself when all it depends on has been told.
 * Those are the starts and finishes that convert_stamp.c draws edges from; here they are counted
 * down instead (`waits`), and their latest instant is kept.
 */
typedef struct replay_next {
    sim_op op;
    uint32_t place; /* of its request, or CONV_NONE */
    bool exists;
    bool nonblocking; /* what follows requires only its start */
    bool only_start;  /* depends on nothing but the start of the operation before it */
} replay_next;

/* An operation under way. */
typedef struct replay_open {
    uint32_t index;
    uint32_t place; /* to be marked when it finishes, or CONV_NONE */
    bool awaited;   /* by the next operation: counted in waits */
} replay_open;

/* A request: the operation it stands for, and when that finished. */
typedef struct replay_place {
    sim_time finish;
    uint32_t index;
    bool done;
} replay_place;

typedef struct replay_rank {
    sim_time ready;   /* latest instant that the next operation depends on, of those told */
    uint32_t cause;   /* whose instant that is */
    uint32_t waits;   /* finishes not yet told that it requires */
    uint32_t begun;   /* the post whose start it requires and that is not told; CONV_NONE */
    uint32_t emitted; /* operations that have become ready: the number of the next one */
    uint32_t step;    /* of the record, to be decoded next */
    uint32_t coll;    /* collective it is in, or CONV_NONE; there at: */
    uint32_t phase;
    uint32_t position;
    uint32_t sub;
    uint32_t num_open;
    replay_next next;
} replay_rank;

typedef struct replay_cursor {
    const replay *program;
    char *ranks; /* [num_ranks] of stride: replay_rank, its places, its open operations */
    size_t stride;
    size_t open_at; /* of the open operations in it */
} replay_cursor;

static replay_rank *rank_of(const replay_cursor *c, uint32_t rank)
{
    return (replay_rank *)(void *)(c->ranks + rank * c->stride);
}

static replay_place *places_of(replay_rank *r)
{
    return (replay_place *)(void *)(r + 1);
}

static replay_open *open_of(const replay_cursor *c, replay_rank *r)
{
    return (replay_open *)(void *)((char *)r + c->open_at);
}

/* A rank's places, then its open operations, follow it; ranks begin on cache lines. */
static size_t open_offset(const replay *p)
{
    return sizeof(replay_rank) + p->num_places * sizeof(replay_place);
}

static size_t rank_stride(const replay *p)
{
    const size_t line = 64;
    const size_t bytes = open_offset(p) + p->num_open * sizeof(replay_open);
    return bytes + -bytes % line;
}

size_t sched_replay_rank_bytes(const sim_program *program)
{
    return program->class == &replay_class ? rank_stride((const replay *)program) + sizeof(uint32_t)
                                           : 0;
}

static void *replay_begin(const sim_program *program)
{
    const replay *p = (const replay *)program;
    replay_cursor *c = g_new0(replay_cursor, 1);
    c->program = p;
    c->open_at = open_offset(p);
    c->stride = rank_stride(p);
    c->ranks = sim_large_new(program->num_ranks, c->stride);
    for (uint32_t r = 0; r < program->num_ranks; r++) {
        *rank_of(c, r) = (replay_rank){.cause = SIM_ANY, .begun = CONV_NONE, .coll = CONV_NONE};
    }
    return c;
}

static void replay_end(void *opaque)
{
    replay_cursor *c = opaque;
    sim_large_free(c->ranks);
    g_free(c);
}

static void wait_told(replay_rank *r, sim_time at, uint32_t cause)
{
    if (at >= r->ready) {
        r->ready = at;
        r->cause = cause;
    }
}

/* The next operation requires the request at @p place. */
static void join(const replay_cursor *c, replay_rank *r, uint32_t place)
{
    const replay_place *request = &places_of(r)[place];
    if (r->begun == request->index) {
        r->begun = CONV_NONE; /* it finishes: so it started */
    }
    if (request->done) {
        wait_told(r, request->finish, request->index);
        return;
    }
    replay_open *open = open_of(c, r);
    for (uint32_t i = 0; i < r->num_open; i++) {
        if (open[i].index == request->index) {
            r->waits += open[i].awaited ? 0 : 1;
            open[i].awaited = true;
            return;
        }
    }
}

/* One more step of the collective the rank is in. @return false when it is through */
static bool decode_collective(const replay_cursor *c, replay_rank *r, uint32_t rank)
{
    const replay *p = c->program;
    const replay_record *record = &p->record[rank % p->num_records];
    const conv_coll *coll = &record->colls[r->coll];
    const uint32_t replica = rank / p->num_records;
    const coll_call call = conv_coll_call(coll, replica, p->replicas);
    coll_cursor cursor;
    coll_step step;
    coll_cursor_begin(&cursor, &call, record->algorithms[r->coll]);
    cursor.phase = r->phase;
    cursor.position = r->position;
    cursor.sub = r->sub;
    if (!coll_cursor_next(&cursor, &step)) {
        return false;
    }
    r->phase = cursor.phase;
    r->position = cursor.position;
    r->sub = cursor.sub;
    r->next = (replay_next){.op = conv_coll_op(coll, &step, replica * p->num_records),
                            .place = CONV_NONE,
                            .exists = true,
                            .only_start = step.with_previous};
    return true;
}

/* Go along the record up to the next operation. */
static void decode(const replay_cursor *c, replay_rank *r, uint32_t rank)
{
    const replay *p = c->program;
    const replay_record *record = &p->record[rank % p->num_records];
    for (;;) {
        if (r->coll != CONV_NONE) {
            if (decode_collective(c, r, rank)) {
                return;
            }
            r->coll = CONV_NONE;
        }
        if (r->step == record->num_steps) {
            r->next.exists = false;
            return;
        }
        const conv_step *step = &record->steps[r->step++];
        if (step->type == CONV_JOIN) {
            join(c, r, step->slot);
        } else if (step->type == CONV_COLL) {
            r->coll = (uint32_t)step->size;
            r->phase = r->position = r->sub = 0;
        } else {
            const bool nonblocking = step->type == CONV_ISEND || step->type == CONV_IRECV;
            r->next =
                (replay_next){.op = conv_step_op(step, rank / p->num_records * p->num_records),
                              .place = nonblocking ? step->slot : CONV_NONE,
                              .exists = true,
                              .nonblocking = nonblocking,
                              .only_start = step->type == CONV_EXCHANGE};
            return;
        }
    }
}

/* The next operation becomes ready, and the one after it is decoded. */
static size_t emit(const replay_cursor *c, replay_rank *r, uint32_t rank, sim_time at,
                   uint32_t cause, sim_ready *out)
{
    const replay_next next = r->next;
    const uint32_t index = r->emitted++;
    *out = (sim_ready){.op = next.op, .time = at, .index = index, .cause = cause};
    if (!next.only_start) { /* else what follows still requires the one before, too */
        r->ready = 0;
        r->cause = SIM_ANY;
    }
    open_of(c, r)[r->num_open++] =
        (replay_open){.index = index, .place = next.place, .awaited = !next.nonblocking};
    r->waits += next.nonblocking ? 0 : 1;
    r->begun = next.nonblocking ? index : CONV_NONE;
    if (next.place != CONV_NONE) {
        places_of(r)[next.place] = (replay_place){.index = index};
    }
    decode(c, r, rank);
    return 1;
}

static size_t emit_if_ready(const replay_cursor *c, replay_rank *r, uint32_t rank, sim_ready *out)
{
    if (!r->next.exists || r->next.only_start || r->waits > 0 || r->begun != CONV_NONE) {
        return 0;
    }
    return emit(c, r, rank, r->ready, r->cause, out);
}

static size_t replay_first(void *opaque, uint32_t rank, sim_ready *out)
{
    const replay_cursor *c = opaque;
    replay_rank *r = rank_of(c, rank);
    decode(c, r, rank);
    return emit_if_ready(c, r, rank, out);
}

static size_t replay_started(void *opaque, uint32_t rank, uint32_t index, sim_time at,
                             sim_ready *out)
{
    const replay_cursor *c = opaque;
    replay_rank *r = rank_of(c, rank);
    if (r->next.exists && r->next.only_start && index + 1 == r->emitted) {
        return emit(c, r, rank, at, index, out);
    }
    if (r->begun != index) {
        return 0;
    }
    r->begun = CONV_NONE;
    wait_told(r, at, index);
    return emit_if_ready(c, r, rank, out);
}

static size_t replay_finished(void *opaque, uint32_t rank, uint32_t index, sim_time at,
                              sim_ready *out)
{
    const replay_cursor *c = opaque;
    replay_rank *r = rank_of(c, rank);
    replay_open *open = open_of(c, r);
    uint32_t i = 0;
    while (open[i].index != index) {
        i++;
    }
    const replay_open done = open[i];
    open[i] = open[--r->num_open];
    replay_place *place = done.place != CONV_NONE ? &places_of(r)[done.place] : NULL;
    if (place != NULL && place->index == index) { /* else it has been joined and used again */
        place->finish = at;
        place->done = true;
    }
    if (!done.awaited) {
        return 0;
    }
    r->waits--;
    wait_told(r, at, index);
    return emit_if_ready(c, r, rank, out);
}

static void replay_prefetch(const void *opaque, uint32_t rank, uint32_t index)
{
    (void)index;
    const char *r = (const char *)rank_of(opaque, rank);
    __builtin_prefetch(r, 1);
    __builtin_prefetch(r + 64, 1);
    __builtin_prefetch(r + 128, 1);
}

static uint64_t replay_remaining(const void *opaque, uint32_t rank)
{
    const replay_cursor *c = opaque;
    return c->program->num_ops[rank] - rank_of(c, rank)->emitted;
}

static uint64_t replay_num_ops(const sim_program *program, uint32_t rank)
{
    return ((const replay *)program)->num_ops[rank];
}

static char *replay_label(const sim_program *program, uint32_t rank, uint32_t index)
{
    (void)program;
    (void)rank;
    return g_strdup_printf("l%" PRIu64, (uint64_t)index + 1);
}

const sim_program_class replay_class = {
    .free = replay_free,
    .begin = replay_begin,
    .end = replay_end,
    .first = replay_first,
    .started = replay_started,
    .finished = replay_finished,
    .prefetch = replay_prefetch,
    .remaining = replay_remaining,
    .num_ops = replay_num_ops,
    .label = replay_label,
};
