/* sim/graph_builder.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "graph_private.h"
#include "sim/error.h"
#include "sim/large.h"

#include <inttypes.h>
#include <string.h>

/* An edge as it was added. */
typedef struct builder_edge {
    uint32_t earlier;
    uint32_t later;
    bool at_start; /* irequires */
} builder_edge;

/*
 * The rank under construction lives in buffers that are reused from rank to rank; ending a rank
 * copies it to its place. So memory peaks at the final size plus one rank. What is left of a
 * chunk was never touched, so it costs addresses, not memory.
 */
#define CHUNK_BYTES       ((size_t)64 << 20)
#define FIRST_CHUNK_BYTES ((size_t)256 << 10) /* most graphs are small */

struct sim_graph_builder {
    sim_graph *graph;
    char *chunk; /* the rest of the last one */
    size_t chunk_left;
    bool *begun;  /* [num_ranks] */
    bool in_rank; /* is a rank under construction? */
    uint32_t rank;

    sim_op *ops;
    size_t num_ops, cap_ops;
    builder_edge *edges;
    size_t num_edges, cap_edges;
    uint32_t *first; /* scratch of freezing: initial in-degrees */
    size_t cap_first;
    graph_label *labels; /* in the order they were given */
    size_t num_labels, cap_labels;
    GString *text;

    GError *error; /* the first thing that was wrong */
};

sim_graph_builder *sim_graph_builder_new(uint32_t num_ranks)
{
    sim_graph_builder *b = g_new0(sim_graph_builder, 1);
    b->graph = g_new0(sim_graph, 1);
    b->graph->program = (sim_program){
        .class = &sim_graph_class,
        .num_ranks = num_ranks,
        .num_cpus = 1,
        .num_nics = 1,
    };
    b->graph->rank = g_new0(graph_rank, num_ranks);
    b->graph->memory = sizeof(sim_graph) + num_ranks * sizeof(graph_rank);
    b->graph->chunks = g_ptr_array_new_with_free_func(sim_large_free);
    b->begun = g_new0(bool, num_ranks);
    b->text = g_string_new(NULL);
    return b;
}

void sim_graph_builder_free(sim_graph_builder *b)
{
    if (b == NULL) {
        return;
    }
    sim_graph_free(b->graph);
    g_free(b->begun);
    g_free(b->ops);
    g_free(b->edges);
    g_free(b->first);
    g_free(b->labels);
    g_string_free(b->text, TRUE);
    g_clear_error(&b->error);
    g_free(b);
}

/* The label that builder_freeze() would give; for messages about the rank under construction. */
static const char *builder_label(const sim_graph_builder *b, size_t op, char default_label[32])
{
    for (size_t i = b->num_labels; i > 0; i--) {
        if (b->labels[i - 1].op == op) {
            return b->text->str + b->labels[i - 1].offset;
        }
    }
    g_snprintf(default_label, 32, "l%zu", op + 1);
    return default_label;
}

G_GNUC_PRINTF(3, 4)
static void builder_fail(sim_graph_builder *b, size_t op, const char *format, ...)
{
    if (b->error != NULL) {
        return;
    }
    va_list args;
    va_start(args, format);
    g_autofree char *what = g_strdup_vprintf(format, args);
    va_end(args);
    char default_label[32];
    g_set_error(&b->error, SIM_ERROR, SIM_ERROR_BAD_PROGRAM, "rank %" PRIu32 ", %s: %s", b->rank,
                builder_label(b, op, default_label), what);
}

static void builder_check_op(sim_graph_builder *b, size_t index)
{
    const sim_op *op = &b->ops[index];
    sim_program *program = &b->graph->program;
    if (op->type != SIM_OP_CALC && op->type != SIM_OP_SEND && op->type != SIM_OP_RECV) {
        builder_fail(b, index, "unknown kind of operation %d", op->type);
    } else if (op->size < 0 || (op->type == SIM_OP_CALC && op->size > SIM_TIME_MAX)) {
        builder_fail(b, index, "size %" PRId64 " is out of range", op->size);
    } else if (op->cpu > 254) {
        builder_fail(b, index, "cpu %d is above 254", op->cpu);
    } else if (op->nic > 254) {
        builder_fail(b, index, "nic %d is above 254", op->nic);
    } else if (op->type != SIM_OP_CALC && op->peer >= program->num_ranks &&
               !(op->type == SIM_OP_RECV && op->peer == SIM_ANY)) {
        builder_fail(b, index, "peer %" PRIu32 " is not a rank (there are %" PRIu32 ")", op->peer,
                     program->num_ranks);
    }
    program->num_cpus = MAX(program->num_cpus, (uint32_t)op->cpu + 1);
    program->num_nics = MAX(program->num_nics, (uint32_t)op->nic + 1);
    if (op->type != SIM_OP_CALC && (op->tag == SIM_ANY || op->peer == SIM_ANY)) {
        program->any_source = true;
    }
}

