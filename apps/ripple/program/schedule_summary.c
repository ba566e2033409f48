/* apps/ripple/program/schedule_summary.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_schedule, cli_schedule_trace. */
#include "program/schedule_summary.h"

#include "output/number_text.h"
#include "sim/json_member.h"
#include "sim/unit.h"

#include <string.h>

bool app_schedule_summarize(app_schedule_summary *s, const app_source *source,
                            sched_rank_source *stream, GError **error)
{
    *s = (app_schedule_summary){.source = source, .ranks = stream->num_ranks};
    for (uint32_t rank = 0; rank < s->ranks; rank++) {
        sched_rank_ops ops;
        if (!stream->get(stream, rank, &ops, error)) {
            return false;
        }
        s->operations += ops.num_ops;
        s->edges += ops.num_edges;
        for (uint32_t i = 0; i < ops.num_ops; i++) {
            const sim_op *op = &ops.ops[i];
            s->calcs += op->type == SIM_OP_CALC;
            s->sends += op->type == SIM_OP_SEND;
            s->recvs += op->type == SIM_OP_RECV;
            s->compute += op->type == SIM_OP_CALC ? op->size : 0;
            s->bytes += op->type == SIM_OP_SEND ? (uint64_t)op->size : 0;
        }
    }
    return true;
}

static void print_count(FILE *out, const char *before, uint64_t n, const char *after)
{
    g_autofree char *number = app_format_number(n);
    fprintf(out, "%s%s%s", before, number, after);
}

static void print_check(const sched_check_report *r, FILE *out)
{
    g_autofree char *longest = sim_unit_format_time_short(r->longest_path);
    print_count(out, "check       no cycle among ", r->vertices, " operations");
    print_count(out, " and ", r->edges, " edges\n");
    print_count(out, "            ", r->messages, " messages matched");
    print_count(out, ", ", r->unmatched_sends, " sends");
    print_count(out, " and ", r->unmatched_recvs, " receives left over");
    if (r->wildcards > 0) {
        print_count(out, ", ", r->wildcards, " receives from any source not matched here");
    }
    fprintf(out, "\n            longest path %s without contention\n", longest);
}

static void print_text(const void *result, FILE *out)
{
    const app_schedule_summary *s = result;
    g_autofree char *compute = sim_unit_format_time_short(s->compute);
    fprintf(out, "program     %s\n", app_source_description(s->source));
    print_count(out, "ranks       ", s->ranks, "\n");
    print_count(out, "operations  ", s->operations, "");
    print_count(out, ": ", s->calcs, " calc");
    print_count(out, ", ", s->sends, " send");
    print_count(out, ", ", s->recvs, " recv\n");
    print_count(out, "edges       ", s->edges, "\n");
    print_count(out, "bytes sent  ", s->bytes, "\n");
    fprintf(out, "compute     %s over all ranks\n", compute);
    const GArray *notices = app_source_notices(s->source);
    for (guint i = 0; i < notices->len; i++) {
        const sched_notice *n = &g_array_index(notices, sched_notice, i);
        fprintf(out, "notice      %s (%" G_GUINT64_FORMAT ")\n", n->what, n->count);
    }
    if (s->check != NULL) {
        print_check(s->check, out);
    }
}

/** A number with its name: rows of the CSV, members in JSON. */
typedef struct number {
    const char *name;
    int64_t value;
} number;

enum { MAX_NUMBERS = 16 };

static size_t list_numbers(const app_schedule_summary *s, number *out)
{
    const number graph[] = {
        {"ranks", (int64_t)s->ranks},      {"operations", (int64_t)s->operations},
        {"calcs", (int64_t)s->calcs},      {"sends", (int64_t)s->sends},
        {"recvs", (int64_t)s->recvs},      {"edges", (int64_t)s->edges},
        {"bytes_sent", (int64_t)s->bytes}, {"compute_ps", s->compute},
    };
    memcpy(out, graph, sizeof graph);
    if (s->check == NULL) {
        return G_N_ELEMENTS(graph);
    }
    const number check[] = {
        {"messages", (int64_t)s->check->messages},
        {"unmatched_sends", (int64_t)s->check->unmatched_sends},
        {"unmatched_recvs", (int64_t)s->check->unmatched_recvs},
        {"wildcards", (int64_t)s->check->wildcards},
        {"longest_path_ps", s->check->longest_path},
    };
    memcpy(out + G_N_ELEMENTS(graph), check, sizeof check);
    return G_N_ELEMENTS(graph) + G_N_ELEMENTS(check);
}

static void print_csv(const void *result, FILE *out)
{
    const app_schedule_summary *s = result;
    number numbers[MAX_NUMBERS];
    const size_t n = list_numbers(s, numbers);
    fputs("what,value\n", out);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "%s,%" G_GINT64_FORMAT "\n", numbers[i].name, numbers[i].value);
    }
    const GArray *notices = app_source_notices(s->source);
    for (guint i = 0; i < notices->len; i++) {
        const sched_notice *notice = &g_array_index(notices, sched_notice, i);
        g_autofree char *what = g_strconcat("notice: ", notice->what, NULL);
        app_output_csv_text(out, what);
        fprintf(out, ",%" G_GUINT64_FORMAT "\n", notice->count);
    }
}

static void build(const void *result, JsonBuilder *b)
{
    const app_schedule_summary *s = result;
    number numbers[MAX_NUMBERS];
    const size_t n = list_numbers(s, numbers);
    sim_json_text(b, "program", app_source_description(s->source));
    for (size_t i = 0; i < n; i++) {
        sim_json_int(b, numbers[i].name, numbers[i].value);
    }
    app_source_build_notices(s->source, b);
}

const app_result_writer app_schedule_summary_writer = {print_text, print_csv, build};
