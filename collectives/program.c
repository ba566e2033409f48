/* collectives/program.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "coll/program.h"

#include "coll/symmetric.h"
#include "sim/chain.h"
#include "sim/large.h"
#include "sim/symmetry.h"
#include "sim/unit.h"
#include "step_private.h"

#include <assert.h>

typedef struct coll_program {
    sim_program base;
    coll_course course;
    int64_t *counts; /* owned; those of course.call; or NULL */
    uint32_t repeat;
    bool own_bytes; /* the counts say for each rank how long its messages are */
} coll_program;

/*
 * How far one run has come in a rank: one cache line, which no other rank shares, so that different
 * ranks may be asked for by different threads.
 */
typedef struct rank_state {
    coll_walk walk;
    sim_time ready; /* latest known finish of the operations awaited */
    uint32_t cause; /* the operation whose finish that is; of several the last */
    uint32_t next;  /* index of the next operation */
    uint32_t repetition;
    uint32_t waits; /* operations of the stage that have not finished */
} rank_state;

#define RANK_BYTES 64
_Static_assert(sizeof(rank_state) <= RANK_BYTES, "a rank must fit a cache line");

typedef struct run_cursor {
    const coll_program *program;
    char *ranks; /* [num_ranks] rank_state, RANK_BYTES each */
} run_cursor;

static rank_state *state_of(const run_cursor *cursor, uint32_t rank)
{
    return (rank_state *)(void *)(cursor->ranks + (size_t)rank * RANK_BYTES);
}

/* Do counts say for each rank what it sends, or what it receives? */
static bool has_own_bytes(const coll_call *call)
{
    return call->num_counts > 0 && coll_kind_has_counts(call->kind) &&
           !coll_kind_counts_agree(call->kind);
}

/* The course of @p rank where counts say so for each rank. */
static coll_course course_of(const coll_program *program, uint32_t rank)
{
    coll_course course = program->course; /* alltoallv, alltoallw: everybody sends it that much */
    course.call.bytes = program->counts[rank % course.call.num_counts];
    return course;
}

static bool next_round_of(const coll_program *program, uint32_t rank, coll_walk *walk)
{
    if (program->own_bytes) {
        const coll_course own = course_of(program, rank);
        return coll_walk_round(&own, rank, walk);
    }
    return coll_walk_round(&program->course, rank, walk);
}

/* Go to the next round of @p rank. @return false: it is through */
static bool next_round(const coll_program *program, rank_state *state, uint32_t rank)
{
    while (state->repetition < program->repeat) {
        if (next_round_of(program, rank, &state->walk)) {
            return true;
        }
        state->repetition++;
        state->walk = (coll_walk){0};
    }
    return false;
}

/* Hand out the next operation of @p rank. */
static size_t hand_out(const coll_program *program, rank_state *state, uint32_t rank, sim_time at,
                       uint32_t cause, bool at_start, sim_ready *out)
{
    if (state->walk.due == COLL_DUE_ROUND && !next_round(program, state, rank)) {
        return 0;
    }
    const coll_step step = coll_walk_step(&program->course, rank, &state->walk);
    state->waits++;
    *out = (sim_ready){
        .op = {.size = step.size,
               .peer = step.peer,
               .tag = step.type == SIM_OP_CALC ? 0 : state->repetition,
               .type = step.type},
        .time = at,
        .index = state->next++,
        .cause = cause,
        .at_start = at_start,
        .quiet = state->walk.due != COLL_DUE_EXCHANGE,
    };
    return 1;
}

