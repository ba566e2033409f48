/* sim/symmetry/quotient.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_symmetry. */
/*
 * The first ranks of a program as a program of their own. What a rank sends to another goes to the
 * rank that stands for it; and since all that stands for one rank comes together there, the
 * communicator of a message says which way it has come, too: so it meets the receive that it meets
 * in the whole program.
 */
#include "symmetry/symmetry_private.h"

#include <string.h>

typedef struct quotient {
    sim_program base; /* first: it is handed out as this */
    const sim_program *whole;
    int64_t largest; /* message for which symmetry holds, bytes */
    bool *failed;    /* has_failed; also where the program is immutable */
    bool has_failed; /* some thread has met a message for which symmetry does not hold */
} quotient;

typedef struct quotient_cursor {
    const quotient *program;
    void *inner; /* of the whole program */
} quotient_cursor;

static const quotient *quotient_of(const sim_program *program)
{
    return (const quotient *)(const void *)program; /* its first member */
}

static sim_op fold(const quotient *q, uint32_t rank, sim_op op)
{
    const sim_program *whole = q->whole;
    const uint32_t n = whole->num_ranks;
    if (op.type == SIM_OP_CALC) {
        return op;
    }
    const bool sends = op.type == SIM_OP_SEND;
    if (op.comm > UINT32_MAX / n - 1 || (sends && op.size > q->largest)) {
        __atomic_store_n(q->failed, true, __ATOMIC_RELAXED);
        return op;
    }
    const uint32_t way =
        whole->methods->symmetry->way(whole, &op, sends ? rank : op.peer, sends ? op.peer : rank);
    op.comm = op.comm * n + way;
    op.peer = op.peer == SIM_ANY ? SIM_ANY : op.peer % q->base.num_ranks;
    return op;
}

/* @return 0 once the run has failed: then it comes to an end soon */
static size_t fold_all(const quotient_cursor *c, uint32_t rank, size_t n, sim_ready *out)
{
    for (size_t i = 0; i < n; i++) {
        out[i].op = fold(c->program, rank, out[i].op);
    }
    return __atomic_load_n(c->program->failed, __ATOMIC_RELAXED) ? 0 : n;
}

static void *quotient_begin(const sim_program *program)
{
    quotient_cursor *c = g_new(quotient_cursor, 1);
    const sim_program *whole = quotient_of(program)->whole;
    *c = (quotient_cursor){.program = quotient_of(program),
                           .inner = whole->methods->symmetry->begin(whole, program->num_ranks)};
    return c;
}

static const sim_program_class *inner_of(const quotient_cursor *c)
{
    return c->program->whole->methods;
}

static void quotient_end(void *cursor)
{
    quotient_cursor *const c = cursor;
    inner_of(c)->end(c->inner);
    g_free(c);
}

static size_t quotient_first(void *cursor, uint32_t rank, sim_ready *out)
{
    quotient_cursor *const c = cursor;
    return fold_all(c, rank, inner_of(c)->first(c->inner, rank, out), out);
}

static size_t quotient_started(void *cursor, uint32_t rank, uint32_t index, sim_time at,
                               sim_ready *out)
{
    quotient_cursor *const c = cursor;
    return fold_all(c, rank, inner_of(c)->started(c->inner, rank, index, at, out), out);
}

static size_t quotient_finished(void *cursor, uint32_t rank, uint32_t index, sim_time at,
                                sim_ready *out)
{
    quotient_cursor *const c = cursor;
    return fold_all(c, rank, inner_of(c)->finished(c->inner, rank, index, at, out), out);
}

static void quotient_note_slices(void *cursor, const struct sim_slices *slices)
{
    const quotient_cursor *const c = cursor;
    inner_of(c)->note_slices(c->inner, slices);
}

static uint64_t quotient_remaining(const void *cursor, uint32_t rank)
{
    const quotient_cursor *const c = cursor;
    return inner_of(c)->remaining(c->inner, rank);
}

static uint64_t quotient_num_ops(const sim_program *program, uint32_t rank)
{
    const sim_program *whole = quotient_of(program)->whole;
    return whole->methods->num_ops(whole, rank);
}

static char *quotient_label(const sim_program *program, uint32_t rank, uint32_t index)
{
    const sim_program *whole = quotient_of(program)->whole;
    return whole->methods->label(whole, rank, index);
}

static void quotient_free(sim_program *program)
{
    g_free(program);
}

static const sim_program_class QUOTIENT_CLASS = {
    .free = quotient_free,
    .begin = quotient_begin,
    .end = quotient_end,
    .first = quotient_first,
    .started = quotient_started,
    .finished = quotient_finished,
    .remaining = quotient_remaining,
    .num_ops = quotient_num_ops,
    .label = quotient_label,
    .note_slices = quotient_note_slices,
};

/* A rendezvous has ranks affect each other at one instant where a release takes no time; in step,
 * under polling, no rank has a choice then. With handshakes it takes L. */
static int64_t largest_message(const sim_program *program, const sim_params *params)
{
    if (params->rendezvous == SIM_RENDEZVOUS_HANDSHAKE) {
        return params->L > 0 ? INT64_MAX : params->S;
    }
    const bool in_step = program->methods->symmetry->find(program).in_step;
    return in_step && params->progress == SIM_PROGRESS_POLLING ? INT64_MAX : params->S;
}

sim_program *sim_quotient_new(const sim_program *program, const sim_params *params, uint32_t holds)
{
    quotient *q = g_new(quotient, 1);
    *q =
        (quotient){.base = *program, .whole = program, .largest = largest_message(program, params)};
    q->base.methods = &QUOTIENT_CLASS;
    q->base.num_ranks = holds;
    q->failed = &q->has_failed;
    return &q->base;
}

bool sim_quotient_has_failed(const sim_program *program)
{
    return quotient_of(program)->has_failed;
}

void sim_quotient_unfold(const sim_program *program, sim_result *result)
{
    const uint32_t ranks = program->num_ranks;
    const uint32_t classes = result->num_ranks;
    sim_time *finish = g_new(sim_time, ranks);
    for (uint32_t first = 0; first < ranks; first += classes) {
        memcpy(finish + first, result->finish, classes * sizeof *finish);
    }
    g_free(result->finish);
    result->finish = finish;
    result->num_ranks = ranks;
    result->num_ops *= ranks / classes;
    result->num_messages *= ranks / classes;
    result->representatives = classes;
    g_clear_pointer(&result->path, g_free);
    result->path_len = 0;
}
