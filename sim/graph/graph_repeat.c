/* sim/graph/graph_repeat.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cursor of a graph knows one pass of each rank. Around it, here, is counted how many
 * operations of the pass have not finished; with the last one the rank begins anew, and what that
 * hands out requires the latest finish of the pass. Numbers and peers are moved on their way out.
 *
 * For the cursor of a graph the ranks of all copies are ranks like others: their table is repeated,
 * which refers to the same operations.
 */
#include "sim/graph_repeat.h"

#include "graph/graph_private.h"
#include "sim/error.h"
#include "sim/large.h"
#include "sim/passes.h"
#include "sim/slices.h"

#include <inttypes.h>

typedef struct graph_repeat {
    sim_program program; /* first: it is a program */
    const sim_graph *graph;
    sim_graph tiled; /* all copies; nothing is its own but the table of ranks */
    uint32_t copies;
    uint32_t passes;
} graph_repeat;

/* How far a rank is in all. */
typedef struct repeat_rank {
    sim_time latest;     /* finish in the pass so far */
    uint32_t cause;      /* the operation that finished then; of several the one told last */
    uint32_t pass;       /* from 0 */
    uint32_t first;      /* number of its first operation */
    uint32_t unfinished; /* operations of the pass */
    uint32_t num_ops;    /* of a pass */
    uint32_t shift;      /* of its copy: what is added to its peers */
} repeat_rank;

_Static_assert(sizeof(repeat_rank) == 32, "two share a line");

typedef struct repeat_cursor {
    const graph_repeat *program;
    void *inner;              /* cursor of program->tiled: the pass of each rank */
    repeat_rank *rank;        /* [num_ranks] */
    const sim_slices *slices; /* to be noted, or NULL */
} repeat_cursor;

size_t sim_graph_repeat_memory(uint32_t num_ranks)
{
    const sim_graph tiled = {.program.num_ranks = num_ranks};
    return sizeof(graph_repeat) + sizeof(repeat_cursor) + sim_graph_cursor_memory(&tiled) +
           num_ranks * (sizeof(graph_rank) + sizeof(repeat_rank));
}

static void *repeat_begin(const sim_program *program)
{
    const graph_repeat *p = (const graph_repeat *)program;
    const uint32_t num_ranks = program->num_ranks;
    const uint32_t own = p->graph->program.num_ranks;
    repeat_cursor *c = g_new(repeat_cursor, 1);
    c->program = p;
    c->slices = NULL;
    c->inner = sim_graph_class.begin(&p->tiled.program);
    c->rank = sim_large_new(num_ranks, sizeof(repeat_rank));
    for (uint32_t r = 0; r < num_ranks; r++) {
        const uint32_t num_ops = p->tiled.rank[r].num_ops;
        c->rank[r] = (repeat_rank){
            .cause = SIM_ANY, .unfinished = num_ops, .num_ops = num_ops, .shift = r - r % own};
    }
    return c;
}

static void repeat_note_slices(void *opaque, const sim_slices *slices)
{
    ((repeat_cursor *)opaque)->slices = slices;
}

static void repeat_end(void *opaque)
{
    repeat_cursor *c = opaque;
    sim_graph_class.end(c->inner);
    sim_large_free(c->rank);
    g_free(c);
}

/* What the pass hands out, as the program has it. */
static inline void place(const repeat_rank *r, sim_ready *out, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const bool to_rank = out[i].op.type != SIM_OP_CALC && out[i].op.peer != SIM_ANY;
        out[i].op.peer += to_rank ? r->shift : 0;
        out[i].index += r->first;
        out[i].cause += out[i].cause != SIM_ANY ? r->first : 0;
    }
}

static size_t repeat_first(void *opaque, uint32_t rank, sim_ready *out)
{
    const repeat_cursor *c = opaque;
    const sim_graph *graph = c->program->graph;
    const repeat_rank *r = &c->rank[rank];
    if (graph->unverified && !sim_graph_rank_is_sound(graph, rank - r->shift)) {
        return 0;
    }
    const size_t n = sim_graph_class.first(c->inner, rank, out);
    place(r, out, n);
    for (size_t i = 0; i < n; i++) {
        out[i].time = r->latest;
    }
    return n;
}

