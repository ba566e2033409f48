/* sim/graph/graph_check.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_graph_file. */
/*
 * A stored graph from a file, before it is trusted. A builder makes nothing that fails here; but
 * a file may be damaged, or made to look right.
 */
#include "graph/graph_file_private.h"

#include <inttypes.h>
#include <string.h>

void sim_graph_check_clear(graph_check *check)
{
    g_free(check->waits);
}

/* ---- what all ranks share ---- */

static bool within(uint64_t first, uint64_t n, uint64_t limit)
{
    return first <= limit && n <= limit - first;
}

static char *check_desc(const sim_graph *graph, uint64_t index)
{
    const sim_op *op = (const sim_op *)graph->desc.at + index;
    const sim_program *p = &graph->program;
    const bool calc = op->type == SIM_OP_CALC;
    if (op->type > SIM_OP_RECV || op->cpu >= p->num_cpus || op->nic >= p->num_nics ||
        op->size < 0 || (calc && op->size > SIM_TIME_MAX) || (!calc && op->peer != 0)) {
        return g_strdup_printf("description %" PRIu64 " is not possible", index);
    }
    return NULL;
}

static char *check_segment(const sim_graph *graph, uint64_t index)
{
    const graph_segment *s = (const graph_segment *)graph->segment.at + index;
    if (s->num_descs > GRAPH_MAX_ENTRIES || s->num_shapes > GRAPH_MAX_ENTRIES ||
        !within(s->desc, s->num_descs, graph->desc.n) ||
        !within(s->shape, s->num_shapes, graph->shape.n) || s->step > graph->step.n) {
        return g_strdup_printf("dictionary %" PRIu64 " is not within its tables", index);
    }
    const graph_shape *shape = (const graph_shape *)graph->shape.at + s->shape;
    for (uint32_t i = 0; i < s->num_shapes; i++) {
        if (shape[i].begin > shape[i].middle || shape[i].middle > shape[i].end ||
            !within(s->step, shape[i].end, graph->step.n) ||
            shape[i].middle - shape[i].begin > graph->program.max_ready ||
            shape[i].end - shape[i].middle > graph->program.max_ready) {
            return g_strdup_printf(
                "dictionary %" PRIu64 ", successors %" PRIu32 ": not within their table", index, i);
        }
    }
    return NULL;
}

static char *check_named(const sim_graph *graph, uint64_t index)
{
    const graph_named_rank *named = (const graph_named_rank *)graph->named.at + index;
    if (!within(named->label, named->num_labels, graph->label.n) || named->text >= graph->text.n ||
        named->rank >= graph->program.num_ranks || (index > 0 && named[-1].rank >= named->rank)) {
        return g_strdup_printf("labels of rank %" PRIu32 " are not within their table",
                               named->rank);
    }
    return NULL;
}

/* Where a rank's operations lie; their number. */
static char *check_place(const sim_graph *graph, uint32_t index)
{
    const graph_rank *rank = &graph->rank[index];
    const uint64_t offset = graph_rank_offset(rank);
    const graph_form form = graph_rank_form(rank);
    if (form >= GRAPH_NUM_FORMS || (rank->place & 4) != 0 || rank->segment >= graph->segment.n ||
        rank->num_ops == SIM_ANY || offset % sizeof(uint64_t) != 0 ||
        !within(offset, (uint64_t)rank->num_ops * graph_op_bytes(form), graph->rank_bytes)) {
        return g_strdup_printf("rank %" PRIu32 ": not within the operations", index);
    }
    return NULL;
}

typedef char *check_entry(const sim_graph *graph, uint64_t index);

static char *check_each(const sim_graph *graph, uint64_t n, check_entry *check)
{
    char *wrong = NULL;
    for (uint64_t i = 0; i < n && wrong == NULL; i++) {
        wrong = check(graph, i);
    }
    return wrong;
}

char *sim_graph_check_tables(const sim_graph *graph)
{
    const sim_program *p = &graph->program;
    if (p->num_cpus == 0 || p->num_cpus > 255 || p->num_nics == 0 || p->num_nics > 255 ||
        graph->segment.n == 0 || graph->segment.n > UINT16_MAX + UINT64_C(1) ||
        p->max_ready > MAX(graph->step.n, graph->rank_bytes / sizeof(uint32_t)) ||
        (graph->text.n > 0 && ((const char *)graph->text.at)[graph->text.n - 1] != '\0')) {
        return g_strdup("impossible numbers");
    }
    char *wrong = check_each(graph, graph->desc.n, check_desc);
    wrong = wrong == NULL ? check_each(graph, graph->segment.n, check_segment) : wrong;
    wrong = wrong == NULL ? check_each(graph, graph->named.n, check_named) : wrong;
    uint64_t num_ops = 0;
    for (uint32_t i = 0; i < p->num_ranks && wrong == NULL; i++) {
        wrong = check_place(graph, i);
        num_ops += graph->rank[i].num_ops;
    }
    if (wrong == NULL && num_ops != graph->num_ops) {
        wrong = g_strdup_printf("%" PRIu64 " operations announced, %" PRIu64 " there",
                                graph->num_ops, num_ops);
    }
    return wrong;
}

