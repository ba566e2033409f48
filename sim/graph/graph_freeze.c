/* sim/graph/graph_freeze.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_graph, test_graph_forms. */
/*
 * Freezing a rank: it is packed into the smallest form that it fits, at the end of the last chunk
 * of memory.
 */
#include "graph/graph_builder_private.h"
#include "sim/large.h"

#include <string.h>

#define FIRST_CHUNK_BYTES ((size_t)256 << 10) /* most graphs are small */

/* Larger operations say more themselves, so they need few descriptions: these are kept for them. */
#define MAX_NARROW_DESCS (GRAPH_MAX_ENTRIES - 4096)
#define FREE_DESCS       ((uint32_t)16384)

/* Counting sort of the edges by what they wait for; keeps the order they were added in. */
static void builder_sort_edges(sim_graph_builder *b)
{
    if (b->cap_shapes < b->num_ops) {
        b->cap_shapes = MAX(b->num_ops, 2 * b->cap_shapes);
        b->shapes = g_renew(graph_shape, b->shapes, b->cap_shapes);
    }
    if (b->cap_steps < b->num_edges || b->steps == NULL) { /* also without edges: see below */
        b->cap_steps = MAX(MAX(b->num_edges, 1), 2 * b->cap_steps);
        b->steps = g_renew(uint32_t, b->steps, b->cap_steps);
    }
    graph_shape *shapes = b->shapes; /* middle and end: counts first, then where the next goes */
    memset(shapes, 0, b->num_ops * sizeof *shapes);
    for (size_t i = 0; i < b->num_edges; i++) {
        const sim_edge *edge = &b->edges[i];
        graph_shape *shape = &shapes[edge->earlier];
        *(edge->start ? &shape->end : &shape->middle) += 1;
        shapes[edge->later].waits++;
    }
    uint32_t begin = 0;
    for (size_t i = 0; i < b->num_ops; i++) {
        const uint32_t middle = begin + shapes[i].middle;
        const uint32_t end = middle + shapes[i].end;
        shapes[i].begin = begin;
        shapes[i].middle = begin;
        shapes[i].end = middle;
        begin = end;
    }
    for (size_t i = 0; i < b->num_edges; i++) {
        const sim_edge *edge = &b->edges[i];
        graph_shape *shape = &shapes[edge->earlier];
        b->steps[(*(edge->start ? &shape->end : &shape->middle))++] = edge->later - edge->earlier;
    }
}

/* How much a call may return for this rank; how many operations wait for nothing. */
static void builder_survey(sim_graph_builder *b)
{
    b->roots = 0;
    uint32_t most = 0;
    for (size_t i = 0; i < b->num_ops; i++) {
        const graph_shape *shape = &b->shapes[i];
        b->roots += shape->waits == 0;
        most = MAX(most, MAX(shape->middle - shape->begin, shape->end - shape->middle));
    }
    b->graph->program.max_ready = MAX(b->graph->program.max_ready, MAX(most, b->roots));
}

/* Does the rank have the edges of the one before? */
static bool builder_same_edges(const sim_graph_builder *b)
{
    bool same = b->num_ops == b->num_shapes && b->num_edges == b->num_last;
    for (size_t i = 0; i < b->num_edges && same; i++) {
        const sim_edge *x = &b->edges[i];
        const sim_edge *y = &b->last[i];
        same = x->later == y->later && x->earlier == y->earlier && x->start == y->start;
    }
    return same;
}

static void builder_remember_edges(sim_graph_builder *b)
{
    if (b->cap_last < b->num_edges) {
        b->cap_last = MAX(b->num_edges, 2 * b->cap_last);
        b->last = g_renew(sim_edge, b->last, b->cap_last);
    }
    for (size_t i = 0; i < b->num_edges; i++) {
        b->last[i] = b->edges[i];
    }
    b->num_last = b->num_edges;
    b->num_shapes = b->num_ops;
}

/* Room at the end of the last chunk, or of new ones, or to be written from; it is taken by
 * builder_take(). */
static char *builder_room(sim_graph_builder *b, size_t bytes)
{
    sim_graph *graph = b->graph;
    if (b->spool != NULL) {
        return sim_graph_spool_room(b->spool, bytes);
    }
    if (bytes > b->chunk_left) {
        const uint64_t num_chunks = MAX(1, (bytes + GRAPH_CHUNK_BYTES - 1) >> GRAPH_CHUNK_BITS);
        b->chunk_left = num_chunks << GRAPH_CHUNK_BITS;
        if (graph->chunk.n == 0 && bytes <= FIRST_CHUNK_BYTES) {
            b->chunk_left = FIRST_CHUNK_BYTES;
        }
        b->chunk_used = 0;
        char *memory = sim_large_new(b->chunk_left, 1);
        g_ptr_array_add(graph->memory, memory);
        const char **chunk = sim_graph_table_add(&graph->chunk, num_chunks, sizeof *chunk);
        for (uint64_t i = 0; i < num_chunks; i++) {
            chunk[i] = memory + (i << GRAPH_CHUNK_BITS);
        }
    }
    return (char *)g_ptr_array_index(graph->memory, graph->memory->len - 1) + b->chunk_used;
}

