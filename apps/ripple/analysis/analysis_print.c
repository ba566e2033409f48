/* apps/ripple/analysis/analysis_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_analyze. */
#include "analysis/analysis_print.h"

#include "analysis/analysis_words.h"
#include "analysis/breakdown.h"
#include "output/number_text.h"
#include "sim/json_member.h"
#include "sim/unit.h"

#include <inttypes.h>

static double share(sim_time time, const app_analysis *a)
{
    return a->facts.makespan > 0 ? (double)time / (double)a->facts.makespan : 0.0;
}

static sim_time time_in_nodes(const app_analysis *a)
{
    sim_time sum = 0;
    for (int p = SIM_PART_NODE_o; p <= SIM_PART_NODE_G; p++) {
        sum += a->part[p];
    }
    return sum;
}

/* Which part bounds the run, in the words of `simulate --explain`. */
static char *bound(const app_analysis *a)
{
    const sim_breakdown b = {.compute = a->part[SIM_PART_COMPUTE],
                             .o = a->part[SIM_PART_o],
                             .O = a->part[SIM_PART_O],
                             .L = a->part[SIM_PART_L] + a->part[SIM_PART_S] + a->part[SIM_PART_H] +
                                  a->part[SIM_PART_DISTANCE],
                             .gap = a->part[SIM_PART_g] + a->part[SIM_PART_G],
                             .node = time_in_nodes(a),
                             .peer_noise = a->part[SIM_PART_PEER_NOISE],
                             .noise = a->part[SIM_PART_NOISE]};
    return app_breakdown_sentence(&b, a->facts.makespan);
}

/* ---- text ---- */

static void print_breakdown(const app_analysis *a, FILE *out)
{
    fprintf(out, "where the time goes, along the critical path\n%12s %8s\n", "time", "share");
    for (int p = 0; p < SIM_NUM_PARTS; p++) {
        if (a->part[p] == 0 && a->amount[p] == 0) {
            continue;
        }
        const app_part_words *words = &app_part_words_of[p];
        g_autofree char *time = sim_unit_format_time_short(a->part[p]);
        g_autofree char *amount = words->unit != NULL
                                      ? g_strdup_printf("%" PRIu64 " %s", a->amount[p], words->unit)
                                      : g_strdup("");
        fprintf(out, "%12s %6.1f %% %20s  %-8s %s\n", time, 100.0 * share(a->part[p], a), amount,
                words->name, words->what);
    }
}

static void print_types(const app_analysis *a, FILE *out)
{
    fprintf(out, "\nby kind of operation\n%12s %8s %20s\n", "time", "share", "stretches");
    for (int t = 0; t < APP_NUM_TYPES; t++) {
        g_autofree char *time = sim_unit_format_time_short(a->type[t].time);
        fprintf(out, "%12s %6.1f %% %20" PRIu64 "  %s\n", time, 100.0 * share(a->type[t].time, a),
                a->type[t].stretches, app_type_names[t]);
    }
}

static void print_ranks(const app_analysis *a, size_t most, FILE *out)
{
    fprintf(out, "\nby rank: %u on the path\n%12s %8s %20s %8s\n", a->ranks->len, "time", "share",
            "stretches", "visits");
    for (guint i = 0; i < MIN(a->ranks->len, most); i++) {
        const app_analysis_rank *r = &g_array_index(a->ranks, app_analysis_rank, i);
        g_autofree char *time = sim_unit_format_time_short(r->time);
        fprintf(out, "%12s %6.1f %% %20" PRIu64 " %8" PRIu64 "  rank %" PRIu32 "\n", time,
                100.0 * share(r->time, a), r->stretches, r->visits, r->rank);
    }
}

/* Who, from when to when, and why not earlier. */
static void print_line(FILE *out, sim_time length, bool at_most, uint32_t rank, uint32_t op,
                       unsigned type, sim_time start, sim_time finish, const sim_cause *cause)
{
    g_autofree char *time = sim_unit_format_time_short(length);
    g_autofree char *bounded = g_strconcat(at_most ? "<= " : "", time, NULL);
    g_autofree char *who = app_operation_text(op);
    g_autofree char *from = sim_unit_format_time_short(start);
    g_autofree char *to = sim_unit_format_time_short(finish);
    g_autofree char *why = app_cause_text(cause, rank);
    fprintf(out, "%12s  %10s .. %-10s rank %-8" PRIu32 " %-16s %s  %s\n", bounded, from, to, rank,
            who, app_type_names[type], why);
}

static void print_stretch(const sim_path_stretch *s, void *user)
{
    print_line(user, s->finish - s->start, false, s->rank, s->op, s->type, s->start, s->finish,
               &s->cause);
}

