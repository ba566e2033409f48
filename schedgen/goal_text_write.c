/* schedgen/goal_text_write.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * GOAL text in its canonical form, goal-text.md section 3, which every reader in use takes: one
 * statement a line, no indentation, label l<index + 1>, tag always, cpu and nic unless 0; a
 * dependency as soon as both its operations are there.
 */
#include "goal_private.h"
#include "sim/out_file.h"

#include <string.h>

#define LINE_BYTES 160 /* no statement is longer */

/* Dependencies of a rank, sorted by the operation after which they are printed. */
typedef struct plan {
    uint32_t *begin; /* [n + 1] first edge of each operation */
    sched_edge *edge;
} plan;

static char *put_text(char *at, const char *text)
{
    while (*text != '\0') {
        *at++ = *text++;
    }
    return at;
}

static char *put_number(char *at, uint64_t value)
{
    char digits[20];
    size_t n = 0;
    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (n > 0) {
        *at++ = digits[--n];
    }
    return at;
}

static char *put_number_or_any(char *at, uint32_t value)
{
    return value == SIM_ANY ? put_text(at, "-1") : put_number(at, value);
}

static char *put_index(char *at, const char *word, uint8_t index)
{
    return index == 0 ? at : put_number(put_text(at, word), index);
}

static char *put_label(char *at, uint32_t index)
{
    *at = 'l';
    return put_number(at + 1, (uint64_t)index + 1);
}

static void write_op(FILE *out, uint32_t index, const sim_op *op, const goal_tags *tags)
{
    char line[LINE_BYTES];
    char *at = put_text(put_label(line, index), ": ");
    if (op->type == SIM_OP_CALC) {
        at = put_number(put_text(at, "calc "), goal_ns(op->size));
        at = put_index(at, " cpu ", op->cpu);
    } else {
        const bool send = op->type == SIM_OP_SEND;
        at = put_number(put_text(at, send ? "send " : "recv "), (uint64_t)op->size);
        at = put_number_or_any(put_text(at, send ? "b to " : "b from "), op->peer);
        at = put_number_or_any(put_text(at, " tag "), goal_tags_find(tags, op->comm, op->tag));
        at = put_index(at, " cpu ", op->cpu);
        at = put_index(at, " nic ", op->nic);
    }
    *at++ = '\n';
    (void)fwrite(line, 1, (size_t)(at - line), out);
}

static void write_edge(FILE *out, const sched_edge *edge)
{
    char line[LINE_BYTES];
    char *at = put_label(line, edge->later);
    at = put_label(put_text(at, edge->start ? " irequires " : " requires "), edge->earlier);
    *at++ = '\n';
    (void)fwrite(line, 1, (size_t)(at - line), out);
}

/* Successors of one operation: count them into begin, or file them into edge. */
static void visit_successors(plan *p, const uint32_t *successors, uint32_t n, uint32_t earlier,
                             bool start, bool count)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t both = MAX(earlier, successors[i]);
        if (count) {
            p->begin[both + 1]++;
        } else {
            p->edge[p->begin[both]++] = (sched_edge){successors[i], earlier, start};
        }
    }
}

static void visit_edges(plan *p, const sim_graph *graph, uint32_t rank, uint32_t n, bool count)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k;
        const uint32_t *finish = sim_graph_finish_successors(graph, rank, i, &k);
        visit_successors(p, finish, k, i, false, count);
        const uint32_t *start = sim_graph_start_successors(graph, rank, i, &k);
        visit_successors(p, start, k, i, true, count);
    }
}

/* Counting sort, stable: within an operation by the earlier one, and then as they were added. */
static plan make_plan(const sim_graph *graph, uint32_t rank, uint32_t n)
{
    plan p = {.begin = g_new0(uint32_t, (gsize)n + 2)};
    visit_edges(&p, graph, rank, n, true);
    for (uint32_t i = 0; i < n; i++) {
        p.begin[i + 1] += p.begin[i];
    }
    p.edge = g_new0(sched_edge, (gsize)p.begin[n] + 1);
    visit_edges(&p, graph, rank, n, false);
    memmove(p.begin + 1, p.begin, n * sizeof *p.begin); /* filling moved each to its end */
    p.begin[0] = 0;
    return p;
}

static void write_rank(FILE *out, const sim_graph *graph, uint32_t rank, const goal_tags *tags)
{
    const uint32_t n = sim_graph_num_ops(graph, rank);
    plan p = make_plan(graph, rank, n);
    fprintf(out, "\nrank %u {\n", rank);
    for (uint32_t i = 0; i < n; i++) {
        const sim_op op = sim_graph_op(graph, rank, i);
        write_op(out, i, &op, tags);
        for (uint32_t e = p.begin[i]; e < p.begin[i + 1]; e++) {
            write_edge(out, &p.edge[e]);
        }
    }
    fputs("}\n", out);
    g_free(p.begin);
    g_free(p.edge);
}

bool sched_goal_write_text(const sim_graph *graph, const char *path, GError **error)
{
    g_autoptr(goal_tags) tags = goal_tags_new(graph, error);
    if (tags == NULL) {
        g_prefix_error(error, "%s: ", path);
        return false;
    }
    sim_out_file *file = sim_out_file_open(path, error);
    if (file == NULL) {
        return false;
    }
    FILE *out = sim_out_file_stream(file);
    const uint32_t num_ranks = sim_graph_num_ranks(graph);
    fprintf(out, "num_ranks %u\n", num_ranks);
    for (uint32_t rank = 0; rank < num_ranks && !ferror(out); rank++) {
        write_rank(out, graph, rank, tags);
    }
    return sim_out_file_commit(file, error);
}
