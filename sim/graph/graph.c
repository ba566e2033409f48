/* sim/graph/graph.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "graph/graph_private.h"

#include <inttypes.h>

void *sim_graph_table_add(graph_table *table, uint64_t n, size_t size)
{
    if (table->n + n > table->cap || table->at == NULL) {
        table->cap = MAX(MAX(table->n + n, 64), table->cap + table->cap / 2);
        table->at = g_realloc_n(table->at, table->cap, size);
    }
    void *first = (char *)table->at + table->n * size;
    table->n += n;
    return first;
}

static void table_clear(graph_table *table)
{
    if (table->cap > 0) {
        g_free(table->at);
    }
}

/* A table that never had an entry is nowhere, and nothing may be added to that, not even 0. */
static const void *entry_of(const graph_table *table, uint64_t index, size_t size)
{
    return table->at != NULL ? (const char *)table->at + index * size : NULL;
}

void sim_graph_resolve(sim_graph *graph)
{
    const graph_segment *segment = graph->segment.at;
    graph->dictionary = g_new(graph_dictionary, graph->segment.n);
    for (uint64_t i = 0; i < graph->segment.n; i++) {
        graph->dictionary[i] = (graph_dictionary){
            .desc = entry_of(&graph->desc, segment[i].desc, sizeof(sim_op)),
            .shape = entry_of(&graph->shape, segment[i].shape, sizeof(graph_shape)),
            .step = entry_of(&graph->step, segment[i].step, sizeof(uint32_t)),
        };
    }
}

void sim_graph_free(sim_graph *graph)
{
    if (graph == NULL) {
        return;
    }
    table_clear(&graph->chunk);
    table_clear(&graph->segment);
    table_clear(&graph->desc);
    table_clear(&graph->shape);
    table_clear(&graph->step);
    table_clear(&graph->named);
    table_clear(&graph->label);
    table_clear(&graph->text);
    g_free(graph->dictionary);
    g_clear_pointer(&graph->memory, g_ptr_array_unref);
    g_clear_pointer(&graph->woven, g_ptr_array_unref);
    if (graph->owns_ranks) {
        g_free(graph->rank);
    }
    g_free(graph);
}

uint32_t sim_graph_num_ranks(const sim_graph *graph)
{
    return graph->program.num_ranks;
}

uint32_t sim_graph_num_ops(const sim_graph *graph, uint32_t rank)
{
    return graph->rank[rank].num_ops;
}

uint64_t sim_graph_total_ops(const sim_graph *graph)
{
    return graph->num_ops;
}

uint64_t sim_graph_total_edges(const sim_graph *graph)
{
    return graph->num_edges;
}

sim_op sim_graph_op(const sim_graph *graph, uint32_t rank, uint32_t index)
{
    assert(index < graph->rank[rank].num_ops);
    const graph_view v = graph_view_of(graph, rank);
    return graph_op_at(v.form, v.ops, v.dictionary, index);
}

/* The labels of a rank, or NULL. */
static const graph_named_rank *find_named(const sim_graph *graph, uint32_t rank)
{
    const graph_named_rank *named = graph->named.at;
    uint64_t from = 0;
    uint64_t to = graph->named.n;
    while (from < to) {
        const uint64_t middle = from + (to - from) / 2;
        if (named[middle].rank == rank) {
            return &named[middle];
        }
        if (named[middle].rank < rank) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return NULL;
}

const char *sim_graph_label(const sim_graph *graph, uint32_t rank, uint32_t index)
{
    const graph_named_rank *named = find_named(graph, rank);
    if (named == NULL) {
        return NULL;
    }
    const graph_label *label = (const graph_label *)graph->label.at + named->label;
    uint32_t from = 0;
    uint32_t to = named->num_labels;
    while (from < to) {
        const uint32_t middle = from + (to - from) / 2;
        if (label[middle].op == index) {
            const uint64_t at = named->text + label[middle].offset;
            return at < graph->text.n ? (const char *)graph->text.at + at : NULL;
        }
        if (label[middle].op < index) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return NULL;
}

const uint32_t *sim_graph_finish_steps(const sim_graph *graph, uint32_t rank, uint32_t index,
                                       uint32_t *n)
{
    assert(index < graph->rank[rank].num_ops);
    const graph_view v = graph_view_of(graph, rank);
    const graph_shape *shape = graph_shape_at(v.form, v.ops, v.dictionary, index);
    *n = shape->middle - shape->begin;
    return v.steps + shape->begin;
}

const uint32_t *sim_graph_start_steps(const sim_graph *graph, uint32_t rank, uint32_t index,
                                      uint32_t *n)
{
    assert(index < graph->rank[rank].num_ops);
    const graph_view v = graph_view_of(graph, rank);
    const graph_shape *shape = graph_shape_at(v.form, v.ops, v.dictionary, index);
    *n = shape->end - shape->middle;
    return v.steps + shape->middle;
}

size_t sim_graph_memory(const sim_graph *graph)
{
    const size_t tables =
        graph->segment.n * sizeof(graph_segment) + graph->segment.n * sizeof(graph_dictionary) +
        graph->desc.n * sizeof(sim_op) + graph->shape.n * sizeof(graph_shape) +
        graph->step.n * sizeof(uint32_t) + graph->named.n * sizeof(graph_named_rank) +
        graph->label.n * sizeof(graph_label) + graph->text.n;
    return sizeof *graph + tables + graph->program.num_ranks * sizeof(graph_rank) +
           graph->rank_bytes + graph->padding;
}

char *sim_graph_describe_op(const sim_program *program, uint32_t rank, uint32_t index)
{
    const char *own = sim_graph_label((const sim_graph *)program, rank, index);
    return own != NULL ? g_strdup(own) : g_strdup_printf("l%" PRIu64, (uint64_t)index + 1);
}