static void print_list_head(FILE *out, const char *title, const char *cause)
{
    fprintf(out, "\n%s\n%12s  %10s .. %-10s %-13s %-16s %s  %s\n", title, "time", "from", "to",
            "rank", "operation", "kind", cause);
}

static void print_operations(const app_analysis *a, FILE *out)
{
    print_list_head(out, "its longest stretches", "because of");
    for (guint i = 0; i < a->operations->len; i++) {
        print_stretch(&g_array_index(a->operations, sim_path_stretch, i), out);
    }
}

/* A sum over ranks may pass what a sim_time holds. */
static char *format_total(sim_int128 total)
{
    return total <= SIM_TIME_MAX ? sim_unit_format_time_short((sim_time)total)
                                 : g_strdup_printf("%.4gh", (double)total / (double)SIM_S / 3600.0);
}

static void print_waits(const app_analysis *a, FILE *out)
{
    fprintf(out, "\nwaits of all operations, on the path or not\n%12s %12s %12s\n", "total",
            "longest", "number");
    for (int k = 0; k < SIM_NUM_CAUSES; k++) {
        const app_analysis_cause *c = &a->cause[k];
        if (c->count > 0) {
            g_autofree char *total = format_total(c->total);
            g_autofree char *longest = sim_unit_format_time_short(c->longest);
            fprintf(out, "%12s %12s %12" PRIu64 "  %s\n", total, longest, c->count,
                    app_cause_name((unsigned)k));
        }
    }
    if (a->waits->len > 0) {
        print_list_head(out, "the longest waits", "for");
    }
    for (guint i = 0; i < a->waits->len; i++) {
        const sim_wait *w = &g_array_index(a->waits, sim_wait, i);
        print_line(out, w->length, w->at_most, w->rank, w->op, w->type, w->start, w->finish,
                   &w->cause);
    }
}

void app_analysis_print(const app_analysis *a, const char *label, size_t most, FILE *out)
{
    const sim_run_facts *f = &a->facts;
    g_autofree char *makespan = sim_unit_format_time_short(f->makespan);
    g_autofree char *sentence = bound(a);
    g_autofree char *operations = app_format_number(f->num_ops);
    g_autofree char *messages = app_format_number(f->num_messages);
    g_autofree char *ranks = app_format_ranks(f->num_ranks);
    if (label[0] != '\0') {
        fprintf(out, "of %s\n", label);
    }
    fprintf(out,
            "%s operations and %s messages at %s; rank %" PRIu32 " finishes last, at %s\n%s\n\n",
            operations, messages, ranks, f->makespan_rank, makespan, sentence);
    print_breakdown(a, out);
    print_types(a, out);
    print_ranks(a, most, out);
    print_operations(a, out);
    if (a->waited) {
        print_waits(a, out);
    }
}

bool app_analysis_print_path(const sim_run_record *record, FILE *out, GError **error)
{
    print_list_head(out, "the critical path, latest first", "because of");
    return sim_run_record_walk_path(record, print_stretch, out, error);
}

/* ---- CSV ---- */

static void csv_time(FILE *out, sim_time t)
{
    g_autofree char *ns = sim_unit_format_ns(t);
    fprintf(out, "%s,", ns);
}

static void csv_number(FILE *out, uint32_t number, const char *end)
{
    if (number != SIM_ANY) {
        fprintf(out, "%" PRIu32, number);
    }
    fputs(end, out);
}

static void csv_cause(FILE *out, const sim_cause *cause)
{
    fprintf(out, "%s,", app_cause_keys[cause->kind]);
    csv_number(out, cause->rank, ",");
    csv_number(out, cause->op, "");
}

void app_analysis_breakdown_csv(const app_analysis *a, FILE *out)
{
    fputs("part,time_ns,share,amount,unit\n", out);
    for (int p = 0; p < SIM_NUM_PARTS; p++) {
        const app_part_words *words = &app_part_words_of[p];
        if (!app_part_exists(&a->facts, p)) {
            continue;
        }
        fprintf(out, "%s,", words->key);
        csv_time(out, a->part[p]);
        fprintf(out, "%.6g,", share(a->part[p], a));
        if (words->unit != NULL) {
            fprintf(out, "%" PRIu64 ",%s\n", a->amount[p], words->unit);
        } else {
            fputs(",\n", out);
        }
    }
}

void app_analysis_types_csv(const app_analysis *a, FILE *out)
{
    fputs("kind,time_ns,share,stretches\n", out);
    for (int t = 0; t < APP_NUM_TYPES; t++) {
        fprintf(out, "%s,", app_type_names[t]);
        csv_time(out, a->type[t].time);
        fprintf(out, "%.6g,%" PRIu64 "\n", share(a->type[t].time, a), a->type[t].stretches);
    }
}