/* @return its offset */
static uint64_t builder_take(sim_graph_builder *b, size_t bytes)
{
    if (b->spool != NULL) {
        return sim_graph_spool_take(b->spool, bytes);
    }
    const char *memory = g_ptr_array_index(b->graph->memory, b->graph->memory->len - 1);
    const char *const *chunk = b->graph->chunk.at;
    uint64_t first = b->graph->chunk.n - 1; /* of the chunks of this memory */
    while (chunk[first] != memory) {
        first--;
    }
    const uint64_t offset = (first << GRAPH_CHUNK_BITS) + b->chunk_used;
    b->chunk_used += bytes;
    b->chunk_left -= bytes;
    return offset;
}

/* An operation less what its record says. */
static graph_desc_key describe(const sim_op *op, graph_form form)
{
    const bool calc = op->type == SIM_OP_CALC;
    graph_desc_key key = {.rest = sim_graph_op_rest(op)};
    if (form == GRAPH_NARROW) {
        key.size = calc ? op->size & ~(int64_t)UINT32_MAX : op->size;
        key.tag_peer = (uint64_t)op->tag << 32 | (calc ? op->peer : 0);
    } else {
        key.size = calc ? 0 : op->size & ~(int64_t)UINT32_MAX;
        key.tag_peer = calc ? op->peer : 0;
    }
    return key;
}

/*
 * Is it well that a rank has added to the dictionary? The first entries are for all that comes;
 * more are worth it if they are referred to three times: a description takes as much as three
 * narrow operations, and a wide operation as two.
 */
static bool builder_gains(const sim_graph_builder *b, const graph_dictionary_mark *before)
{
    const graph_dictionary_mark now = sim_graph_dictionary_mark(&b->dictionary);
    return now.num_descs == before->num_descs || now.num_descs <= FREE_DESCS ||
           b->dictionary.num_ops[GRAPH_NARROW] >= 3 * (uint64_t)now.num_descs;
}

static uint32_t builder_shape(sim_graph_builder *b, size_t index)
{
    const graph_shape *shape = &b->shapes[index];
    const graph_shape_key key = {.waits = shape->waits,
                                 .num_finish = shape->middle - shape->begin,
                                 .num_start = shape->end - shape->middle,
                                 .steps = b->steps + shape->begin};
    return sim_graph_dictionary_shape(&b->dictionary, &key);
}

/* Operations that refer to the dictionary. @return false if that is full; then it is as before */
static bool builder_encode(sim_graph_builder *b, graph_form form, char *out)
{
    const graph_dictionary_mark mark = sim_graph_dictionary_mark(&b->dictionary);
    const uint32_t limit = form == GRAPH_NARROW ? MAX_NARROW_DESCS : GRAPH_MAX_ENTRIES;
    for (size_t i = 0; i < b->num_ops; i++, out += graph_op_bytes(form)) {
        const sim_op *op = &b->ops[i];
        const graph_desc_key desc = describe(op, form);
        const graph_narrow like = b->num_like > 0 ? b->like[i] : (graph_narrow){0};
        const uint32_t d = sim_graph_dictionary_desc(&b->dictionary, &desc, like.desc, limit);
        const uint32_t s = b->num_like > 0 ? like.shape : builder_shape(b, i);
        if (d == GRAPH_MAX_ENTRIES || s == GRAPH_MAX_ENTRIES) {
            sim_graph_dictionary_undo(&b->dictionary, &mark);
            return false;
        }
        const bool calc = op->type == SIM_OP_CALC;
        const graph_narrow head = {
            .x = calc ? (uint32_t)op->size : op->peer, .desc = (uint16_t)d, .shape = (uint16_t)s};
        if (form == GRAPH_NARROW) {
            *(graph_narrow *)(void *)out = head;
        } else {
            *(graph_wide *)(void *)out = (graph_wide){
                .head = head,
                .tag = op->tag,
                .more = calc ? (uint32_t)(op->size >> 32) : (uint32_t)op->size,
            };
        }
    }
    b->dictionary.num_ops[form] += b->num_ops;
    if (form == GRAPH_NARROW && !builder_gains(b, &mark)) {
        b->dictionary.num_ops[form] -= b->num_ops;
        sim_graph_dictionary_undo(&b->dictionary, &mark);
        return false;
    }
    return true;
}

