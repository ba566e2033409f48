/* sim/graph/graph_cursor.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_graph_forms, test_graph_file. */
/*
 * A run through a stored graph. Of an operation two things are kept. While some of several edges
 * that lead to it are satisfied and others not: how many are left; there are few of these at any
 * time, and mostly one. And that it has finished, for the explanation of a run that is stuck; since
 * operations finish nearly in order, that is one number and a window of bits behind it. So most
 * ranks need one line of the cache, always the same; the others get more room when they turn out
 * to be different.
 *
 * Everything of a rank is its own: threads may run different ranks.
 */
#include "graph/graph_file_private.h"
#include "graph/graph_live_private.h"
#include "sim/large.h"

#include <string.h>

typedef struct graph_cursor {
    const sim_graph *graph;
    const graph_dictionary *dictionary;
    cursor_rank *rank; /* [num_ranks] */
} graph_cursor;

#define WINDOW 63 /* bits: one always tells where the others end */

size_t sim_graph_cursor_memory(const sim_graph *graph)
{
    return sizeof(graph_cursor) + graph->program.num_ranks * sizeof(cursor_rank);
}

static void *graph_begin(const sim_program *program)
{
    const sim_graph *graph = (const sim_graph *)program;
    graph_cursor *cursor = g_new0(graph_cursor, 1);
    cursor->graph = graph;
    cursor->dictionary = graph->dictionary;
    cursor->rank = sim_large_new(program->num_ranks, sizeof(cursor_rank));
    for (uint32_t i = 0; i < program->num_ranks; i++) {
        const graph_rank *rank = &graph->rank[i];
        cursor->rank[i] =
            (cursor_rank){.ops = rank->num_ops > 0 ? graph_rank_data(graph, rank) : NULL,
                          .remaining = rank->num_ops,
                          .dictionary = rank->segment,
                          .form = (uint8_t)graph_rank_form(rank),
                          .own.op = SIM_ANY};
    }
    return cursor;
}

static void graph_end(void *opaque)
{
    graph_cursor *cursor = opaque;
    for (uint32_t i = 0; i < cursor->graph->program.num_ranks; i++) {
        const cursor_rank *r = &cursor->rank[i];
        g_free(r->more);
        g_free(r->low == SIM_ANY ? r->bits : NULL);
    }
    sim_large_free(cursor->rank);
    g_free(cursor);
}

/* ---- operations that have finished ---- */

/* From now on a bit for each. */
static void use_bits(const graph_cursor *cursor, uint32_t rank)
{
    cursor_rank *r = &cursor->rank[rank];
    const size_t words = ((size_t)cursor->graph->rank[rank].num_ops + 63) / 64;
    uint64_t *bits = g_new0(uint64_t, words);
    for (uint32_t i = 0; i < r->low; i++) {
        bits[i / 64] |= UINT64_C(1) << i % 64;
    }
    for (uint32_t i = 0; i < WINDOW; i++) {
        if ((r->window >> i & 1) != 0) {
            bits[(r->low + i) / 64] |= UINT64_C(1) << (r->low + i) % 64;
        }
    }
    r->bits = bits;
    r->low = SIM_ANY;
}

static inline void mark_finished(const graph_cursor *cursor, uint32_t rank, uint32_t index)
{
    cursor_rank *r = &cursor->rank[rank];
    const uint32_t at = index - r->low;
    if (__builtin_expect(at < WINDOW && r->low != SIM_ANY, 1)) {
        const uint64_t window = r->window | UINT64_C(1) << at;
        const unsigned closed = (unsigned)__builtin_ctzll(~window); /* a gap: move on to the next */
        r->window = window >> closed;
        r->low += closed;
        return;
    }
    if (r->low != SIM_ANY) {
        use_bits(cursor, rank);
    }
    r->bits[index / 64] |= UINT64_C(1) << index % 64;
}

bool sim_graph_cursor_has_finished(const void *opaque, uint32_t rank, uint32_t index)
{
    const cursor_rank *r = &((const graph_cursor *)opaque)->rank[rank];
    if (r->low == SIM_ANY) {
        return (r->bits[index / 64] >> index % 64 & 1) != 0;
    }
    const uint32_t at = index - r->low;
    return index < r->low || (at < WINDOW && (r->window >> at & 1) != 0);
}

/* ---- steps ---- */

typedef struct instant {
    sim_time at;
    uint32_t cause; /* the operation that has */
    bool at_start;  /* started, not finished */
} instant;

/* One of several edges to @p op is satisfied. @return was it the last? Then @p when: the latest. */
static inline bool join(const graph_cursor *cursor, uint32_t rank, uint32_t op, uint32_t waits,
                        instant *when)
{
    cursor_rank *r = &cursor->rank[rank];
    graph_live *live = graph_live_find(r, op);
    if (live == NULL) {
        *graph_live_new(r, op) = (graph_live){.ready = when->at,
                                              .op = op,
                                              .waits = waits - 1,
                                              .cause = when->cause,
                                              .at_start = when->at_start};
        return false;
    }
    if (when->at >= live->ready) {
        live->ready = when->at;
        live->cause = when->cause;
        live->at_start = when->at_start;
    }
    if (--live->waits > 0) {
        return false;
    }
    *when = (instant){live->ready, live->cause, live->at_start};
    graph_live_remove(r, live);
    return true;
}

