/* sim/graph/graph_builder.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_graph, test_graph_forms. */
#include "graph/graph_builder_private.h"
#include "sim/error.h"
#include "sim/large.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define GRAPH_MAX_EDGES (UINT32_MAX - 2) /* per rank */

sim_graph_builder *sim_graph_builder_new(uint32_t num_ranks)
{
    sim_graph_builder *b = g_new0(sim_graph_builder, 1);
    b->graph = g_new0(sim_graph, 1);
    b->graph->program = (sim_program){
        .methods = &sim_graph_class,
        .num_ranks = num_ranks,
        .num_cpus = 1,
        .num_nics = 1,
    };
    b->graph->rank = g_new0(graph_rank, num_ranks);
    b->graph->owns_ranks = true;
    b->graph->memory = g_ptr_array_new_with_free_func(sim_large_free);
    sim_graph_dictionary_init(&b->dictionary, b->graph);
    b->begun = g_new0(bool, num_ranks);
    return b;
}

void sim_graph_builder_free(sim_graph_builder *b)
{
    if (b == NULL) {
        return;
    }
    sim_graph_free(b->graph);
    sim_graph_dictionary_clear(&b->dictionary);
    sim_graph_spool_free(b->spool);
    g_free(b->begun);
    g_free(b->own_ops);
    g_free(b->own_edges);
    g_free(b->shapes);
    g_free(b->steps);
    g_free(b->last);
    g_free(b->labels);
    g_free(b->text.at);
    g_clear_error(&b->error);
    g_free(b);
}

static const char *find_label(const graph_label *labels, size_t n, const void *text, size_t op)
{
    for (size_t i = n; i > 0; i--) {
        if (labels[i - 1].op == op) {
            return (const char *)text + labels[i - 1].offset;
        }
    }
    return NULL;
}

/* The label that the finished graph would give; for messages about the rank under construction.
 * Owned by the caller. */
