/* sim/graph.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "graph_private.h"
#include "sim/large.h"

#include <assert.h>
#include <inttypes.h>

static const sim_graph *graph_of(const sim_program *program)
{
    return (const sim_graph *)program;
}

const sim_graph *sim_graph_of(const sim_program *program)
{
    return program != NULL && program->class == &sim_graph_class ? graph_of(program) : NULL;
}

void sim_graph_free(sim_graph *graph)
{
    if (graph == NULL) {
        return;
    }
    for (uint32_t r = 0; r < graph->program.num_ranks; r++) {
        graph_labels *labels = graph->rank[r].labels;
        if (labels != NULL) {
            g_free(labels->at);
            g_free(labels->text);
            g_free(labels);
        }
    }
    g_ptr_array_unref(graph->chunks);
    g_free(graph->rank);
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
    return graph->rank[rank].ops[index].op;
}

const char *sim_graph_label(const sim_graph *graph, uint32_t rank, uint32_t index)
{
    const graph_labels *labels = graph->rank[rank].labels;
    uint32_t from = 0;
    uint32_t to = labels != NULL ? labels->n : 0;
    while (from < to) {
        const uint32_t middle = from + (to - from) / 2;
        if (labels->at[middle].op == index) {
            return labels->text + labels->at[middle].offset;
        }
        if (labels->at[middle].op < index) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return NULL;
}

const uint32_t *sim_graph_finish_successors(const sim_graph *graph, uint32_t rank, uint32_t index,
                                            uint32_t *n)
{
    const graph_rank *r = &graph->rank[rank];
    const uint32_t begin = graph_begin_of(r, index);
    *n = r->ops[index].middle - begin;
    return r->edges + begin;
}

const uint32_t *sim_graph_start_successors(const sim_graph *graph, uint32_t rank, uint32_t index,
                                           uint32_t *n)
{
    const graph_rank *r = &graph->rank[rank];
    *n = r->ops[index].end - r->ops[index].middle;
    return r->edges + r->ops[index].middle;
}

size_t sim_graph_memory(const sim_graph *graph)
{
    return graph->memory + sizeof(graph_cursor) + graph->num_ops * sizeof(graph_slot) +
           graph->program.num_ranks * sizeof(uint32_t);
}

/* ---- the program: cursor and steps ---- */

static void graph_free(sim_program *program)
{
    sim_graph_free((sim_graph *)program);
}

static void *graph_begin(const sim_program *program)
{
    const sim_graph *graph = graph_of(program);
    graph_cursor *cursor = g_new0(graph_cursor, 1);
    cursor->graph = graph;
    cursor->slot = sim_large_new(graph->num_ops, sizeof(graph_slot));
    cursor->remaining = g_new(uint32_t, program->num_ranks);
    for (uint64_t i = 0; i < graph->num_ops; i++) {
        cursor->slot[i] = (graph_slot){.cause = SIM_ANY};
    }
    for (uint32_t r = 0; r < program->num_ranks; r++) {
        const graph_rank *rank = &graph->rank[r];
        graph_slot *slot = cursor->slot + rank->first;
        cursor->remaining[r] = rank->num_ops;
        const uint32_t num_edges = graph_begin_of(rank, rank->num_ops);
        for (uint32_t e = 0; e < num_edges; e++) {
            slot[rank->edges[e]].num_waits++;
        }
    }
    return cursor;
}

static void graph_end(void *opaque)
{
    graph_cursor *cursor = opaque;
    sim_large_free(cursor->slot);
    g_free(cursor->remaining);
    g_free(cursor);
}

static sim_ready graph_ready(const graph_rank *rank, const graph_slot *slot, uint32_t index)
{
    return (sim_ready){
        .op = rank->ops[index].op, .time = slot->ready, .index = index, .cause = slot->cause};
}

static size_t graph_first(void *opaque, uint32_t r, sim_ready *out)
{
    graph_cursor *cursor = opaque;
    const graph_rank *rank = &cursor->graph->rank[r];
    const graph_slot *slot = cursor->slot + rank->first;
    size_t n = 0;
    for (uint32_t i = 0; i < rank->num_ops; i++) {
        if (slot[i].num_waits == 0) {
            out[n++] = graph_ready(rank, &slot[i], i);
        }
    }
    cursor->remaining[r] -= (uint32_t)n;
    return n;
}

/* The edges [from, to) of the rank's list are satisfied at instant at, by operation index. */
static size_t graph_satisfy(graph_cursor *cursor, uint32_t r, uint32_t from, uint32_t to,
                            uint32_t index, sim_time at, sim_ready *out)
{
    const graph_rank *rank = &cursor->graph->rank[r];
    graph_slot *slots = cursor->slot + rank->first;
    size_t n = 0;
    for (uint32_t e = from; e < to; e++) {
        const uint32_t successor = rank->edges[e];
        graph_slot *slot = &slots[successor];
        if (at >= slot->ready) {
            slot->ready = at;
            slot->cause = index;
        }
        if (--slot->num_waits == 0) {
            out[n++] = graph_ready(rank, slot, successor);
        }
    }
    cursor->remaining[r] -= (uint32_t)n;
    return n;
}

static size_t graph_started(void *opaque, uint32_t r, uint32_t index, sim_time at, sim_ready *out)
{
    graph_cursor *cursor = opaque;
    const graph_rank *rank = &cursor->graph->rank[r];
    cursor->slot[rank->first + index].num_waits = GRAPH_STARTED;
    const graph_op *op = &rank->ops[index];
    return graph_satisfy(cursor, r, op->middle, op->end, index, at, out);
}

static size_t graph_finished(void *opaque, uint32_t r, uint32_t index, sim_time at, sim_ready *out)
{
    graph_cursor *cursor = opaque;
    const graph_rank *rank = &cursor->graph->rank[r];
    cursor->slot[rank->first + index].num_waits = GRAPH_FINISHED;
    return graph_satisfy(cursor, r, graph_begin_of(rank, index), rank->ops[index].middle, index, at,
                         out);
}

static void graph_prefetch(const void *opaque, uint32_t r, uint32_t index)
{
    const graph_cursor *cursor = opaque;
    const graph_rank *rank = &cursor->graph->rank[r];
    if (index == SIM_ANY) {
        __builtin_prefetch(rank);
        return;
    }
    /* What depends on an operation mostly comes right after it. */
    if (rank->num_ops - index > 2) {
        __builtin_prefetch(&rank->ops[index]);
        __builtin_prefetch(&rank->ops[index + 1]);
        __builtin_prefetch(&cursor->slot[rank->first + index], 1);
        __builtin_prefetch(&cursor->slot[rank->first + index + 2], 1);
    }
}

static uint64_t graph_remaining(const void *opaque, uint32_t r)
{
    return ((const graph_cursor *)opaque)->remaining[r];
}

static uint64_t graph_num_ops(const sim_program *program, uint32_t rank)
{
    return graph_of(program)->rank[rank].num_ops;
}

char *sim_graph_describe_op(const sim_program *program, uint32_t rank, uint32_t index)
{
    const char *own = sim_graph_label(graph_of(program), rank, index);
    return own != NULL ? g_strdup(own) : g_strdup_printf("l%" PRIu64, (uint64_t)index + 1);
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
