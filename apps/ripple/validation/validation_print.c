/* apps/ripple/validation/validation_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_validation. */
#include "validation/validation_print.h"

#include "output/number_text.h"
#include "output/sentences.h"
#include "sim/json_member.h"
#include "sim/unit.h"
#include "validation/validation_words.h"

#include <math.h>

static const char *const VERDICTS[] = {"inside", "outside", "none"};
static const char *const KINDS[] = {"computation", "off-cpu",   "left-out",
                                    "call",        "recording", "idle"};

static char *short_time(sim_time t)
{
    g_autofree char *text = sim_unit_format_time_short(ABS(t));
    return g_strconcat(t < 0 ? "-" : "", text, NULL);
}

static void print_time(const char *name, const app_statistics *s, const char *what, FILE *out)
{
    g_autofree char *median = short_time(s->median);
    g_autofree char *low = short_time(s->low);
    g_autofree char *high = short_time(s->high);
    g_autofree char *interval = g_strdup_printf("%s .. %s", low, high);
    fprintf(out, "%-12s %10s  %-24s %s\n", name, median, interval, what);
}

static void print_share(const char *name, const app_statistics *s, const char *what, FILE *out)
{
    g_autofree char *median = app_validation_percent(app_validation_fraction(s->median));
    g_autofree char *low = app_validation_percent(app_validation_fraction(s->low));
    g_autofree char *high = app_validation_percent(app_validation_fraction(s->high));
    g_autofree char *interval = g_strdup_printf("%s .. %s", low, high);
    fprintf(out, "%-12s %10s  %-24s %s\n", name, median, interval, what);
}

static void print_rows(const app_validation *v, FILE *out)
{
    fprintf(out, "\n%-30s %10s %11s %11s %12s %10s\n", "mean of the ranks", "calls", "recorded",
            "simulated", "difference", "of wall");
    for (guint i = 0; i < v->rows->len; i++) {
        const app_validation_row *row = &g_array_index(v->rows, app_validation_row, i);
        g_autofree char *recorded = short_time(row->recorded.median);
        g_autofree char *simulated = short_time(row->simulated.median);
        g_autofree char *difference = short_time(row->difference.median);
        g_autofree char *share =
            app_validation_percent((double)row->difference.median / (double)v->wall.median);
        g_autofree char *calls =
            row->calls > 0 ? app_format_number((uint64_t)llround(row->calls)) : g_strdup("");
        fprintf(out, "%-30s %10s %11s %11s %12s %10s\n", row->name, calls, recorded, simulated,
                difference, share);
    }
}

void app_validation_print(const app_validation *v, FILE *out)
{
    g_autofree char *ranks = app_format_ranks(v->num_ranks);
    fprintf(out,
            "%s, %zu CPU%s of %u node%s that they may use; %zu timed and %zu recorded runs\n\n",
            ranks, v->num_cpus, v->num_cpus == 1 ? "" : "s", v->num_nodes,
            v->num_nodes == 1 ? "" : "s", v->num_pairs, v->num_pairs);
    g_autofree char *level = v->wall.level >= APP_VALIDATION_LEVEL
                                 ? g_strdup_printf("%.3g %% interval", 100 * v->wall.level)
                                 : g_strdup("least .. most");
    fprintf(out, "%-12s %10s  %s\n", "", "median", level);
    print_time("wall clock", &v->wall, "of timed runs, from MPI_Init to MPI_Finalize", out);
    print_time("recorded", &v->recorded, "the same of recorded runs", out);
    print_time("simulated", &v->simulated,
               v->has_room ? "makespan of their records"
                           : "makespan of their records, were there a CPU for each rank",
               out);
    if (v->has_room) {
        print_share("error", &v->error, "simulated over wall clock, less 1, of each pair", out);
        print_share("same run", &v->of_record, "simulated over recorded, less 1, of one run", out);
    } else {
        print_time("at least", &v->bound, "recorded computations over the CPUs", out);
    }
    print_rows(v, out);
    fputc('\n', out);
    g_autoptr(GPtrArray) sentences = app_validation_sentences(v);
    for (guint i = 0; i < sentences->len; i++) {
        app_sentence_print(g_ptr_array_index(sentences, i), out);
    }
}