/* Counting sort of the edges by what they wait for; keeps the order they were added in. */
static void builder_freeze_edges(sim_graph_builder *b, graph_rank *rank)
{
    graph_op *ops = rank->ops; /* middle and end: counts first, then where the next edge goes */
    for (size_t i = 0; i < b->num_edges; i++) {
        graph_op *op = &ops[b->edges[i].earlier];
        *(b->edges[i].at_start ? &op->end : &op->middle) += 1;
    }
    uint32_t begin = 0;
    for (size_t i = 0; i < b->num_ops; i++) {
        const uint32_t middle = begin + ops[i].middle;
        const uint32_t end = middle + ops[i].end;
        ops[i].middle = begin;
        ops[i].end = middle;
        begin = end;
    }
    for (size_t i = 0; i < b->num_edges; i++) {
        graph_op *op = &ops[b->edges[i].earlier];
        rank->edges[(*(b->edges[i].at_start ? &op->end : &op->middle))++] = b->edges[i].later;
    }
}

/* How much one call of first, started or finished may return for this rank. */
static void builder_count_ready(sim_graph_builder *b, const graph_rank *rank)
{
    if (b->cap_first < b->num_ops) {
        b->cap_first = MAX(b->num_ops, 2 * b->cap_first);
        b->first = g_renew(uint32_t, b->first, b->cap_first);
    }
    memset(b->first, 0, b->num_ops * sizeof *b->first);
    for (size_t i = 0; i < b->num_edges; i++) {
        b->first[b->edges[i].later] = 1;
    }
    uint32_t most = 0;
    for (size_t i = 0; i < b->num_ops; i++) {
        most += b->first[i] == 0;
    }
    for (uint32_t i = 0; i < rank->num_ops; i++) {
        const graph_op *op = &rank->ops[i];
        most = MAX(most, MAX(op->middle - graph_begin_of(rank, i), op->end - op->middle));
    }
    b->graph->program.max_ready = MAX(b->graph->program.max_ready, most);
}

static void builder_freeze_labels(sim_graph_builder *b, graph_rank *rank)
{
    if (b->num_labels == 0) {
        return;
    }
    graph_labels *labels = g_new0(graph_labels, 1);
    labels->n = (uint32_t)b->num_labels;
    labels->at = g_new(graph_label, b->num_labels);
    memcpy(labels->at, b->labels, b->num_labels * sizeof *b->labels);
    labels->text_len = b->text->len;
    labels->text = g_malloc(b->text->len);
    memcpy(labels->text, b->text->str, b->text->len);
    rank->labels = labels;
    b->graph->memory += sizeof *labels + b->num_labels * sizeof *b->labels + labels->text_len;
}

/* Room in the current chunk, or in a new one; ranks too large for a chunk get their own. */
static void *builder_place(sim_graph_builder *b, size_t bytes)
{
    bytes += -bytes % sizeof(int64_t);
    if (bytes > b->chunk_left) {
        b->chunk_left = MAX(bytes, b->graph->chunks->len > 0 ? CHUNK_BYTES : FIRST_CHUNK_BYTES);
        b->chunk = sim_large_new(b->chunk_left, 1);
        g_ptr_array_add(b->graph->chunks, b->chunk);
    }
    void *place = b->chunk;
    b->chunk += bytes;
    b->chunk_left -= bytes;
    return place;
}

