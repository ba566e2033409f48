/* apps/ripple/analysis/explain.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_simulate. */
#include "analysis/explain.h"

#include "analysis/breakdown.h"
#include "sim/json_member.h"
#include "sim/unit.h"

#include <stdlib.h>

enum { SHOWN_OPERATIONS = 5, SHOWN_RANKS = 5, SHOWN_LAST = 8 };

static const char *const TYPES[] = {
    [SIM_OP_CALC] = "calc", [SIM_OP_SEND] = "send", [SIM_OP_RECV] = "recv"};

/* What stretch @p i of the path adds to the makespan: 0 if it ends before the one it waited for. */
static sim_time adds(const sim_result *r, size_t i)
{
    const sim_time before = i + 1 < r->path_len ? r->path[i + 1].finish : 0;
    return MAX(r->path[i].finish - before, 0);
}

static app_path_operation describe(const sim_program *program, const sim_result *r, size_t i)
{
    const sim_result_stretch *stretch = &r->path[i];
    return (app_path_operation){
        .rank = stretch->rank,
        .label = program->methods->label(program, stretch->rank, stretch->op),
        .type = stretch->type,
        .start = stretch->start,
        .finish = stretch->finish,
        .noise = stretch->noise,
        .adds = adds(r, i),
    };
}

/* The stretches that add most; equals: the later one first. */
static void pick_operations(app_explanation *e, const sim_program *program, const sim_result *r)
{
    size_t best[SHOWN_OPERATIONS + 1];
    size_t n = 0;
    for (size_t i = 0; i < r->path_len; i++) {
        size_t at = n;
        for (; at > 0 && adds(r, best[at - 1]) < adds(r, i); at--) {
            best[at] = best[at - 1];
        }
        best[at] = i;
        n = MIN(n + 1, SHOWN_OPERATIONS);
    }
    e->operations = g_new0(app_path_operation, MAX(n, 1));
    e->num_operations = n;
    for (size_t i = 0; i < n; i++) {
        e->operations[i] = describe(program, r, best[i]);
    }
}

static int compare_ranks(const void *a, const void *b)
{
    const app_path_rank *x = a;
    const app_path_rank *y = b;
    if (x->adds != y->adds) {
        return x->adds < y->adds ? 1 : -1;
    }
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static void sum_ranks(app_explanation *e, const sim_result *r)
{
    g_autofree app_path_rank *all = g_new0(app_path_rank, r->num_ranks);
    for (uint32_t rank = 0; rank < r->num_ranks; rank++) {
        all[rank].rank = rank;
    }
    for (size_t i = 0; i < r->path_len; i++) {
        app_path_rank *own = &all[r->path[i].rank];
        e->num_ranks += own->operations == 0;
        own->operations++;
        own->adds += adds(r, i);
    }
    qsort(all, r->num_ranks, sizeof *all, compare_ranks);
    e->num_ranks_shown = MIN(e->num_ranks, SHOWN_RANKS);
    e->ranks = g_memdup2(all, MAX(e->num_ranks_shown, 1) * sizeof *all);
}

app_explanation *app_explanation_new(const sim_program *program, const sim_result *r)
{
    app_explanation *e = g_new0(app_explanation, 1);
    e->sentence = app_breakdown_sentence(&r->breakdown, r->makespan);
    e->length = r->path_len;
    pick_operations(e, program, r);
    sum_ranks(e, r);
    e->num_last = MIN(r->path_len, SHOWN_LAST);
    e->last = g_new0(app_path_operation, MAX(e->num_last, 1));
    for (size_t i = 0; i < e->num_last; i++) {
        e->last[i] = describe(program, r, i);
    }
    return e;
}

static void operations_free(app_path_operation *operations, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        g_free(operations[i].label);
    }
    g_free(operations);
}

void app_explanation_free(app_explanation *e)
{
    if (e != NULL) {
        operations_free(e->operations, e->num_operations);
        operations_free(e->last, e->num_last);
        g_free(e->ranks);
        g_free(e->sentence);
        g_free(e);
    }
}

static void print_operation(FILE *out, const app_path_operation *o)
{
    g_autofree char *start = sim_unit_format_time_short(o->start);
    g_autofree char *finish = sim_unit_format_time_short(o->finish);
    g_autofree char *more = sim_unit_format_time_short(o->adds);
    g_autofree char *noise = sim_unit_format_time_short(o->noise);
    fprintf(out, "    rank %-8u %-16s %s  %10s .. %-10s adds %s", o->rank, o->label, TYPES[o->type],
            start, finish, more);
    if (o->noise > 0) {
        fprintf(out, ", noise %s", noise);
    }
    fputc('\n', out);
}

void app_explanation_print(const app_explanation *e, sim_time makespan, FILE *out)
{
    fprintf(out, "  %s\n", e->sentence);
    fprintf(out,
            "  critical path: %" G_GUINT64_FORMAT " operation%s on %u rank%s; those that add "
            "most:\n",
            e->length, e->length == 1 ? "" : "s", e->num_ranks, e->num_ranks == 1 ? "" : "s");
    for (size_t i = 0; i < e->num_operations; i++) {
        print_operation(out, &e->operations[i]);
    }
    fputs("  ranks that add most:", out);
    for (size_t i = 0; i < e->num_ranks_shown; i++) {
        const app_path_rank *r = &e->ranks[i];
        fprintf(out, "%s %u (%.3g %%)", i > 0 ? "," : "", r->rank,
                makespan > 0 ? 100.0 * (double)r->adds / (double)makespan : 0.0);
    }
    fputs("\n  its end, latest first:\n", out);
    for (size_t i = 0; i < e->num_last; i++) {
        print_operation(out, &e->last[i]);
    }
}

static void build_operations(JsonBuilder *b, const char *key, const app_path_operation *operations,
                             size_t n)
{
    sim_json_begin_array(b, key);
    for (size_t i = 0; i < n; i++) {
        json_builder_begin_object(b);
        sim_json_int(b, "rank", operations[i].rank);
        sim_json_text(b, "operation", operations[i].label);
        sim_json_text(b, "type", TYPES[operations[i].type]);
        sim_json_int(b, "start_ps", operations[i].start);
        sim_json_int(b, "finish_ps", operations[i].finish);
        sim_json_int(b, "noise_ps", operations[i].noise);
        sim_json_int(b, "adds_ps", operations[i].adds);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

void app_explanation_build(const app_explanation *e, JsonBuilder *b)
{
    sim_json_begin_object(b, "explanation");
    sim_json_text(b, "bound", e->sentence);
    sim_json_int(b, "path_operations", (int64_t)e->length);
    sim_json_int(b, "path_ranks", e->num_ranks);
    build_operations(b, "operations", e->operations, e->num_operations);
    sim_json_begin_array(b, "ranks");
    for (size_t i = 0; i < e->num_ranks_shown; i++) {
        json_builder_begin_object(b);
        sim_json_int(b, "rank", e->ranks[i].rank);
        sim_json_int(b, "operations", (int64_t)e->ranks[i].operations);
        sim_json_int(b, "adds_ps", e->ranks[i].adds);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    build_operations(b, "last", e->last, e->num_last);
    json_builder_end_object(b);
}