void app_validation_print_csv(const app_validation *v, FILE *out)
{
    fprintf(out, "kind,name,calls,recorded_ns,recorded_low_ns,recorded_high_ns,simulated_ns,"
                 "simulated_low_ns,simulated_high_ns,difference_ns,difference_low_ns,"
                 "difference_high_ns\n");
    for (guint i = 0; i < v->rows->len; i++) {
        const app_validation_row *row = &g_array_index(v->rows, app_validation_row, i);
        const app_statistics *all[] = {&row->recorded, &row->simulated, &row->difference};
        fprintf(out, "%s,%s,%.0f", KINDS[row->kind], row->name, row->calls);
        for (size_t k = 0; k < G_N_ELEMENTS(all); k++) {
            fprintf(out, ",%.3f,%.3f,%.3f", (double)all[k]->median / SIM_NS,
                    (double)all[k]->low / SIM_NS, (double)all[k]->high / SIM_NS);
        }
        fputc('\n', out);
    }
}

static void build_statistics(const char *name, const app_statistics *s, double unit,
                             JsonBuilder *builder)
{
    sim_json_begin_object(builder, name);
    sim_json_double(builder, "median", (double)s->median / unit);
    sim_json_double(builder, "low", (double)s->low / unit);
    sim_json_double(builder, "high", (double)s->high / unit);
    sim_json_double(builder, "level", s->level);
    json_builder_end_object(builder);
}

static void build_rows(const app_validation *v, JsonBuilder *builder)
{
    sim_json_begin_array(builder, "rows");
    for (guint i = 0; i < v->rows->len; i++) {
        const app_validation_row *row = &g_array_index(v->rows, app_validation_row, i);
        json_builder_begin_object(builder);
        sim_json_text(builder, "kind", KINDS[row->kind]);
        sim_json_text(builder, "name", row->name);
        sim_json_bool(builder, "collective", row->is_collective);
        sim_json_double(builder, "calls", row->calls);
        build_statistics("recorded_ns", &row->recorded, SIM_NS, builder);
        build_statistics("simulated_ns", &row->simulated, SIM_NS, builder);
        build_statistics("difference_ns", &row->difference, SIM_NS, builder);
        json_builder_end_object(builder);
    }
    json_builder_end_array(builder);
}

void app_validation_build(const app_validation *v, JsonBuilder *builder)
{
    const double parts = 1e9;
    sim_json_int(builder, "ranks", v->num_ranks);
    sim_json_int(builder, "nodes", v->num_nodes);
    sim_json_int(builder, "cpus", (int64_t)v->num_cpus);
    sim_json_bool(builder, "has_room", v->has_room);
    sim_json_bool(builder, "is_pinned", v->is_pinned);
    sim_json_int(builder, "runs", (int64_t)v->num_pairs);
    sim_json_int(builder, "disturbed", (int64_t)v->num_disturbed);
    sim_json_double(builder, "tolerance", v->tolerance);
    sim_json_text(builder, "verdict", VERDICTS[v->verdict]);
    sim_json_bool(builder, "is_close", v->is_close);
    build_statistics("wall_ns", &v->wall, SIM_NS, builder);
    build_statistics("recorded_ns", &v->recorded, SIM_NS, builder);
    build_statistics("simulated_ns", &v->simulated, SIM_NS, builder);
    if (v->has_room) {
        build_statistics("error", &v->error, parts, builder);
        build_statistics("error_of_record", &v->of_record, parts, builder);
    }
    build_statistics("recording", &v->recording, parts, builder);
    build_statistics("outside_ns", &v->outside, SIM_NS, builder);
    build_statistics("cpu_ns", &v->cpu, SIM_NS, builder);
    build_statistics("bound_ns", &v->bound, SIM_NS, builder);
    build_rows(v, builder);
    sim_json_begin_array(builder, "sentences");
    g_autoptr(GPtrArray) sentences = app_validation_sentences(v);
    for (guint i = 0; i < sentences->len; i++) {
        sim_json_add_text(builder, g_ptr_array_index(sentences, i));
    }
    json_builder_end_array(builder);
}