/* The pass begins where one before it has ended. */
static void repeat_start_at(void *opaque, uint32_t rank, sim_time at)
{
    ((repeat_cursor *)opaque)->rank[rank].latest = at;
}

static size_t repeat_started(void *opaque, uint32_t rank, uint32_t index, sim_time at,
                             sim_ready *out)
{
    const repeat_cursor *c = opaque;
    const repeat_rank *r = &c->rank[rank];
    const size_t n = sim_graph_class.started(c->inner, rank, index - r->first, at, out);
    place(r, out, n);
    return n;
}

/* All of a pass has finished. */
static __attribute__((noinline)) size_t begin_next(const repeat_cursor *c, uint32_t rank,
                                                   sim_ready *out)
{
    repeat_rank *r = &c->rank[rank];
    if (r->pass + 1 == c->program->passes) {
        return 0;
    }
    r->pass++;
    r->first += r->num_ops;
    r->unfinished = r->num_ops;
    sim_graph_cursor_restart(c->inner, rank);
    const size_t n = sim_graph_class.first(c->inner, rank, out);
    place(r, out, n);
    for (size_t i = 0; i < n; i++) {
        out[i].time = r->latest;
        out[i].cause = r->cause;
    }
    return n;
}

/* A pass has two slices: until half of its operations, or the odd one more, have
 * finished, and until all have. */
static inline void note(const repeat_cursor *c, const repeat_rank *r)
{
    if (r->unfinished == r->num_ops / 2) {
        sim_slices_note(c->slices, 2 * r->pass, r->latest);
    }
    if (r->unfinished == 0) {
        sim_slices_note(c->slices, 2 * r->pass + 1, r->latest);
    }
}

static size_t repeat_finished(void *opaque, uint32_t rank, uint32_t index, sim_time at,
                              sim_ready *out)
{
    const repeat_cursor *c = opaque;
    repeat_rank *r = &c->rank[rank];
    const size_t n = sim_graph_class.finished(c->inner, rank, index - r->first, at, out);
    place(r, out, n);
    if (at >= r->latest) {
        r->latest = at;
        r->cause = index;
    }
    r->unfinished--;
    if (c->slices != NULL) {
        note(c, r);
    }
    return r->unfinished > 0 ? n : begin_next(c, rank, out); /* the last one makes none ready */
}

static void repeat_prefetch(const void *opaque, uint32_t rank, uint32_t index)
{
    const repeat_cursor *c = opaque;
    const repeat_rank *r = &c->rank[rank];
    if (index == SIM_ANY) {
        __builtin_prefetch(r, 1);
    }
    sim_graph_class.prefetch(c->inner, rank, index != SIM_ANY ? index - r->first : SIM_ANY);
}

static uint64_t repeat_remaining(const void *opaque, uint32_t rank)
{
    const repeat_cursor *c = opaque;
    const repeat_rank *r = &c->rank[rank];
    const uint64_t passes = c->program->passes - 1 - r->pass;
    return sim_graph_class.remaining(c->inner, rank) + passes * r->num_ops;
}

static uint64_t repeat_num_ops(const sim_program *program, uint32_t rank)
{
    const graph_repeat *p = (const graph_repeat *)program;
    return (uint64_t)p->tiled.rank[rank].num_ops * p->passes;
}

/* What the author called an operation is said with the pass; other names are numbers anyway. */
static char *repeat_label(const sim_program *program, uint32_t rank, uint32_t index)
{
    const graph_repeat *p = (const graph_repeat *)program;
    const uint32_t own = rank % p->graph->program.num_ranks;
    const uint32_t num_ops = p->graph->rank[own].num_ops;
    const char *name = sim_graph_label(p->graph, own, index % num_ops);
    if (name == NULL) {
        return g_strdup_printf("l%" PRIu64, (uint64_t)index + 1);
    }
    return index < num_ops ? g_strdup(name)
                           : g_strdup_printf("%s of pass %" PRIu32, name, index / num_ops + 1);
}

/* In the pass that the rank has come to. */
static bool has_finished(const void *opaque, uint32_t rank, uint32_t index)
{
    const repeat_cursor *c = opaque;
    return sim_graph_cursor_has_finished(c->inner, rank, index);
}

