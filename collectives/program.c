/* collectives/program.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "coll/program.h"

#include "sim/chain.h"
#include "step_private.h"

#include <assert.h>

typedef struct coll_program {
    sim_program base;
    coll_call call;  /* its counts are these: */
    int64_t *counts; /* or NULL */
    coll_algorithm algorithm;
    uint32_t repeat;
} coll_program;

/*
 * Where one run stands in a rank: one cache line. The operations of a stage are those since the
 * last one that requires a whole stage; there are at most two.
 */
typedef struct rank_state {
    coll_round round; /* the current one; valid if sub > 0 */
    sim_time ready;   /* latest finish in the stage */
    uint32_t cause;   /* the operation that finished then */
    uint32_t next;    /* index of the next operation */
    uint32_t repetition;
    uint32_t position;
    uint8_t phase;
    uint8_t sub;      /* of the next step in the round */
    uint8_t handed;   /* operations of the stage that have become ready */
    uint8_t finished; /* operations of the stage that have finished */
} rank_state;

_Static_assert(sizeof(rank_state) <= 64, "a rank must fit a cache line");

typedef struct run_cursor {
    const coll_program *program;
    rank_state *ranks; /* [size] */
} run_cursor;

/* The call of @p rank: what it sends and receives where counts say so for each rank. */
static coll_call call_of(const coll_program *program, uint32_t rank)
{
    coll_call call = program->call;
    call.rank = rank;
    if (call.num_counts == 0) {
        return call;
    }
    const uint32_t i = rank % call.num_counts;
    switch (call.kind) {
    case COLL_GATHERV:
        call.bytes = call.recv_counts[i];
        break;
    case COLL_SCATTERV:
    case COLL_ALLTOALLV: /* everybody sends it that much */
    case COLL_ALLTOALLW:
        call.bytes = call.send_counts[i];
        break;
    default:
        break;
    }
    return call;
}

/* Go to the next round of @p rank. @return false: it is through */
static bool next_round(const coll_program *program, rank_state *state, uint32_t rank)
{
    const coll_call call = call_of(program, rank);
    uint32_t phase = state->phase;
    while (state->repetition < program->repeat) {
        const bool found =
            coll_round_find(&call, program->algorithm, &phase, &state->position, &state->round);
        state->phase = (uint8_t)phase;
        if (found) {
            return true;
        }
        state->repetition++;
        state->position = 0;
        phase = 0;
    }
    return false;
}

/* Hand out the next operation of @p rank. */
static size_t hand_out(const run_cursor *cursor, uint32_t rank, sim_time at, uint32_t cause,
                       sim_ready *out)
{
    rank_state *const state = &cursor->ranks[rank];
    const coll_call *const call = &cursor->program->call;
    coll_step step = {0};
    uint32_t sub = state->sub;
    if (sub == 0 || !coll_round_step(call, &state->round, &sub, &step)) {
        state->position += sub > 0 ? 1 : 0;
        sub = 0;
        if (!next_round(cursor->program, state, rank)) {
            return 0;
        }
        coll_round_step(call, &state->round, &sub, &step); /* no round that is found is empty */
    }
    state->sub = (uint8_t)sub;
    state->handed++;
    *out = (sim_ready){
        .op = {.size = step.size,
               .peer = step.peer,
               .tag = step.type == SIM_OP_CALC ? 0 : state->repetition,
               .type = step.type},
        .time = at,
        .index = state->next++,
        .cause = cause,
    };
    return 1;
}

static void *program_begin(const sim_program *base)
{
    run_cursor *cursor = g_new0(run_cursor, 1);
    cursor->program = (const coll_program *)base;
    cursor->ranks = g_new0(rank_state, base->num_ranks);
    return cursor;
}

static void program_end(void *cursor)
{
    run_cursor *const c = cursor;
    g_free(c->ranks);
    g_free(c);
}

static size_t program_first(void *cursor, uint32_t rank, sim_ready *out)
{
    return hand_out(cursor, rank, 0, SIM_ANY, out);
}

/* The send of an exchange has started: its receive is ready. */
static size_t program_started(void *cursor, uint32_t rank, uint32_t index, sim_time at,
                              sim_ready *out)
{
    run_cursor *const c = cursor;
    rank_state *const state = &c->ranks[rank];
    const bool is_exchange =
        state->sub == 1 && state->round.to != COLL_NOBODY && state->round.from != COLL_NOBODY;
    return is_exchange && index + 1 == state->next ? hand_out(c, rank, at, index, out) : 0;
}

/* The last operation of a stage has finished: the next stage begins. */
static size_t program_finished(void *cursor, uint32_t rank, uint32_t index, sim_time at,
                               sim_ready *out)
{
    run_cursor *const c = cursor;
    rank_state *const state = &c->ranks[rank];
    if (state->finished == 0 || at > state->ready || (at == state->ready && index > state->cause)) {
        state->ready = at;
        state->cause = index;
    }
    state->finished++;
    if (state->finished < state->handed) {
        return 0;
    }
    state->finished = 0;
    state->handed = 0;
    return hand_out(c, rank, state->ready, state->cause, out);
}