/* An operation has become ready. */
static inline __attribute__((always_inline)) void hand_out(const cursor_rank *r, graph_form form,
                                                           const graph_dictionary *dictionary,
                                                           uint32_t op, const graph_shape *shape,
                                                           instant when, sim_ready *out)
{
    out->op = graph_op_at(form, r->ops, dictionary, op);
    out->time = when.at;
    out->index = op;
    out->cause = when.cause;
    out->at_start = when.at_start;
    out->quiet = shape->middle == shape->end;
}

/* The edges of an operation are satisfied: those at its start or those at its end. */
static inline __attribute__((always_inline)) size_t
satisfy(const graph_cursor *cursor, uint32_t rank, graph_form form, instant now, sim_ready *out)
{
    cursor_rank *r = &cursor->rank[rank];
    const graph_dictionary *dictionary = &cursor->dictionary[r->dictionary];
    const graph_shape *own = graph_shape_at(form, r->ops, dictionary, now.cause);
    const uint32_t from = now.at_start ? own->middle : own->begin;
    const uint32_t to = now.at_start ? own->end : own->middle;
    const uint32_t *steps = form == GRAPH_FULL
                                ? graph_full_steps(r->ops, cursor->graph->rank[rank].num_ops)
                                : dictionary->step;
    size_t n = 0;
    for (uint32_t e = from; e < to; e++) {
        const uint32_t op = now.cause + steps[e];
        const graph_shape *shape = graph_shape_at(form, r->ops, dictionary, op);
        instant when = now;
        if (shape->waits == 1 || join(cursor, rank, op, shape->waits, &when)) {
            hand_out(r, form, dictionary, op, shape, when, &out[n++]);
        }
    }
    r->remaining -= (uint32_t)n;
    return n;
}

static __attribute__((noinline)) size_t satisfy_large(const graph_cursor *cursor, uint32_t rank,
                                                      instant now, sim_ready *out)
{
    return cursor->rank[rank].form == GRAPH_WIDE ? satisfy(cursor, rank, GRAPH_WIDE, now, out)
                                                 : satisfy(cursor, rank, GRAPH_FULL, now, out);
}

/* Most ranks are narrow, and those of large programs woven. */
static inline __attribute__((always_inline)) size_t
satisfy_any(const graph_cursor *cursor, uint32_t rank, instant now, sim_ready *out)
{
    const uint8_t form = cursor->rank[rank].form;
    if (__builtin_expect(form == GRAPH_WOVEN, 1)) {
        return satisfy(cursor, rank, GRAPH_WOVEN, now, out);
    }
    return form == GRAPH_NARROW ? satisfy(cursor, rank, GRAPH_NARROW, now, out)
                                : satisfy_large(cursor, rank, now, out);
}

/* Nothing happens in a rank that is damaged. */
bool sim_graph_rank_is_sound(const sim_graph *graph, uint32_t rank)
{
    graph_check check = {0};
    g_autofree char *wrong = sim_graph_check_rank(graph, rank, &check);
    sim_graph_check_clear(&check);
    return wrong == NULL;
}

static size_t graph_first(void *opaque, uint32_t rank, sim_ready *out)
{
    const graph_cursor *cursor = opaque;
    if (cursor->graph->unverified && !sim_graph_rank_is_sound(cursor->graph, rank)) {
        return 0;
    }
    const graph_view v = graph_view_of(cursor->graph, rank);
    const uint32_t roots = cursor->graph->rank[rank].num_roots;
    size_t n = 0;
    for (uint32_t i = 0; i < v.num_ops && (n < roots || roots == UINT16_MAX); i++) {
        const graph_shape *shape = graph_shape_at(v.form, v.ops, v.dictionary, i);
        if (shape->waits == 0) {
            hand_out(&cursor->rank[rank], v.form, v.dictionary, i, shape,
                     (instant){0, SIM_ANY, false}, &out[n++]);
        }
    }
    cursor->rank[rank].remaining -= (uint32_t)n;
    return n;
}

/* Every operation that was alive has become ready: no place is taken. */
void sim_graph_cursor_restart(void *opaque, uint32_t rank)
{
    graph_cursor *cursor = opaque;
    cursor_rank *r = &cursor->rank[rank];
    assert(r->remaining == 0 && r->num_live == 0);
    r->remaining = cursor->graph->rank[rank].num_ops;
    g_free(r->low == SIM_ANY ? r->bits : NULL);
    r->window = 0;
    r->low = 0;
}

static size_t graph_started(void *opaque, uint32_t rank, uint32_t index, sim_time at,
                            sim_ready *out)
{
    return satisfy_any(opaque, rank, (instant){at, index, true}, out);
}