void app_analysis_ranks_csv(const app_analysis *a, FILE *out)
{
    fputs("rank,time_ns,share,stretches,visits\n", out);
    for (guint i = 0; i < a->ranks->len; i++) {
        const app_analysis_rank *r = &g_array_index(a->ranks, app_analysis_rank, i);
        csv_number(out, r->rank, ",");
        csv_time(out, r->time);
        fprintf(out, "%.6g,%" PRIu64 ",%" PRIu64 "\n", share(r->time, a), r->stretches, r->visits);
    }
}

/* A table of stretches. */
typedef struct csv_stretches {
    sim_run_facts facts;
    FILE *out;
} csv_stretches;

static void csv_stretch_head(const csv_stretches *csv)
{
    FILE *out = csv->out;
    fputs("rank,operation,kind,start_ns,finish_ns,", out);
    for (int p = 0; p < SIM_NUM_PARTS; p++) {
        if (app_part_exists(&csv->facts, p)) {
            fprintf(out, "%s_ns,", app_part_words_of[p].key);
        }
    }
    fputs("cause,cause_rank,cause_operation\n", out);
}

static void csv_stretch(const sim_path_stretch *s, void *user)
{
    const csv_stretches *csv = user;
    FILE *out = csv->out;
    csv_number(out, s->rank, ",");
    csv_number(out, s->op, ",");
    fprintf(out, "%s,", app_type_names[s->type]);
    csv_time(out, s->start);
    csv_time(out, s->finish);
    for (int p = 0; p < SIM_NUM_PARTS; p++) {
        if (app_part_exists(&csv->facts, p)) {
            csv_time(out, s->part[p]);
        }
    }
    csv_cause(out, &s->cause);
    fputc('\n', out);
}

void app_analysis_operations_csv(const app_analysis *a, FILE *out)
{
    csv_stretches csv = {.facts = a->facts, .out = out};
    csv_stretch_head(&csv);
    for (guint i = 0; i < a->operations->len; i++) {
        csv_stretch(&g_array_index(a->operations, sim_path_stretch, i), &csv);
    }
}

bool app_analysis_path_csv(const sim_run_record *record, FILE *out, GError **error)
{
    csv_stretches csv = {.facts = sim_run_record_facts(record), .out = out};
    csv_stretch_head(&csv);
    return sim_run_record_walk_path(record, csv_stretch, &csv, error);
}

void app_analysis_causes_csv(const app_analysis *a, FILE *out)
{
    fputs("cause,waits,total_ns,longest_ns\n", out);
    for (int k = SIM_CAUSE_CPU; k < SIM_NUM_CAUSES; k++) {
        const app_analysis_cause *c = &a->cause[k];
        g_autofree char *longest = sim_unit_format_ns(c->longest);
        fprintf(out, "%s,%" PRIu64 ",%.15g,%s\n", app_cause_keys[k], c->count,
                (double)c->total / (double)SIM_NS, longest);
    }
}

void app_analysis_waits_csv(const app_analysis *a, FILE *out)
{
    fputs("rank,operation,kind,start_ns,finish_ns,wait_ns,at_most,cause,cause_rank,"
          "cause_operation\n",
          out);
    for (guint i = 0; i < a->waits->len; i++) {
        const sim_wait *w = &g_array_index(a->waits, sim_wait, i);
        csv_number(out, w->rank, ",");
        csv_number(out, w->op, ",");
        fprintf(out, "%s,", app_type_names[w->type]);
        csv_time(out, w->start);
        csv_time(out, w->finish);
        csv_time(out, w->length);
        fprintf(out, "%s,", w->at_most ? "yes" : "no");
        csv_cause(out, &w->cause);
        fputc('\n', out);
    }
}

/* ---- JSON ---- */

static void build_number(JsonBuilder *b, const char *name, uint32_t number)
{
    if (number != SIM_ANY) {
        sim_json_int(b, name, number);
    }
}

static void build_step(JsonBuilder *b, uint32_t rank, uint32_t op, unsigned type, sim_time start,
                       sim_time finish, const sim_cause *cause)
{
    sim_json_int(b, "rank", rank);
    build_number(b, "operation", op);
    sim_json_text(b, "kind", app_type_names[type]);
    sim_json_int(b, "start_ps", start);
    sim_json_int(b, "finish_ps", finish);
    sim_json_begin_object(b, "cause");
    sim_json_text(b, "kind", app_cause_keys[cause->kind]);
    build_number(b, "rank", cause->rank);
    build_number(b, "operation", cause->op);
    json_builder_end_object(b);
}