/* ---- the operations of a rank ---- */

static char *bad_op(uint32_t rank, uint32_t index, const char *what)
{
    return g_strdup_printf("rank %" PRIu32 ", operation %" PRIu32 ": %s", rank, index, what);
}

/*
 * Does the operation refer to what there is? Then it can be read. Where the rank has its own steps,
 * those of an operation begin at the @p end of those before.
 */
static bool can_read(const sim_graph *graph, const graph_view *v, const graph_segment *segment,
                     uint32_t index, uint32_t end)
{
    const char *at = graph_op_place(v->form, v->ops, index);
    if (v->form != GRAPH_FULL) {
        const graph_narrow *head = (const graph_narrow *)(const void *)at;
        return head->desc < segment->num_descs && head->shape < segment->num_shapes;
    }
    const graph_shape *shape = &((const graph_full *)(const void *)at)->shape;
    const uint64_t room = graph->rank_bytes - (uint64_t)((const char *)v->steps -
                                                         ((const char *const *)graph->chunk.at)[0]);
    return shape->begin == end && shape->begin <= shape->middle && shape->middle <= shape->end &&
           shape->end <= room / sizeof(uint32_t) &&
           shape->middle - shape->begin <= graph->program.max_ready &&
           shape->end - shape->middle <= graph->program.max_ready;
}

static bool is_possible(const sim_program *p, const sim_op *op)
{
    const bool calc = op->type == SIM_OP_CALC;
    const bool peer =
        calc || op->peer < p->num_ranks || (op->type == SIM_OP_RECV && op->peer == SIM_ANY);
    const bool wildcard = !calc && (op->peer == SIM_ANY || op->tag == SIM_ANY);
    return op->type <= SIM_OP_RECV && op->size >= 0 && (!calc || op->size <= SIM_TIME_MAX) &&
           op->cpu < p->num_cpus && op->nic < p->num_nics && peer && (!wildcard || p->any_source);
}

/* Each operation by itself; the edges that lead away from it are counted where they lead to. */
static char *check_ops(const sim_graph *graph, uint32_t rank, const graph_view *v,
                       graph_check *check)
{
    const graph_segment *segment =
        (const graph_segment *)graph->segment.at + graph->rank[rank].segment;
    uint32_t end = 0;
    for (uint32_t i = 0; i < v->num_ops; i++) {
        if (!can_read(graph, v, segment, i, end)) {
            return bad_op(rank, i, "refers to what is not there");
        }
        const sim_op op = graph_op_at(v->form, v->ops, v->dictionary, i);
        if (!is_possible(&graph->program, &op)) {
            return bad_op(rank, i, "impossible peer, size, cpu or nic");
        }
        const graph_shape *shape = graph_shape_at(v->form, v->ops, v->dictionary, i);
        for (uint32_t e = shape->begin; e < shape->end; e++) {
            const uint32_t later = i + v->steps[e];
            if (later >= v->num_ops) {
                return bad_op(rank, i, "a successor is not in the rank");
            }
            check->waits[later]++;
        }
        check->num_edges += shape->end - shape->begin;
        end = shape->end;
    }
    return NULL;
}

char *sim_graph_check_rank(const sim_graph *graph, uint32_t rank, graph_check *check)
{
    const graph_view v = graph_view_of(graph, rank);
    const graph_rank *r = &graph->rank[rank];
    if (v.num_ops == 0) {
        return NULL;
    }
    if (v.num_ops > check->cap) {
        g_free(check->waits);
        check->waits = g_new(uint32_t, v.num_ops);
        check->cap = v.num_ops;
    }
    memset(check->waits, 0, v.num_ops * sizeof *check->waits);
    char *wrong = check_ops(graph, rank, &v, check);
    uint32_t roots = 0;
    for (uint32_t i = 0; i < v.num_ops && wrong == NULL; i++) {
        if (graph_shape_at(v.form, v.ops, v.dictionary, i)->waits != check->waits[i]) {
            wrong = bad_op(rank, i, "waits for less or more than leads to it");
        }
        roots += check->waits[i] == 0;
    }
    if (wrong == NULL &&
        (MIN(roots, UINT16_MAX) != r->num_roots || roots > graph->program.max_ready)) {
        wrong = g_strdup_printf("rank %" PRIu32 ": says otherwise of its first operations", rank);
    }
    return wrong;
}
