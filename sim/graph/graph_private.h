/* sim/graph/graph_private.h — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * The layout of a stored graph in memory, which is that of its file (docs/formats.md, "The native
 * form"): there are no pointers, only offsets from the beginning of a table.
 *
 * The ranks of a program do much the same things over and over. So a dictionary holds once what an
 * operation is, apart from its peer, and what depends on it, counted in operations ahead. An
 * operation of most ranks is 8 bytes that refer to the dictionary; ranks that do not fit take a
 * larger form.
 */
#pragma once

#include "sim/graph.h"

#include <assert.h>

/*
 * How many edges lead to an operation, and which lead away from it: those at its end are
 * steps [begin, middle), those at its start [middle, end). A step is how far ahead the other
 * operation is, modulo 2^32.
 */
typedef struct graph_shape {
    uint32_t waits;
    uint32_t begin;
    uint32_t middle;
    uint32_t end;
} graph_shape;

/* Messages: the peer is in x, all else as described. Calcs: x more picoseconds than described. */
typedef struct graph_narrow {
    uint32_t x;
    uint16_t desc;
    uint16_t shape;
} graph_narrow;

/* Also tag and size (calcs: the upper half of x), to be added to what is described. */
typedef struct graph_wide {
    graph_narrow head;
    uint32_t tag;
    uint32_t more;
} graph_wide;

/* Without a dictionary: the steps of the rank follow its operations. */
typedef struct graph_full {
    sim_op op;
    graph_shape shape;
} graph_full;

/* GRAPH_WOVEN is in memory only: narrow operations, laid out as graph_weave.c says. */
typedef enum { GRAPH_NARROW, GRAPH_WIDE, GRAPH_FULL, GRAPH_NUM_FORMS, GRAPH_WOVEN = 3 } graph_form;

static inline size_t graph_op_bytes(graph_form form)
{
    static const uint8_t bytes[] = {sizeof(graph_narrow), sizeof(graph_wide), sizeof(graph_full),
                                    sizeof(graph_narrow)};
    return bytes[form];
}

#define GRAPH_WEAVE_RANKS 64U /* woven together */
#define GRAPH_WEAVE_LINE  64U /* bytes of each before those of the next */
#define GRAPH_WEAVE_OPS   (GRAPH_WEAVE_LINE / sizeof(graph_narrow))

/* Where operation @p index of a rank is, whose first one is at @p ops. */
static inline __attribute__((always_inline)) const char *
graph_op_place(graph_form form, const char *ops, uint32_t index)
{
    if (form == GRAPH_WOVEN) {
        const size_t line = index / GRAPH_WEAVE_OPS;
        return ops + line * GRAPH_WEAVE_RANKS * GRAPH_WEAVE_LINE +
               index % GRAPH_WEAVE_OPS * sizeof(graph_narrow);
    }
    return ops + (size_t)index * graph_op_bytes(form);
}

/* A rank: where its operations are, and how to read them. */
typedef struct graph_rank {
    uint64_t place; /* offset in bytes, a multiple of 8, << 3 | graph_form */
    uint32_t num_ops;
    uint16_t segment;
    uint16_t num_roots; /* operations that wait for nothing; all ones: so many or more */
} graph_rank;

static inline graph_form graph_rank_form(const graph_rank *rank)
{
    return (graph_form)(rank->place & 3);
}
static inline uint64_t graph_rank_offset(const graph_rank *rank)
{
    return rank->place >> 3;
}

/* Where a dictionary begins in the tables. It serves many ranks; when it is full, the next begins.
 */
typedef struct graph_segment {
    uint64_t desc;
    uint64_t shape;
    uint64_t step;
    uint32_t num_descs;
    uint32_t num_shapes;
} graph_segment;

#define GRAPH_MAX_ENTRIES ((uint32_t)UINT16_MAX + 1) /* of either kind in a segment */

/* A dictionary in use. */
typedef struct graph_dictionary {
    const sim_op *desc;
    const graph_shape *shape;
    const uint32_t *step;
} graph_dictionary;

/* The operations of a rank that have names of their own. */
typedef struct graph_named_rank {
    uint64_t label; /* the first */
    uint64_t text;  /* what graph_label.offset counts from */
    uint32_t rank;
    uint32_t num_labels;
} graph_named_rank;

typedef struct graph_label {
    uint32_t op;
    uint32_t offset;
} graph_label;

/* A growing array, or one that belongs to somebody else. */
typedef struct graph_table {
    void *at;
    uint64_t n;
    uint64_t cap; /* 0: borrowed */
} graph_table;

/* Ranks lie one behind the other in chunks of this size; a rank that is larger takes several. */
#define GRAPH_CHUNK_BITS  26
#define GRAPH_CHUNK_BYTES ((size_t)1 << GRAPH_CHUNK_BITS)

struct sim_graph {
    sim_program program; /* first: a graph is a program */
    graph_rank *rank;    /* [program.num_ranks] */
    uint64_t num_ops;
    uint64_t num_edges;
    uint64_t rank_bytes;          /* of all ranks' operations */
    uint64_t padding;             /* bytes between those that are woven */
    graph_table chunk;            /* of const char *: where each chunk is */
    graph_table segment;          /* of graph_segment */
    graph_table desc;             /* of sim_op */
    graph_table shape;            /* of graph_shape */
    graph_table step;             /* of uint32_t */
    graph_table named;            /* of graph_named_rank, ascending rank */
    graph_table label;            /* of graph_label, ascending op within a rank */
    graph_table text;             /* of char */
    graph_dictionary *dictionary; /* [segment.n] */
    GPtrArray *memory;            /* the blocks that hold the chunks; NULL: they are borrowed */
    GPtrArray *woven;             /* blocks of further chunks, of what is woven; NULL: none */
    bool mapped;                  /* the ranks' operations belong to a file */
    bool owns_ranks;              /* the array of ranks does not */
    bool unverified;              /* the operations may be damaged: SIM_GRAPH_TRUST */
};