static char *builder_label(const sim_graph_builder *b, size_t op)
{
    for (size_t i = 0; i < b->num_names; i++) {
        if (b->names[i].op == op) {
            return g_strndup(b->names[i].text, b->names[i].len);
        }
    }
    const graph_named_rank *before = &b->named_before;
    const char *label =
        b->names_again && before->num_labels > 0
            ? find_label((const graph_label *)b->graph->label.at + before->label,
                         before->num_labels, (const char *)b->graph->text.at + before->text, op)
            : find_label(b->labels, b->num_labels, b->text.at, op);
    return label != NULL ? g_strdup(label) : g_strdup_printf("l%zu", op + 1);
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
    g_autofree char *label = builder_label(b, op);
    g_set_error(&b->error, SIM_ERROR, SIM_ERROR_BAD_PROGRAM, "rank %" PRIu32 ", %s: %s", b->rank,
                label, what);
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

static void builder_check_rank(sim_graph_builder *b)
{
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
    const uint64_t bytes = b->text.n + b->name_bytes;
    if (b->num_ops >= SIM_ANY || b->num_edges > GRAPH_MAX_EDGES || bytes > UINT32_MAX) {
        builder_fail(b, 0,
                     "too much for one rank: %zu operations, %zu dependencies, %" PRIu64
                     " bytes of labels",
                     b->num_ops, b->num_edges, bytes);
    }
}

bool sim_graph_builder_end_rank(sim_graph_builder *b)
{
    if (b->in_rank) {
        b->in_rank = false;
        builder_check_rank(b);
        if (b->error == NULL && b->num_ops > 0) {
            sim_graph_freeze_rank(b);
        }
    }
    return b->error == NULL && (b->spool == NULL || !sim_graph_spool_has_failed(b->spool));
}

void sim_graph_builder_begin_rank(sim_graph_builder *b, uint32_t rank)
{
    (void)sim_graph_builder_end_rank(b);
    assert(b->spool == NULL || rank >= b->next_rank);
    b->next_rank = rank + 1;
    b->num_ops = 0;
    b->num_edges = 0;
    b->num_labels = 0;
    b->text.n = 0;
    sim_graph_builder_names(b, NULL, 0);
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
    assert(b->num_ops == 0 || b->ops == b->own_ops);
    if (b->num_ops == b->cap_ops) {
        b->cap_ops = MAX(64, 2 * b->cap_ops);
        b->own_ops = g_renew(sim_op, b->own_ops, b->cap_ops);
    }
    b->ops = b->own_ops;
    b->own_ops[b->num_ops] = *op;
    return (uint32_t)b->num_ops++;
}

/* Of the last operation. */
static void builder_name(sim_graph_builder *b, const char *name)
{
    if (b->num_ops == 0) {
        return;
    }
    const size_t size = strlen(name) + 1;
    if (b->num_labels > 0 && b->labels[b->num_labels - 1].op == b->num_ops - 1) {
        b->num_labels--; /* the later name wins */
    }
    if (b->num_labels == b->cap_labels) {
        b->cap_labels = MAX(64, 2 * b->cap_labels);
        b->labels = g_renew(graph_label, b->labels, b->cap_labels);
    }
    b->labels[b->num_labels++] =
        (graph_label){.op = (uint32_t)b->num_ops - 1, .offset = (uint32_t)b->text.n};
    memcpy(sim_graph_table_add(&b->text, size, 1), name, size);
}

void sim_graph_builder_label(sim_graph_builder *b, const char *label)
{
    char default_label[32];
    g_snprintf(default_label, sizeof default_label, "l%zu", b->num_ops);
    if (strcmp(label, default_label) != 0) {
        builder_name(b, label);
    }
}

static void builder_add_edge(sim_graph_builder *b, uint32_t later, uint32_t earlier, bool start)
{
    assert(b->num_edges == 0 || b->edges == b->own_edges);
    if (b->num_edges == b->cap_edges) {
        b->cap_edges = MAX(64, 2 * b->cap_edges);
        b->own_edges = g_renew(sim_edge, b->own_edges, b->cap_edges);
    }
    b->edges = b->own_edges;
    b->own_edges[b->num_edges++] = (sim_edge){.earlier = earlier, .later = later, .start = start};
}

void sim_graph_builder_ops(sim_graph_builder *b, const sim_op *ops, size_t n)
{
    b->ops = ops;
    b->num_ops = n;
}

void sim_graph_builder_edges(sim_graph_builder *b, const sim_edge *edges, size_t n)
{
    b->edges = edges;
    b->num_edges = n;
}

void sim_graph_builder_names(sim_graph_builder *b, const sim_name *names, size_t n)
{
    assert(n == 0 || b->num_labels == 0);
    b->names = names;
    b->num_names = n;
    b->names_again = false;
    b->name_bytes = n;
    for (size_t i = 0; i < n; i++) {
        b->name_bytes += names[i].len;
    }
}

void sim_graph_builder_names_again(sim_graph_builder *b)
{
    assert(b->num_names == 0 && b->num_labels == 0);
    b->names_again = true;
}

void sim_graph_builder_require(sim_graph_builder *b, uint32_t later, uint32_t earlier)
{
    builder_add_edge(b, later, earlier, false);
}

void sim_graph_builder_irequire(sim_graph_builder *b, uint32_t later, uint32_t earlier)
{
    builder_add_edge(b, later, earlier, true);
}

static int compare_named(const void *a, const void *b)
{
    const graph_named_rank *x = a;
    const graph_named_rank *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

sim_graph *sim_graph_builder_finish(sim_graph_builder *b, GError **error)
{
    assert(b->spool == NULL);
    (void)sim_graph_builder_end_rank(b);
    sim_graph *graph = NULL;
    if (b->error != NULL) {
        g_propagate_error(error, g_steal_pointer(&b->error));
    } else {
        graph = g_steal_pointer(&b->graph);
        if (graph->named.n > 0) {
            qsort(graph->named.at, graph->named.n, sizeof(graph_named_rank), compare_named);
        }
        sim_graph_resolve(graph);
        sim_graph_weave(graph);
    }
    sim_graph_builder_free(b);
    return graph;
}
