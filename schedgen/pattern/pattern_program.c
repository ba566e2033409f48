/* schedgen/pattern/pattern_program.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "pattern/pattern_private.h"
#include "sim/large.h"
#include "sim/slices.h"

/*
 * A rank goes from step to step. The first step of a stage requires all steps of the stage before,
 * every other one irequires the step before it: coll/step.h. So it is enough to count the steps of
 * the stage that have not finished, and to keep the latest instant at which one did.
 */

typedef struct pattern_program {
    sim_program base; /* first: it is handed out as this */
    pattern_shape shape;
} pattern_program;

enum { MOST_PASSES = 1 << 30 }; /* of which each has slices of its own */

/* One cache line, which no other rank shares: different threads may ask for different ranks. */
typedef struct rank_state {
    pattern_walk walk;
    sim_time ready; /* the latest finish known of the stage */
    uint32_t cause; /* the operation whose finish that is; of several the last; SIM_ANY: none */
    uint32_t next;  /* index of the next operation */
    uint32_t waits; /* operations of the stage that have not finished */
} rank_state;

_Static_assert(sizeof(rank_state) <= SCHED_PATTERN_RANK_BYTES, "a rank must fit a cache line");

typedef struct run_cursor {
    const pattern_program *program;
    const sim_slices *slices; /* to be noted, or NULL */
    char *ranks;              /* [num_ranks] rank_state, SCHED_PATTERN_RANK_BYTES each */
} run_cursor;

static rank_state *state_of(const run_cursor *cursor, uint32_t rank)
{
    return (rank_state *)(void *)(cursor->ranks + (size_t)rank * SCHED_PATTERN_RANK_BYTES);
}

/* Slices that lie behind a rank at the beginning of @p turn. */
static uint32_t slices_before(const pattern_shape *shape, uint32_t turn)
{
    const uint32_t half = shape->turns / 2;
    const uint32_t n = 2 * (turn / shape->turns) + (turn % shape->turns >= half ? 1 : 0);
    return MIN(n, 2 * shape->passes);
}

static void note_slices(const run_cursor *c, const rank_state *state, uint32_t before)
{
    const uint32_t end = slices_before(&c->program->shape, state->walk.turn);
    for (uint32_t i = slices_before(&c->program->shape, before); i < end; i++) {
        sim_slices_note(c->slices, i, state->ready);
    }
}

static inline bool next_step(const run_cursor *c, rank_state *state, uint32_t rank, coll_step *step)
{
    const uint32_t before = state->walk.turn;
    const bool found = pattern_walk_next(&c->program->shape, rank, &state->walk, step);
    if (c->slices != NULL && state->walk.turn != before) {
        note_slices(c, state, before);
    }
    return found;
}

static inline bool stage_goes_on(const rank_state *state)
{
    return state->walk.in_item.due == COLL_DUE_EXCHANGE;
}

/* Hand out @p step, the next one of the rank. */
static size_t hand_out(rank_state *state, const coll_step *step, sim_ready *out)
{
    out->op = (sim_op){.size = step->size,
                       .peer = step->peer,
                       .tag = step->type == SIM_OP_CALC ? 0 : state->walk.turn,
                       .type = step->type};
    out->index = state->next++;
    out->quiet = !stage_goes_on(state);
    state->waits++;
    return 1;
}

/* All operations handed out so far have finished: the next stage begins. */
static size_t begin_stage(const run_cursor *c, rank_state *state, uint32_t rank, sim_ready *out)
{
    coll_step step;
    if (!next_step(c, state, rank, &step)) {
        return 0;
    }
    out->time = state->ready;
    out->cause = state->cause;
    out->at_start = false;
    state->ready = 0;
    state->cause = SIM_ANY;
    return hand_out(state, &step, out);
}

static void *begin_first(const sim_program *base, uint32_t num_ranks)
{
    run_cursor *cursor = g_new0(run_cursor, 1);
    cursor->program = (const pattern_program *)base;
    cursor->ranks = sim_large_new(num_ranks, SCHED_PATTERN_RANK_BYTES);
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        *state_of(cursor, rank) = (rank_state){.cause = SIM_ANY};
    }
    return cursor;
}

static void *program_begin(const sim_program *base)
{
    return begin_first(base, base->num_ranks);
}