static void build_stretch(const sim_path_stretch *s, void *user)
{
    JsonBuilder *b = user;
    json_builder_begin_object(b);
    build_step(b, s->rank, s->op, s->type, s->start, s->finish, &s->cause);
    sim_json_begin_object(b, "parts_ps");
    for (int p = 0; p < SIM_NUM_PARTS; p++) {
        if (s->part[p] != 0) {
            sim_json_int(b, app_part_words_of[p].key, s->part[p]);
        }
    }
    json_builder_end_object(b);
    json_builder_end_object(b);
}

static void build_breakdown(const app_analysis *a, JsonBuilder *b)
{
    sim_json_begin_array(b, "breakdown");
    for (int p = 0; p < SIM_NUM_PARTS; p++) {
        const app_part_words *words = &app_part_words_of[p];
        if (!app_part_exists(&a->facts, p)) {
            continue;
        }
        json_builder_begin_object(b);
        sim_json_text(b, "part", words->key);
        sim_json_int(b, "time_ps", a->part[p]);
        sim_json_double(b, "share", share(a->part[p], a));
        if (words->unit != NULL) {
            sim_json_int(b, words->unit, (int64_t)a->amount[p]);
        }
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void build_types(const app_analysis *a, JsonBuilder *b)
{
    sim_json_begin_array(b, "kinds");
    for (int t = 0; t < APP_NUM_TYPES; t++) {
        json_builder_begin_object(b);
        sim_json_text(b, "kind", app_type_names[t]);
        sim_json_int(b, "time_ps", a->type[t].time);
        sim_json_int(b, "stretches", (int64_t)a->type[t].stretches);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void build_ranks(const app_analysis *a, size_t most, JsonBuilder *b)
{
    sim_json_begin_array(b, "ranks");
    for (guint i = 0; i < MIN(a->ranks->len, most); i++) {
        const app_analysis_rank *r = &g_array_index(a->ranks, app_analysis_rank, i);
        json_builder_begin_object(b);
        sim_json_int(b, "rank", r->rank);
        sim_json_int(b, "time_ps", r->time);
        sim_json_int(b, "stretches", (int64_t)r->stretches);
        sim_json_int(b, "visits", (int64_t)r->visits);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void build_waits(const app_analysis *a, JsonBuilder *b)
{
    sim_json_begin_array(b, "causes");
    for (int k = SIM_CAUSE_CPU; k < SIM_NUM_CAUSES; k++) {
        const app_analysis_cause *c = &a->cause[k];
        json_builder_begin_object(b);
        sim_json_text(b, "cause", app_cause_keys[k]);
        sim_json_int(b, "waits", (int64_t)c->count);
        sim_json_double(b, "total_ps", (double)c->total);
        sim_json_int(b, "longest_ps", c->longest);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "waits");
    for (guint i = 0; i < a->waits->len; i++) {
        const sim_wait *w = &g_array_index(a->waits, sim_wait, i);
        json_builder_begin_object(b);
        build_step(b, w->rank, w->op, w->type, w->start, w->finish, &w->cause);
        sim_json_int(b, "wait_ps", w->length);
        json_builder_set_member_name(b, "at_most");
        json_builder_add_boolean_value(b, w->at_most);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

void app_analysis_build(const app_analysis *a, const char *label, size_t most, JsonBuilder *b)
{
    g_autofree char *sentence = bound(a);
    sim_json_text(b, "of", label);
    sim_json_int(b, "num_ranks", a->facts.num_ranks);
    sim_json_int(b, "num_operations", (int64_t)a->facts.num_ops);
    sim_json_int(b, "num_messages", (int64_t)a->facts.num_messages);
    sim_json_int(b, "makespan_ps", a->facts.makespan);
    sim_json_int(b, "makespan_rank", a->facts.makespan_rank);
    sim_json_text(b, "bound", sentence);
    sim_json_int(b, "path_stretches", (int64_t)a->stretches);
    sim_json_int(b, "path_ranks", a->ranks->len);
    build_breakdown(a, b);
    build_types(a, b);
    build_ranks(a, most, b);
    sim_json_begin_array(b, "operations");
    for (guint i = 0; i < a->operations->len; i++) {
        build_stretch(&g_array_index(a->operations, sim_path_stretch, i), b);
    }
    json_builder_end_array(b);
    if (a->waited) {
        build_waits(a, b);
    }
}

bool app_analysis_build_path(const sim_run_record *record, JsonBuilder *b, GError **error)
{
    sim_json_begin_array(b, "path");
    const bool whole = sim_run_record_walk_path(record, build_stretch, b, error);
    json_builder_end_array(b);
    return whole;
}