static size_t graph_finished(void *opaque, uint32_t rank, uint32_t index, sim_time at,
                             sim_ready *out)
{
    const graph_cursor *cursor = opaque;
    mark_finished(cursor, rank, index);
    return satisfy_any(cursor, rank, (instant){at, index, false}, out);
}

#define NEXT_OPS 7U /* operations ahead: on the same line or the next */

static void graph_prefetch(const void *opaque, uint32_t rank, uint32_t index)
{
    const graph_cursor *cursor = opaque;
    const cursor_rank *r = &cursor->rank[rank];
    if (index == SIM_ANY) {
        __builtin_prefetch(r, 1);
        return;
    }
    /* What depends on an operation mostly comes right after it. */
    const graph_form form = (graph_form)r->form;
    __builtin_prefetch(graph_op_place(form, r->ops, index));
    if (form == GRAPH_WOVEN || form == GRAPH_NARROW) {
        __builtin_prefetch(graph_op_place(form, r->ops, index + NEXT_OPS));
        __builtin_prefetch(graph_op_place(form, r->ops, index + 2 * NEXT_OPS));
    }
    graph_live_prefetch(r);
}

#define MOST_FETCHED 4U /* of what depends on an operation */

/* Where those that wait for several edges are hashed. The operation itself is near by now. */
static void graph_prefetch_next(const void *opaque, uint32_t rank, uint32_t index)
{
    const graph_cursor *cursor = opaque;
    const cursor_rank *r = &cursor->rank[rank];
    const graph_form form = (graph_form)r->form;
    if (r->live < LIVE_HASHED || (form != GRAPH_NARROW && form != GRAPH_WOVEN)) {
        return;
    }
    const graph_dictionary *dictionary = &cursor->dictionary[r->dictionary];
    const graph_shape *shape = graph_shape_at(form, r->ops, dictionary, index);
    const uint32_t n = MIN(shape->end - shape->begin, MOST_FETCHED);
    for (uint32_t e = 0; e < n; e++) {
        sim_graph_live_prefetch_hashed(r, index + dictionary->step[shape->begin + e]);
    }
}

/* Are the ends of @p ops all that operation @p op waits for? */
static bool waits_for_these(const graph_view *v, const uint32_t *ops, size_t n, uint32_t op,
                            uint32_t waits)
{
    uint32_t found = 0;
    for (size_t i = 0; i < n && found < waits; i++) {
        const graph_shape *shape = graph_shape_at(v->form, v->ops, v->dictionary, ops[i]);
        for (uint32_t e = shape->begin; e < shape->middle; e++) {
            found += ops[i] + v->steps[e] == op;
        }
    }
    return found >= waits;
}

static bool graph_would_release(const void *opaque, uint32_t rank, const uint32_t *ops, size_t n)
{
    const graph_cursor *cursor = opaque;
    cursor_rank *r = &cursor->rank[rank];
    const graph_view v = graph_view_of(cursor->graph, rank);
    assert(v.ops != NULL);
    for (size_t i = 0; i < n; i++) {
        const graph_shape *shape = graph_shape_at(v.form, v.ops, v.dictionary, ops[i]);
        for (uint32_t e = shape->begin; e < shape->middle; e++) {
            const uint32_t op = ops[i] + v.steps[e];
            uint32_t waits = graph_shape_at(v.form, v.ops, v.dictionary, op)->waits;
            const graph_live *live = waits > 1 ? graph_live_find(r, op) : NULL;
            waits = live != NULL ? live->waits : waits;
            if (waits_for_these(&v, ops, n, op, waits)) {
                return true;
            }
        }
    }
    return false;
}

static uint64_t graph_remaining(const void *opaque, uint32_t rank)
{
    return ((const graph_cursor *)opaque)->rank[rank].remaining;
}

static uint64_t graph_num_ops(const sim_program *program, uint32_t rank)
{
    return ((const sim_graph *)program)->rank[rank].num_ops;
}

static void graph_free(sim_program *program)
{
    sim_graph_free((sim_graph *)program);
}

static char *label(const void *opaque, uint32_t rank, uint32_t index)
{
    const graph_cursor *cursor = opaque;
    return sim_graph_describe_op(&cursor->graph->program, rank, index);
}

static char *explain_stuck(const sim_program *program, const void *cursor)
{
    const graph_standing standing = {
        .cursor = cursor, .has_finished = sim_graph_cursor_has_finished, .label = label};
    return sim_graph_explain_stuck((const sim_graph *)program, &standing);
}

const sim_program_class sim_graph_class = {
    .free = graph_free,
    .begin = graph_begin,
    .end = graph_end,
    .first = graph_first,
    .started = graph_started,
    .finished = graph_finished,
    .prefetch = graph_prefetch,
    .prefetch_next = graph_prefetch_next,
    .would_release = graph_would_release,
    .remaining = graph_remaining,
    .num_ops = graph_num_ops,
    .label = sim_graph_describe_op,
    .explain_stuck = explain_stuck,
};

const sim_graph *sim_graph_of(const sim_program *program)
{
    return program != NULL && program->methods == &sim_graph_class ? (const sim_graph *)program
                                                                   : NULL;
}