static void builder_end_rank(sim_graph_builder *b)
{
    if (!b->in_rank) {
        return;
    }
    b->in_rank = false;
    for (size_t i = 0; i < b->num_ops; i++) {
        builder_check_op(b, i);
    }
    for (size_t i = 0; i < b->num_edges; i++) {
        const uint32_t most = MAX(b->edges[i].earlier, b->edges[i].later);
        if (most >= b->num_ops) {
            builder_fail(b, most, "a dependency names it, but the rank has %zu operations",
                         b->num_ops);
        }
    }
    if (b->num_ops >= SIM_ANY || b->num_edges > GRAPH_MAX_EDGES || b->text->len > UINT32_MAX) {
        builder_fail(b, 0,
                     "too much for one rank: %zu operations, %zu dependencies, %zu bytes of "
                     "labels",
                     b->num_ops, b->num_edges, b->text->len);
    }
    if (b->error != NULL || b->num_ops == 0) {
        return;
    }
    graph_rank *rank = &b->graph->rank[b->rank];
    const size_t bytes = b->num_ops * sizeof(graph_op) + b->num_edges * sizeof(uint32_t);
    rank->ops = builder_place(b, bytes);
    rank->edges = (uint32_t *)(rank->ops + b->num_ops);
    rank->num_ops = (uint32_t)b->num_ops;
    for (size_t i = 0; i < b->num_ops; i++) {
        rank->ops[i] = (graph_op){.op = b->ops[i]};
    }
    builder_freeze_edges(b, rank);
    builder_count_ready(b, rank);
    builder_freeze_labels(b, rank);
    b->graph->num_ops += b->num_ops;
    b->graph->num_edges += b->num_edges;
    b->graph->memory += bytes;
}

void sim_graph_builder_begin_rank(sim_graph_builder *b, uint32_t rank)
{
    builder_end_rank(b);
    b->num_ops = 0;
    b->num_edges = 0;
    b->num_labels = 0;
    g_string_truncate(b->text, 0);
    b->rank = rank;
    b->in_rank = true;
    if (rank >= b->graph->program.num_ranks || b->begun[rank]) {
        if (b->error == NULL) {
            g_set_error(&b->error, SIM_ERROR, SIM_ERROR_BAD_PROGRAM,
                        rank >= b->graph->program.num_ranks ? "rank %" PRIu32 " is out of range"
                                                            : "rank %" PRIu32 " is there twice",
                        rank);
        }
        return;
    }
    b->begun[rank] = true;
}

uint32_t sim_graph_builder_add(sim_graph_builder *b, const sim_op *op)
{
    if (b->num_ops == b->cap_ops) {
        b->cap_ops = MAX(64, 2 * b->cap_ops);
        b->ops = g_renew(sim_op, b->ops, b->cap_ops);
    }
    b->ops[b->num_ops] = *op;
    return (uint32_t)b->num_ops++;
}

void sim_graph_builder_label(sim_graph_builder *b, const char *label)
{
    char default_label[32];
    g_snprintf(default_label, sizeof default_label, "l%zu", b->num_ops);
    if (b->num_ops == 0 || strcmp(label, default_label) == 0) {
        return;
    }
    if (b->num_labels > 0 && b->labels[b->num_labels - 1].op == b->num_ops - 1) {
        b->num_labels--; /* the later name wins */
    }
    if (b->num_labels == b->cap_labels) {
        b->cap_labels = MAX(64, 2 * b->cap_labels);
        b->labels = g_renew(graph_label, b->labels, b->cap_labels);
    }
    b->labels[b->num_labels++] =
        (graph_label){.op = (uint32_t)b->num_ops - 1, .offset = (uint32_t)b->text->len};
    g_string_append_len(b->text, label, (gssize)strlen(label) + 1); /* with its end */
}

static void builder_add_edge(sim_graph_builder *b, uint32_t later, uint32_t earlier, bool at_start)
{
    if (b->num_edges == b->cap_edges) {
        b->cap_edges = MAX(64, 2 * b->cap_edges);
        b->edges = g_renew(builder_edge, b->edges, b->cap_edges);
    }
    b->edges[b->num_edges++] =
        (builder_edge){.earlier = earlier, .later = later, .at_start = at_start};
}

void sim_graph_builder_require(sim_graph_builder *b, uint32_t later, uint32_t earlier)
{
    builder_add_edge(b, later, earlier, false);
}

void sim_graph_builder_irequire(sim_graph_builder *b, uint32_t later, uint32_t earlier)
{
    builder_add_edge(b, later, earlier, true);
}

sim_graph *sim_graph_builder_finish(sim_graph_builder *b, GError **error)
{
    builder_end_rank(b);
    sim_graph *graph = NULL;
    if (b->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&b->error));
    } else {
        graph = g_steal_pointer(&b->graph);
        uint64_t first = 0;
        for (uint32_t r = 0; r < graph->program.num_ranks; r++) {
            graph->rank[r].first = first;
            first += graph->rank[r].num_ops;
        }
    }
    sim_graph_builder_free(b);
    return graph;
}
