/* schedgen/goal/goal_text_write.c — SPDX-License-Identifier: GPL-3.0-or-later */
/**
 * @file
 * GOAL text in its canonical form, docs/goal.md, section 4, which every reader in use takes: one
 * statement a line, no indentation, label l<index + 1>, tag always, cpu and nic unless 0; a
 * dependency as soon as both its operations are there.
 */
#include "goal/goal_order.h"
#include "goal/goal_private.h"
#include "sched/writer.h"
#include "sim/out_file.h"

#define LINE_BYTES 160 /* no statement is longer */

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

static void write_op(FILE *out, uint32_t rank, uint32_t index, const sim_op *op,
                     const goal_tags *tags)
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
        at = put_number_or_any(put_text(at, " tag "), sched_goal_tags_find(tags, rank, op));
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

/* A dependency comes as soon as both of its operations are there. */
static void write_rank(FILE *out, uint32_t rank, const sched_rank_ops *in, goal_order order[2],
                       const goal_tags *tags)
{
    sched_goal_order_by_earlier(&order[0], in);
    sched_goal_order_by_last(&order[1], &order[0], in->num_ops);
    fprintf(out, "\nrank %u {\n", rank);
    for (uint32_t i = 0; i < in->num_ops; i++) {
        write_op(out, rank, i, &in->ops[i], tags);
        for (size_t e = order[1].begin[i]; e < order[1].begin[i + 1]; e++) {
            write_edge(out, &order[1].edge[e]);
        }
    }
    fputs("}\n", out);
}

static bool write_ranks(FILE *out, sched_rank_source *source, const goal_tags *tags, GError **error)
{
    goal_order order[2] = {{0}, {0}};
    bool ok = true;
    for (uint32_t r = 0; ok && r < source->num_ranks && !ferror(out); r++) {
        sched_rank_ops rank;
        ok = source->get(source, r, &rank, error);
        if (ok) {
            write_rank(out, r, &rank, order, tags);
        }
    }
    sched_goal_order_clear(&order[0]);
    sched_goal_order_clear(&order[1]);
    return ok;
}

bool sched_goal_write_text_from(sched_rank_source *source, const char *path, GError **error)
{
    g_autoptr(goal_tags) tags = sched_goal_tags_new(source, error);
    if (tags == NULL) {
        g_prefix_error(error, "%s: ", sim_out_file_name(path));
        return false;
    }
    sim_out_file *file = sim_out_file_open(path, error);
    if (file == NULL) {
        return false;
    }
    FILE *out = sim_out_file_stream(file);
    fprintf(out, "num_ranks %u\n", source->num_ranks);
    if (!write_ranks(out, source, tags, error)) {
        sim_out_file_discard(file);
        return false;
    }
    return sim_out_file_commit(file, error);
}

bool sched_goal_write_text(const sim_graph *graph, const char *path, GError **error)
{
    sched_graph_source source;
    sched_graph_source_init(&source, graph);
    const bool ok = sched_goal_write_text_from(&source.source, path, error);
    sched_graph_source_clear(&source);
    return ok;
}

const sched_writer sched_writer_goal = {
    .what = "GOAL text",
    .suffixes = {".goal"},
    .op_bytes = 16,
    .write_stream = sched_goal_write_text_from,
};