static uint64_t program_num_ops(const sim_program *base, uint32_t rank)
{
    const coll_program *const program = (const coll_program *)base;
    const coll_call call = call_of(program, rank);
    uint32_t phase = 0;
    uint32_t position = 0;
    uint64_t n = 0;
    coll_round round;
    while (coll_round_find(&call, program->algorithm, &phase, &position, &round)) {
        n += round.to != COLL_NOBODY ? 1 : 0;
        n += round.from != COLL_NOBODY ? 1 : 0;
        n += sim_rate_times(call.reduce, round.combine) > 0 ? 1 : 0;
        position++;
    }
    return n * program->repeat;
}

static uint64_t program_remaining(const void *cursor, uint32_t rank)
{
    const run_cursor *const c = cursor;
    const rank_state *const state = &c->ranks[rank];
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
    return g_strdup_printf("%s.%u.%u", coll_kind_name(program->call.kind),
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
    const coll_call call = call_of(program, rank);
    coll_round round;
    if (!coll_round_find(&call, program->algorithm, &cursor->phase, &cursor->position, &round)) {
        return false;
    }
    cursor->position++;
    const bool recvs = round.from != COLL_NOBODY;
    *out = (sim_chain_round){
        .send = round.send,
        .recv = round.recv,
        .work = recvs ? sim_rate_times(call.reduce, round.combine) : 0,
        .to = round.to,
        .from = round.from,
    };
    return true;
}

static const sim_chain_class CHAIN_CLASS = {.repeat = chain_repeat, .next = chain_next};

static const sim_program_class PROGRAM_CLASS = {
    .free = program_free,
    .begin = program_begin,
    .end = program_end,
    .first = program_first,
    .started = program_started,
    .finished = program_finished,
    .remaining = program_remaining,
    .num_ops = program_num_ops,
    .label = program_label,
    .chain = &CHAIN_CLASS,
};

/* An upper bound on the steps of one rank; operations are numbered in 32 bits. */
static bool can_be_numbered(const coll_call *call, coll_algorithm algorithm, uint32_t repeat)
{
    const bool is_linear = algorithm == COLL_ALG_LINEAR || algorithm == COLL_ALG_RING ||
                           algorithm == COLL_ALG_PAIRWISE;
    const uint64_t rounds = is_linear ? call->size : 34; /* else K + 2 at most */
    return rounds * 3 * COLL_MAX_PHASE <= (uint64_t)(UINT32_MAX - 1) / (repeat > 0 ? repeat : 1);
}

static bool check_call(const coll_call *call, coll_algorithm algorithm, uint32_t repeat,
                       GError **error)
{
    const char *name = coll_kind_name(call->kind);
    if (call->size < 1 || call->root >= call->size || call->bytes < 0) {
        g_set_error(error, COLL_ERROR, COLL_ERROR_NOT_APPLICABLE,
                    "%s of %" G_GINT64_FORMAT " bytes on %u ranks with root %u cannot be done",
                    name, call->bytes, call->size, call->root);
        return false;
    }
    if (algorithm == COLL_ALG_NONE && !coll_call_is_empty(call)) {
        g_autofree char *known = coll_algorithm_list(call->kind);
        g_set_error(error, COLL_ERROR, COLL_ERROR_NOT_APPLICABLE,
                    "%s on %u ranks needs an algorithm; known for it: %s", name, call->size, known);
        return false;
    }
    if (!can_be_numbered(call, algorithm, repeat)) {
        g_set_error(error, COLL_ERROR, COLL_ERROR_NOT_APPLICABLE,
                    "%s by \"%s\" on %u ranks, %u times, has more operations per rank than can be "
                    "numbered",
                    name, coll_algorithm_name(algorithm), call->size, repeat);
        return false;
    }
    return coll_algorithm_check(algorithm, call->kind, call->size, error);
}

sim_program *coll_program_new(const coll_call *call, coll_algorithm algorithm, uint32_t repeat,
                              GError **error)
{
    coll_call normal = coll_call_normal(call);
    if (!check_call(&normal, algorithm, repeat, error)) {
        return NULL;
    }
    const bool has_pairs = call->kind == COLL_ALLTOALLV || call->kind == COLL_ALLTOALLW;
    const bool sends = has_pairs || call->kind == COLL_SCATTERV;
    const int64_t *counts = sends ? call->send_counts : call->recv_counts;
    int64_t *own = counts == NULL ? NULL : g_memdup2(counts, call->num_counts * sizeof *counts);
    normal.send_counts = sends ? own : NULL;
    normal.recv_counts = sends ? NULL : own;
    normal.num_counts = own != NULL ? call->num_counts : 0;
    normal.in_place = false; /* moves the same bytes */
    coll_program *const program = g_new0(coll_program, 1);
    *program = (coll_program){
        .base = {.class = &PROGRAM_CLASS,
                 .num_ranks = call->size,
                 .num_cpus = 1,
                 .num_nics = 1,
                 .max_ready = 1},
        .call = normal,
        .counts = own,
        .algorithm = call->size == 1 ? COLL_ALG_NONE : algorithm,
        .repeat = repeat,
    };
    return &program->base;
}
