/* sim/graph_cursor.c — SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run through a stored graph. Of an operation only this is kept: that it has finished (one bit,
 * for the explanation of a run that is stuck), and, while some of several edges that lead to it are
 * satisfied and others not, how many are left. Few are at any time, and their places are used
 * again, so that a rank's work stays on the same one or two lines of the cache.
 *
 * Everything of a rank is its own: threads may run different ranks.
 */
#include "graph_file_private.h"
#include "sim/large.h"

#include <string.h>

/* An operation some of whose edges are satisfied. */
typedef struct graph_live {
    sim_time ready;  /* the latest instant it depends on so far */
    uint32_t op;     /* SIM_ANY: a free place */
    uint32_t waits;  /* edges not yet satisfied */
    uint32_t cause;  /* whose instant ready is */
    uint32_t unused; /* a multiple of 8 bytes */
} graph_live;

/* Where a run stands in a rank; two on a line. */
typedef struct cursor_rank {
    const char *ops;
    char *work;          /* graph_live[num_slots], then a bit for each operation: finished */
    uint32_t remaining;  /* operations not ready yet */
    uint32_t num_slots;  /* a power of two, or 0 */
    uint32_t num_live;   /* slots that are taken */
    uint16_t dictionary; /* which of the graph's */
    uint8_t form;
    bool owns_work; /* it has grown out of its first place */
} cursor_rank;

typedef struct graph_cursor {
    const sim_graph *graph;
    const graph_dictionary *dictionary;
    cursor_rank *rank; /* [num_ranks] */
    char *work;        /* the first places of all */
} graph_cursor;

#define FIRST_SLOTS 2 /* and the bits of 128 operations fill a line */
#define LINE_BYTES  ((size_t)64)

static size_t bit_bytes(uint32_t num_ops)
{
    return ((size_t)num_ops + 63) / 64 * sizeof(uint64_t);
}

size_t sim_graph_work_bytes(uint32_t num_ops, bool joins)
{
    if (!joins) {
        return bit_bytes(num_ops);
    }
    const size_t bytes = FIRST_SLOTS * sizeof(graph_live) + bit_bytes(num_ops);
    return bytes + -bytes % LINE_BYTES;
}

size_t sim_graph_cursor_rank_bytes(void)
{
    return sizeof(cursor_rank);
}

static graph_live *live_of(const cursor_rank *r)
{
    return (graph_live *)(void *)r->work;
}

static uint64_t *bits_of(const cursor_rank *r)
{
    return (uint64_t *)(void *)(r->work + r->num_slots * sizeof(graph_live));
}

bool sim_graph_cursor_finished(const void *opaque, uint32_t rank, uint32_t index)
{
    const cursor_rank *r = &((const graph_cursor *)opaque)->rank[rank];
    return (bits_of(r)[index / 64] >> index % 64 & 1) != 0;
}

static void clear_slots(cursor_rank *r)
{
    for (uint32_t i = 0; i < r->num_slots; i++) {
        live_of(r)[i].op = SIM_ANY;
    }
}

static void *graph_begin(const sim_program *program)
{
    const sim_graph *graph = (const sim_graph *)program;
    graph_cursor *cursor = g_new0(graph_cursor, 1);
    cursor->graph = graph;
    cursor->dictionary = graph->dictionary;
    cursor->rank = sim_large_new(program->num_ranks, sizeof(cursor_rank));
    cursor->work = sim_large_new(graph->cursor_bytes, 1);
    char *work = cursor->work;
    /* Ranks whose work fills lines come first, so that none straddles two. */
    for (int joins = 1; joins >= 0; joins--) {
        for (uint32_t i = 0; i < program->num_ranks; i++) {
            const graph_rank *rank = &graph->rank[i];
            if (graph_rank_joins(rank) != (joins == 1)) {
                continue;
            }
            cursor_rank *r = &cursor->rank[i];
            *r = (cursor_rank){.ops = rank->num_ops > 0 ? graph_rank_data(graph, rank) : NULL,
                               .work = work,
                               .remaining = rank->num_ops,
                               .num_slots = joins == 1 ? FIRST_SLOTS : 0,
                               .dictionary = rank->segment,
                               .form = (uint8_t)graph_rank_form(rank)};
            clear_slots(r);
            memset(bits_of(r), 0, bit_bytes(rank->num_ops));
            work += sim_graph_work_bytes(rank->num_ops, joins == 1);
        }
    }
    return cursor;
}