static void builder_copy(const sim_graph_builder *b, char *out)
{
    graph_full *full = (graph_full *)(void *)out;
    memset(full, 0, b->num_ops * sizeof *full); /* between the members */
    for (size_t i = 0; i < b->num_ops; i++) {
        sim_graph_copy_op(&full[i].op, &b->ops[i]);
        full[i].shape = b->shapes[i];
    }
    uint32_t *steps = (uint32_t *)(void *)(full + b->num_ops);
    for (size_t i = 0; i < b->num_edges; i++) {
        steps[i] = b->steps[i];
    }
    if (b->num_edges % 2 != 0) {
        steps[b->num_edges] = 0; /* up to a multiple of 8 bytes */
    }
}

static bool builder_renew(sim_graph_builder *b)
{
    b->num_like = 0;
    return sim_graph_dictionary_renew(&b->dictionary);
}

/*
 * The rank in a form that refers to the dictionary. One that is full is followed by another if it
 * was worth it: else the program repeats itself too little, and a larger form is the better deal.
 */
static bool builder_try(sim_graph_builder *b, graph_form form)
{
    char *room = builder_room(b, b->num_ops * graph_op_bytes(form));
    return builder_encode(b, form, room) || (sim_graph_dictionary_pays(&b->dictionary, form) &&
                                             builder_renew(b) && builder_encode(b, form, room));
}

/* The smallest form that the rank fits. @return its bytes, at a place that is not taken yet */
static size_t builder_freeze(sim_graph_builder *b, graph_form *form)
{
    for (*form = GRAPH_NARROW; *form < GRAPH_FULL; (*form)++) {
        if (builder_try(b, *form)) {
            return b->num_ops * graph_op_bytes(*form);
        }
    }
    size_t bytes = b->num_ops * sizeof(graph_full) + b->num_edges * sizeof(uint32_t);
    bytes += -bytes % sizeof(uint64_t);
    builder_copy(b, builder_room(b, bytes));
    return bytes;
}

/* The caller's names to their place. */
static void builder_copy_names(const sim_graph_builder *b)
{
    graph_label *label = sim_graph_table_add(&b->graph->label, b->num_names, sizeof *label);
    char *text = sim_graph_table_add(&b->graph->text, b->name_bytes, 1);
    uint32_t offset = 0;
    for (size_t i = 0; i < b->num_names; i++) {
        const sim_name *name = &b->names[i];
        label[i] = (graph_label){.op = name->op, .offset = offset};
        memcpy(text + offset, name->text, name->len);
        offset += name->len;
        text[offset++] = '\0';
    }
}

static void builder_freeze_labels(sim_graph_builder *b)
{
    sim_graph *graph = b->graph;
    graph_named_rank named = {.label = graph->label.n, .text = graph->text.n};
    if (b->names_again) {
        named = b->named_before;
    } else if (b->num_names > 0) {
        named.num_labels = (uint32_t)b->num_names;
        builder_copy_names(b);
    } else if (b->num_labels > 0) {
        named.num_labels = (uint32_t)b->num_labels;
        memcpy(sim_graph_table_add(&graph->label, b->num_labels, sizeof *b->labels), b->labels,
               b->num_labels * sizeof *b->labels);
        memcpy(sim_graph_table_add(&graph->text, b->text.n, 1), b->text.at, b->text.n);
    }
    named.rank = b->rank;
    b->named_before = named;
    if (named.num_labels > 0) {
        *(graph_named_rank *)sim_graph_table_add(&graph->named, 1, sizeof named) = named;
    }
}

void sim_graph_freeze_rank(sim_graph_builder *b)
{
    sim_graph *graph = b->graph;
    if (!builder_same_edges(b)) {
        builder_sort_edges(b);
        builder_survey(b);
        builder_remember_edges(b);
        b->num_like = 0;
    }
    graph_form form;
    const size_t bytes = builder_freeze(b, &form);
    b->like = (const graph_narrow *)(const void *)builder_room(b, 0);
    b->num_like = form == GRAPH_NARROW ? b->num_ops : 0;
    graph->rank[b->rank] = (graph_rank){
        .place = builder_take(b, bytes) << 3 | form,
        .num_ops = (uint32_t)b->num_ops,
        .segment = (uint16_t)(graph->segment.n - 1),
        .num_roots = (uint16_t)MIN(b->roots, UINT16_MAX),
    };
    builder_freeze_labels(b);
    graph->num_ops += b->num_ops;
    graph->num_edges += b->num_edges;
    graph->rank_bytes += bytes;
}