/* Member by member: what lies between them stays as it is. */
static inline void sim_graph_copy_op(sim_op *to, const sim_op *from)
{
    to->size = from->size;
    to->peer = from->peer;
    to->tag = from->tag;
    to->comm = from->comm;
    to->type = from->type;
    to->cpu = from->cpu;
    to->nic = from->nic;
}

/* Room for n more of the given size, uninitialised. @return the first of them */
void *sim_graph_table_add(graph_table *table, uint64_t n, size_t size);
/* Fill in sim_graph.dictionary, when its tables are complete. */
void sim_graph_resolve(sim_graph *graph);

static inline const char *graph_rank_data(const sim_graph *graph, const graph_rank *rank)
{
    const uint64_t offset = graph_rank_offset(rank);
    const char *const *chunk = graph->chunk.at;
    return chunk[offset >> GRAPH_CHUNK_BITS] + (offset & (GRAPH_CHUNK_BYTES - 1));
}

/* What it takes to read a rank. */
typedef struct graph_view {
    const char *ops;
    const graph_dictionary *dictionary;
    const uint32_t *steps; /* what graph_shape counts from */
    uint32_t num_ops;
    graph_form form;
} graph_view;

/* Behind operations without a dictionary. */
static inline const uint32_t *graph_full_steps(const char *ops, uint32_t num_ops)
{
    return (const uint32_t *)(const void *)(ops + (size_t)num_ops * sizeof(graph_full));
}

static inline graph_view graph_view_of(const sim_graph *graph, uint32_t rank)
{
    const graph_rank *r = &graph->rank[rank];
    graph_view view = {.dictionary = &graph->dictionary[r->segment],
                       .num_ops = r->num_ops,
                       .form = graph_rank_form(r)};
    view.steps = view.dictionary->step;
    if (r->num_ops > 0) {
        view.ops = graph_rank_data(graph, r);
        view.steps = view.form == GRAPH_FULL ? graph_full_steps(view.ops, r->num_ops) : view.steps;
    }
    return view;
}

/* Inline, with the form known where it is called: both are on the path of every event. */
static inline __attribute__((always_inline)) const graph_shape *
graph_shape_at(graph_form form, const char *ops, const graph_dictionary *dictionary, uint32_t index)
{
    const char *at = graph_op_place(form, ops, index);
    return form == GRAPH_FULL ? &((const graph_full *)(const void *)at)->shape
                              : &dictionary->shape[((const graph_narrow *)(const void *)at)->shape];
}

static inline __attribute__((always_inline)) sim_op
graph_op_at(graph_form form, const char *ops, const graph_dictionary *dictionary, uint32_t index)
{
    const char *at = graph_op_place(form, ops, index);
    if (form == GRAPH_FULL) {
        return ((const graph_full *)(const void *)at)->op;
    }
    const graph_narrow *head = (const graph_narrow *)(const void *)at;
    sim_op op = dictionary->desc[head->desc];
    const bool calc = op.type == SIM_OP_CALC;
    uint64_t more = calc ? head->x : 0;
    op.peer = calc ? op.peer : head->x;
    if (form == GRAPH_WIDE) {
        const graph_wide *wide = (const graph_wide *)(const void *)at;
        more += calc ? (uint64_t)wide->more << 32 : wide->more;
        op.tag += wide->tag;
    }
    op.size = (int64_t)((uint64_t)op.size + more); /* of a damaged file: any, and refused later */
    return op;
}

/* ---- graph_weave.c ---- */

/**
 * The operations of a rank as they are in a file, one behind the other.
 * @param room where they are put together if they are not; its contents are replaced
 * @return [bytes of the rank's operations], valid until the next call with @p room
 */
const char *sim_graph_rank_packed(const sim_graph *graph, uint32_t rank, GByteArray *room);

/* ---- graph_cursor.c ---- */

extern const sim_program_class sim_graph_class;

/** Has operation @p index of @p rank finished in the run of this cursor? */
bool sim_graph_cursor_has_finished(const void *cursor, uint32_t rank, uint32_t index);
/** Begin @p rank, all of whose operations have finished, anew: first() may be called again. */
void sim_graph_cursor_restart(void *cursor, uint32_t rank);
/** Of a file that nobody has read before: can the rank be run? */
bool sim_graph_rank_is_sound(const sim_graph *graph, uint32_t rank);

/* ---- graph_cycle.c ---- */

/** sim_program_class.label */
char *sim_graph_describe_op(const sim_program *program, uint32_t rank, uint32_t index);
/** How far a run has come, in which rank r of the graph is rank first_rank + r. */
typedef struct graph_standing {
    const void *cursor;
    uint32_t first_rank;
    bool (*has_finished)(const void *cursor, uint32_t rank, uint32_t index);
    char *(*label)(const void *cursor, uint32_t rank, uint32_t index); /* owned by the caller */
} graph_standing;
/** The first dependency cycle, or why the graph cannot be run; NULL: neither. Owned by the caller.
 */
char *sim_graph_explain_stuck(const sim_graph *graph, const graph_standing *standing);