static void graph_end(void *opaque)
{
    graph_cursor *cursor = opaque;
    for (uint32_t i = 0; i < cursor->graph->program.num_ranks; i++) {
        if (cursor->rank[i].owns_work) {
            g_free(cursor->rank[i].work);
        }
    }
    sim_large_free(cursor->rank);
    sim_large_free(cursor->work);
    g_free(cursor);
}

/* ---- operations that wait for several edges ---- */

/* Neighbours are mostly alive together: this spreads them over a table of any size. */
static uint32_t slot_of(uint32_t op, uint32_t num_slots)
{
    return (uint32_t)((uint64_t)(op * UINT32_C(0x9E3779B1)) * num_slots >> 32);
}

/* The place of @p op, or the free one where it goes; NULL: neither. */
static graph_live *find_live(const cursor_rank *r, uint32_t op)
{
    graph_live *live = live_of(r);
    uint32_t i = slot_of(op, r->num_slots);
    for (uint32_t k = 0; k < r->num_slots; k++) {
        if (live[i].op == op || live[i].op == SIM_ANY) {
            return &live[i];
        }
        i = (i + 1) & (r->num_slots - 1);
    }
    return NULL;
}

/* Twice as many places. Rare: a rank grows to what it has alive at a time, once. */
static void grow_live(const graph_cursor *cursor, cursor_rank *r, uint32_t rank)
{
    const cursor_rank old = *r;
    const size_t bits = bit_bytes(cursor->graph->rank[rank].num_ops);
    r->num_slots = 2 * old.num_slots;
    r->work = g_malloc(r->num_slots * sizeof(graph_live) + bits);
    r->owns_work = true;
    clear_slots(r);
    memcpy(bits_of(r), bits_of(&old), bits);
    for (uint32_t i = 0; i < old.num_slots; i++) {
        if (live_of(&old)[i].op != SIM_ANY) {
            *find_live(r, live_of(&old)[i].op) = live_of(&old)[i];
        }
    }
    if (old.owns_work) {
        g_free(old.work);
    }
}

/* Free a place; what stood behind it for want of it moves up. */
static void remove_live(cursor_rank *r, graph_live *gone)
{
    const uint32_t mask = r->num_slots - 1;
    graph_live *live = live_of(r);
    const uint32_t first = (uint32_t)(gone - live);
    uint32_t hole = first;
    for (uint32_t i = (hole + 1) & mask; i != first && live[i].op != SIM_ANY; i = (i + 1) & mask) {
        const uint32_t home = slot_of(live[i].op, r->num_slots);
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            live[hole] = live[i];
            hole = i;
        }
    }
    live[hole].op = SIM_ANY;
    r->num_live--;
}

/* Few places may be taken all; of many, three quarters. */
static bool has_room(const cursor_rank *r)
{
    return r->num_live < (r->num_slots <= 4 ? r->num_slots : r->num_slots / 4 * 3);
}

/* The first of several edges to @p op. */
static void add_live(const graph_cursor *cursor, cursor_rank *r, uint32_t rank,
                     const graph_live *live)
{
    if (!has_room(r)) {
        grow_live(cursor, r, rank);
    }
    *find_live(r, live->op) = *live;
    r->num_live++;
}

/* ---- steps ---- */

typedef struct instant {
    sim_time at;
    uint32_t cause; /* the operation that has started or finished */
} instant;

/* One of several edges to @p op is satisfied. @return was it the last? Then @p when: the latest. */
static inline bool join(const graph_cursor *cursor, uint32_t rank, uint32_t op, uint32_t waits,
                        instant *when)
{
    cursor_rank *r = &cursor->rank[rank];
    graph_live *live = find_live(r, op);
    if (live == NULL || live->op == SIM_ANY) {
        const graph_live new = {
            .ready = when->at, .op = op, .waits = waits - 1, .cause = when->cause};
        add_live(cursor, r, rank, &new);
        return false;
    }
    if (when->at >= live->ready) {
        live->ready = when->at;
        live->cause = when->cause;
    }
    if (--live->waits > 0) {
        return false;
    }
    *when = (instant){live->ready, live->cause};
    remove_live(r, live);
    return true;
}