static void *begin_first(const sim_program *base, uint32_t num_ranks)
{
    run_cursor *cursor = g_new0(run_cursor, 1);
    cursor->program = (const coll_program *)base;
    cursor->ranks = sim_large_new(num_ranks, RANK_BYTES);
    for (uint32_t rank = 0; rank < num_ranks; rank++) {
        *state_of(cursor, rank) = (rank_state){0};
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
    return hand_out(c->program, state_of(c, rank), rank, 0, SIM_ANY, false, out);
}

/* The send of an exchange has started: its receive is ready. */
static size_t program_started(void *cursor, uint32_t rank, uint32_t index, sim_time at,
                              sim_ready *out)
{
    const run_cursor *const c = cursor;
    rank_state *const state = state_of(c, rank);
    return state->walk.due == COLL_DUE_EXCHANGE && index + 1 == state->next
               ? hand_out(c->program, state, rank, at, index, true, out)
               : 0;
}

/* The last operation of a stage has finished: the next stage begins. */
static size_t program_finished(void *cursor, uint32_t rank, uint32_t index, sim_time at,
                               sim_ready *out)
{
    const run_cursor *const c = cursor;
    rank_state *const state = state_of(c, rank);
    if (at > state->ready || (at == state->ready && index >= state->cause)) {
        state->ready = at;
        state->cause = index;
    }
    if (--state->waits > 0) {
        return 0;
    }
    const sim_time ready = state->ready;
    const uint32_t cause = state->cause;
    state->ready = 0;
    state->cause = 0;
    return hand_out(c->program, state, rank, ready, cause, false, out);
}

static void program_prefetch(const void *cursor, uint32_t rank, uint32_t index)
{
    if (index == SIM_ANY) {
        __builtin_prefetch(state_of(cursor, rank), 1);
    }
}

static uint64_t program_num_ops(const sim_program *base, uint32_t rank)
{
    const coll_program *const program = (const coll_program *)base;
    const coll_course own = program->own_bytes ? course_of(program, rank) : program->course;
    return coll_course_num_steps(&own, rank) * program->repeat;
}

static uint64_t program_remaining(const void *cursor, uint32_t rank)
{
    const run_cursor *const c = cursor;
    const rank_state *const state = state_of(c, rank);
    if (state->repetition == c->program->repeat) {
        return 0;
    }
    return program_num_ops(&c->program->base, rank) - state->next;
}

static char *program_label(const sim_program *base, uint32_t rank, uint32_t index)
{
    const coll_program *const program = (const coll_program *)base;
    const uint64_t num_ops = program_num_ops(base, rank) / program->repeat;
    assert(index < num_ops * program->repeat);
    return g_strdup_printf("%s.%u.%u", coll_kind_name(program->course.call.kind),
                           (unsigned)(index / num_ops), (unsigned)(index % num_ops));
}

static void program_free(sim_program *base)
{
    coll_program *const program = (coll_program *)base;
    g_free(program->counts);
    g_free(program);
}

static uint32_t chain_repeat(const sim_program *base)
{
    return ((const coll_program *)base)->repeat;
}

static bool chain_next(const sim_program *base, uint32_t rank, sim_chain_cursor *cursor,
                       sim_chain_round *out)
{
    const coll_program *const program = (const coll_program *)base;
    coll_walk walk = {.position = cursor->position, .phase = (uint8_t)cursor->phase};
    const bool found = next_round_of(program, rank, &walk);
    cursor->phase = walk.phase;
    cursor->position = walk.position;
    if (!found) {
        return false;
    }
    *out = (sim_chain_round){
        .send = walk.send,
        .recv = walk.recv,
        .work = walk.combines ? coll_walk_work(&program->course, rank, &walk) : 0,
        .to = walk.to,
        .from = walk.from,
    };
    return true;
}

static bool chain_rotates(const sim_program *base)
{
    const coll_program *const program = (const coll_program *)base;
    return coll_course_ways(&program->course) == COLL_WAYS_SHIFT;
}

static bool chain_mirrors(const sim_program *base)
{
    const coll_program *const program = (const coll_program *)base;
    return !program->own_bytes && coll_course_ways(&program->course) == COLL_WAYS_MIRROR;
}

static const sim_chain_class CHAIN_CLASS = {
    .repeat = chain_repeat, .next = chain_next, .rotates = chain_rotates, .mirrors = chain_mirrors};

static sim_symmetry find_symmetry(const sim_program *base)
{
    const coll_program *const program = (const coll_program *)base;
    const bool is_same =
        !program->own_bytes && coll_course_ways(&program->course) != COLL_WAYS_DIFFER;
    return (sim_symmetry){.classes = is_same ? 1 : 0, .in_step = true};
}

static uint32_t way(const sim_program *base, const sim_op *op, uint32_t from, uint32_t to)
{
    (void)op;
    const coll_program *const program = (const coll_program *)base;
    return coll_way(coll_course_ways(&program->course), base->num_ranks, from, to);
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
    .remaining = program_remaining,
    .num_ops = program_num_ops,
    .label = program_label,
    .chain = &CHAIN_CLASS,
    .symmetry = &SYMMETRY_CLASS,
};

/* Operations of a rank are numbered in 32 bits. */
static bool check_numbers(const coll_call *call, coll_algorithm algorithm, uint32_t repeat,
                          GError **error)
{
    if (coll_course_max_steps(call, algorithm) <=
        (uint64_t)(UINT32_MAX - 1) / (repeat > 0 ? repeat : 1)) {
        return true;
    }
    g_autofree char *how = coll_algorithm_format(algorithm);
    g_autofree char *size = sim_unit_format_count(call->size);
    g_set_error(error, COLL_ERROR, COLL_ERROR_NOT_APPLICABLE,
                "%s by \"%s\" on %s ranks, %u times, has more operations per rank than can be "
                "numbered",
                coll_kind_name(call->kind), how, size, repeat);
    return false;
}

sim_program *coll_program_new(const coll_call *call, coll_algorithm algorithm, uint32_t repeat,
                              GError **error)
{
    coll_call normal = coll_call_normal(call, algorithm);
    if (!coll_course_check(&normal, algorithm, error) ||
        !check_numbers(&normal, algorithm, repeat, error)) {
        return NULL;
    }
    const bool sends = coll_kind_has_send_counts(call->kind, true);
    const int64_t *counts = sends ? call->send_counts : call->recv_counts;
    int64_t *own = counts == NULL ? NULL : g_memdup2(counts, call->num_counts * sizeof *counts);
    normal.send_counts = sends ? own : NULL;
    normal.recv_counts = sends ? NULL : own;
    normal.num_counts = own != NULL ? call->num_counts : 0;
    normal.in_place = false; /* moves the same bytes */
    coll_program *const program = g_new0(coll_program, 1);
    *program = (coll_program){
        .base = {.methods = &PROGRAM_CLASS,
                 .num_ranks = call->size,
                 .num_cpus = 1,
                 .num_nics = 1,
                 .max_ready = 1,
                 .few_open = true},
        .counts = own,
        .repeat = repeat,
        .own_bytes = has_own_bytes(&normal),
    };
    coll_course_init(&program->course, &normal, algorithm);
    return &program->base;
}