static void program_end(void *cursor)
{
    run_cursor *const c = cursor;
    sim_large_free(c->ranks);
    g_free(c);
}

static size_t program_first(void *cursor, uint32_t rank, sim_ready *out)
{
    const run_cursor *const c = cursor;
    return begin_stage(c, state_of(c, rank), rank, out);
}

/* The last operation of a stage that goes on has started: so the one after it is ready. */
static size_t program_started(void *cursor, uint32_t rank, uint32_t index, sim_time at,
                              sim_ready *out)
{
    const run_cursor *const c = cursor;
    rank_state *const state = state_of(c, rank);
    coll_step step;
    if (!stage_goes_on(state) || index + 1 != state->next || !next_step(c, state, rank, &step)) {
        return 0;
    }
    out->time = at;
    out->cause = index;
    out->at_start = true;
    return hand_out(state, &step, out);
}

static size_t program_finished(void *cursor, uint32_t rank, uint32_t index, sim_time at,
                               sim_ready *out)
{
    const run_cursor *const c = cursor;
    rank_state *const state = state_of(c, rank);
    if (at > state->ready || (at == state->ready && index >= state->cause + 1)) { /* ANY + 1 is 0 */
        state->ready = at;
        state->cause = index;
    }
    return --state->waits > 0 ? 0 : begin_stage(c, state, rank, out);
}

static void program_prefetch(const void *cursor, uint32_t rank, uint32_t index)
{
    if (index == SIM_ANY) {
        __builtin_prefetch(state_of(cursor, rank), 1);
    }
}

static void program_note_slices(void *cursor, const sim_slices *slices)
{
    ((run_cursor *)cursor)->slices = slices;
}

static uint64_t program_num_ops(const sim_program *base, uint32_t rank)
{
    return sched_pattern_shape_ops(&((const pattern_program *)base)->shape, rank);
}

static uint64_t program_remaining(const void *cursor, uint32_t rank)
{
    const run_cursor *const c = cursor;
    const rank_state *const state = state_of(c, rank);
    const pattern_shape *shape = &c->program->shape;
    const bool through = state->walk.turn == shape->turns * shape->passes;
    return through ? 0 : sched_pattern_shape_ops(shape, rank) - state->next;
}

static char *program_label(const sim_program *base, uint32_t rank, uint32_t index)
{
    const pattern_origin origin =
        sched_pattern_shape_origin(&((const pattern_program *)base)->shape, rank, index);
    return g_strdup_printf("%s.%" G_GUINT64_FORMAT ".%" G_GUINT64_FORMAT, origin.item->text,
                           origin.turn, origin.step);
}

static void program_free(sim_program *base)
{
    pattern_program *const program = (pattern_program *)base;
    sched_pattern_shape_clear(&program->shape);
    g_free(program);
}

static sim_symmetry find_symmetry(const sim_program *base)
{
    return sched_pattern_shape_symmetry(&((const pattern_program *)base)->shape);
}

static uint32_t way(const sim_program *base, const sim_op *op, uint32_t from, uint32_t to)
{
    return sched_pattern_shape_way(&((const pattern_program *)base)->shape, op->tag, from, to);
}

static const sim_symmetry_class SYMMETRY_CLASS = {
    .find = find_symmetry, .way = way, .begin = begin_first};

static const sim_program_class PROGRAM_CLASS = {
    .free = program_free,
    .begin = program_begin,
    .end = program_end,
    .first = program_first,
    .started = program_started,
    .finished = program_finished,
    .prefetch = program_prefetch,
    .note_slices = program_note_slices,
    .remaining = program_remaining,
    .num_ops = program_num_ops,
    .label = program_label,
    .symmetry = &SYMMETRY_CLASS,
};

sim_program *sched_pattern_program_new(const sched_pattern *pattern,
                                       const sched_pattern_options *options, GError **error)
{
    pattern_program *program = g_new0(pattern_program, 1);
    program->base =
        (sim_program){.methods = &PROGRAM_CLASS,
                      .num_ranks = options->ranks,
                      .num_cpus = 1,
                      .num_nics = 1,
                      .num_slices = options->repeat <= MOST_PASSES ? 2 * options->repeat : 0,
                      .max_ready = 1,
                      .few_open = true};
    if (!sched_pattern_shape_init(&program->shape, pattern, options, error)) {
        program_free(&program->base);
        return NULL;
    }
    return &program->base;
}