/* The edges of an operation are satisfied: those at its end or those at its start. */
static inline __attribute__((always_inline)) size_t satisfy(const graph_cursor *cursor,
                                                            uint32_t rank, graph_form form,
                                                            instant now, bool at_end,
                                                            sim_ready *out)
{
    cursor_rank *r = &cursor->rank[rank];
    const graph_dictionary *dictionary = &cursor->dictionary[r->dictionary];
    const graph_shape *own = graph_shape_at(form, r->ops, dictionary, now.cause);
    const uint32_t from = at_end ? own->begin : own->middle;
    const uint32_t to = at_end ? own->middle : own->end;
    if (from == to) {
        return 0;
    }
    const uint32_t *steps = form == GRAPH_FULL
                                ? graph_full_steps(r->ops, cursor->graph->rank[rank].num_ops)
                                : dictionary->step;
    size_t n = 0;
    for (uint32_t e = from; e < to; e++) {
        const uint32_t op = now.cause + steps[e];
        const uint32_t waits = graph_shape_at(form, r->ops, dictionary, op)->waits;
        instant when = now;
        if (waits == 1 || join(cursor, rank, op, waits, &when)) {
            out[n++] = (sim_ready){.op = graph_op_at(form, r->ops, dictionary, op),
                                   .time = when.at,
                                   .index = op,
                                   .cause = when.cause};
        }
    }
    r->remaining -= (uint32_t)n;
    return n;
}

static size_t satisfy_any(const graph_cursor *cursor, uint32_t rank, instant now, bool at_end,
                          sim_ready *out)
{
    switch ((graph_form)cursor->rank[rank].form) {
    case GRAPH_NARROW:
        return satisfy(cursor, rank, GRAPH_NARROW, now, at_end, out);
    case GRAPH_WIDE:
        return satisfy(cursor, rank, GRAPH_WIDE, now, at_end, out);
    default:
        return satisfy(cursor, rank, GRAPH_FULL, now, at_end, out);
    }
}

/* Of a file that nobody has read before: nothing happens in a rank that is damaged. */
static bool is_sound(const sim_graph *graph, uint32_t rank)
{
    graph_check check = {0};
    g_autofree char *wrong = sim_graph_check_rank(graph, rank, &check);
    sim_graph_check_clear(&check);
    return wrong == NULL;
}

static size_t graph_first(void *opaque, uint32_t rank, sim_ready *out)
{
    const graph_cursor *cursor = opaque;
    if (cursor->graph->unverified && !is_sound(cursor->graph, rank)) {
        return 0;
    }
    const graph_view v = graph_view_of(cursor->graph, rank);
    const uint32_t roots = cursor->graph->rank[rank].num_roots;
    size_t n = 0;
    for (uint32_t i = 0; i < v.num_ops && (n < roots || roots == UINT16_MAX); i++) {
        if (graph_shape_at(v.form, v.ops, v.dictionary, i)->waits == 0) {
            out[n++] = (sim_ready){
                .op = graph_op_at(v.form, v.ops, v.dictionary, i), .index = i, .cause = SIM_ANY};
        }
    }
    cursor->rank[rank].remaining -= (uint32_t)n;
    return n;
}

static size_t graph_started(void *opaque, uint32_t rank, uint32_t index, sim_time at,
                            sim_ready *out)
{
    return satisfy_any(opaque, rank, (instant){at, index}, false, out);
}

static size_t graph_finished(void *opaque, uint32_t rank, uint32_t index, sim_time at,
                             sim_ready *out)
{
    const graph_cursor *cursor = opaque;
    bits_of(&cursor->rank[rank])[index / 64] |= UINT64_C(1) << index % 64;
    return satisfy_any(cursor, rank, (instant){at, index}, true, out);
}

static void graph_prefetch(const void *opaque, uint32_t rank, uint32_t index)
{
    const graph_cursor *cursor = opaque;
    const cursor_rank *r = &cursor->rank[rank];
    if (index == SIM_ANY) {
        __builtin_prefetch(r, 1);
        return;
    }
    /* What depends on an operation mostly comes right after it. */
    const char *op = r->ops + (size_t)index * graph_op_bytes((graph_form)r->form);
    __builtin_prefetch(op);
    __builtin_prefetch(op + LINE_BYTES / 2);
    __builtin_prefetch(r->work, 1);
    __builtin_prefetch(&bits_of(r)[index / 64], 1);
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

const sim_program_class sim_graph_class = {
    .free = graph_free,
    .begin = graph_begin,
    .end = graph_end,
    .first = graph_first,
    .started = graph_started,
    .finished = graph_finished,
    .prefetch = graph_prefetch,
    .remaining = graph_remaining,
    .num_ops = graph_num_ops,
    .label = sim_graph_describe_op,
    .explain_stuck = sim_graph_explain_stuck,
};