static char *label(const void *opaque, uint32_t rank, uint32_t index)
{
    const repeat_cursor *c = opaque;
    return repeat_label(&c->program->program, rank, c->rank[rank].first + index);
}

/* Copies wait only for themselves; ranks may be in different passes, each waits in its own. */
static char *explain_stuck(const sim_program *program, const void *cursor)
{
    const graph_repeat *p = (const graph_repeat *)program;
    char *text = NULL;
    for (uint32_t e = 0; e < p->copies && text == NULL; e++) {
        const graph_standing standing = {.cursor = cursor,
                                         .first_rank = e * p->graph->program.num_ranks,
                                         .has_finished = has_finished,
                                         .label = label};
        text = sim_graph_explain_stuck(p->graph, &standing);
    }
    return text;
}

static void repeat_free(sim_program *program)
{
    graph_repeat *p = (graph_repeat *)program;
    g_free(p->tiled.rank);
    g_free(p);
}

static graph_repeat *repeat_new(const sim_graph *graph, uint32_t copies, uint32_t passes);

/* A pass begins when all of the one before has finished. */
static sim_program *repeat_some(const sim_program *program, uint32_t n)
{
    const graph_repeat *p = (const graph_repeat *)(const void *)program; /* its first member */
    return &repeat_new(p->graph, p->copies, n)->program;
}

static const sim_passes_class PASSES_CLASS = {.some = repeat_some, .start_at = repeat_start_at};

static const sim_program_class CLASS = {
    .free = repeat_free,
    .begin = repeat_begin,
    .end = repeat_end,
    .first = repeat_first,
    .started = repeat_started,
    .finished = repeat_finished,
    .prefetch = repeat_prefetch,
    .remaining = repeat_remaining,
    .num_ops = repeat_num_ops,
    .label = repeat_label,
    .explain_stuck = explain_stuck,
    .note_slices = repeat_note_slices,
    .passes = &PASSES_CLASS,
};

/* SIM_ANY is no rank; the last two numbers of operations mean something else. */
static bool check_numbers(const sim_graph *graph, uint32_t copies, uint32_t passes, GError **error)
{
    const uint64_t num_ranks = (uint64_t)graph->program.num_ranks * copies;
    if (num_ranks >= SIM_ANY) {
        g_set_error(error, SIM_ERROR, SIM_ERROR_BAD_PROGRAM,
                    "'%" PRIu32 "' copies of %" PRIu32 " ranks: more ranks than can be numbered",
                    copies, graph->program.num_ranks);
        return false;
    }
    for (uint32_t r = 0; r < graph->program.num_ranks; r++) {
        if ((uint64_t)graph->rank[r].num_ops * passes >= SIM_ANY - 1) {
            g_set_error(error, SIM_ERROR, SIM_ERROR_BAD_PROGRAM,
                        "rank %" PRIu32 " has %" PRIu32 " operations, in '%" PRIu32
                        "' passes more than can be numbered",
                        r, graph->rank[r].num_ops, passes);
            return false;
        }
    }
    return true;
}

static graph_repeat *repeat_new(const sim_graph *graph, uint32_t copies, uint32_t passes)
{
    const uint32_t own = graph->program.num_ranks;
    graph_repeat *p = g_new(graph_repeat, 1);
    *p = (graph_repeat){.program = graph->program,
                        .graph = graph,
                        .tiled = *graph,
                        .copies = copies,
                        .passes = passes};
    p->program.methods = &CLASS;
    p->program.num_ranks = own * copies;
    p->program.num_slices = passes <= UINT32_MAX / 2 ? 2 * passes : 0;
    p->tiled.program.num_ranks = own * copies;
    p->tiled.unverified = false; /* asked for here, of the graph */
    p->tiled.rank = g_new(graph_rank, (size_t)own * copies);
    for (uint32_t e = 0; e < copies; e++) {
        for (uint32_t r = 0; r < own; r++) {
            p->tiled.rank[(size_t)e * own + r] = graph->rank[r];
        }
    }
    return p;
}

sim_program *sim_graph_repeat_new(const sim_graph *graph, uint32_t copies, uint32_t passes,
                                  GError **error)
{
    assert(copies > 0 && passes > 0);
    if (!check_numbers(graph, copies, passes, error)) {
        return NULL;
    }
    return &repeat_new(graph, copies, passes)->program;
}
