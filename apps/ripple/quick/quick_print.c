/* apps/ripple/quick/quick_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_quick. */
#include "quick/quick_print.h"

#include "findings/experiment_print.h"
#include "knockout/knockout_print.h"
#include "measure/measure_print.h"
#include "output/number_text.h"
#include "output/sentences.h"
#include "sim/json_member.h"
#include "sim/unit.h"

char **app_quick_unexplained_row(const app_quick_outcome *o)
{
    char **cells = g_new0(char *, APP_MEASURE_COLUMNS + 1);
    cells[0] = g_strdup("unexplained");
    cells[1] = app_format_number(o->unexplained.count);
    cells[2] = app_format_percent(o->unexplained.share);
    for (size_t c = 3; c < APP_MEASURE_COLUMNS; c++) {
        cells[c] = g_strdup("");
    }
    return cells;
}

char *app_quick_own_sentence(const app_quick_outcome *o)
{
    const noise_decomposition *d = o->measured->analysis->division;
    size_t count = 0;
    double share = 0;
    for (size_t s = 0; s < d->num_sources; s++) {
        if (g_ptr_array_find_with_equal_func(o->measured->own, d->sources[s].name, g_str_equal,
                                             NULL)) {
            count += d->sources[s].count;
            share += d->sources[s].share;
        }
    }
    if (count == 0) {
        return NULL;
    }
    g_autofree char *percent = app_format_percent(share);
    g_autofree char *detours = app_format_number(count);
    return g_strdup_printf("The watch itself took %s of the time, in %s detours: left out of what "
                           "is predicted.",
                           percent, detours);
}

const char *app_quick_no_knockout(const app_quick_outcome *o)
{
    const app_quick_prediction *p = o->prediction;
    return p->knockout != NULL && p->knockout->num_tables > 0 ? NULL
           : p->knockout != NULL || p->results->stopped_by != NULL
               ? "What to switch off first is not known: it was stopped before."
           : !app_noise_is_some(o->noise)
               ? "What to switch off first: there is nothing to switch off."
               : "What to switch off first is not known: there are too few replicas.";
}

static void print_sources(const app_quick_outcome *o, FILE *out)
{
    const app_measure_analysis *a = o->measured->analysis;
    g_autofree char *headline = app_measure_headline(a);
    g_autofree char *unexplained = app_unexplained_sentence(&o->unexplained);
    g_autofree char *watch = app_quick_watch_sentence(o->measured);
    g_autofree char *own = app_quick_own_sentence(o);
    fprintf(out, "\nwho took it\n%s\n", headline);
    if (a->division->num_sources > 0) {
        g_auto(GStrv) last = app_quick_unexplained_row(o);
        app_measure_print_sources(a, (const char *const *)last, out);
    }
    fprintf(out, "%s\n%s\n", unexplained, watch);
    if (own != NULL) {
        fprintf(out, "%s\n", own);
    }
}

void app_quick_print(const app_quick_outcome *o, FILE *out)
{
    const noise_measurement *m = o->measured->measurement;
    app_findings_print_first(o->findings, out);
    for (size_t i = 0; i < m->num_cpus; i++) {
        const noise_measurement_cpu *cpu = &m->cpus[i];
        g_autofree char *duration = sim_unit_format_time_short(cpu->duration);
        g_autofree char *share = app_format_percent(noise_measurement_cpu_share(cpu));
        g_autofree char *detours = app_format_number(cpu->n);
        fprintf(out, "CPU %u: %s detours in %s, %s of its time\n", cpu->cpu, detours, duration,
                share);
    }
    fprintf(out, "%s\n", m->verdict);
    print_sources(o, out);
    fputs("\nan allreduce of 8 bytes under this noise\n", out);
    app_findings_print(o->findings, out);
    const char *none = app_quick_no_knockout(o);
    if (none == NULL) { /* at the largest size; the page and JSON have all */
        app_knockout largest = *o->prediction->knockout;
        largest.tables += largest.num_tables - 1;
        largest.num_tables = 1;
        app_knockout_print(&largest, out);
    } else {
        fputc('\n', out);
        app_sentence_print(none, out);
    }
    app_findings_print_last(o->findings, out);
    fprintf(out, "Report: %s\n", o->page);
}

void app_quick_print_csv(const app_quick_outcome *o, FILE *out)
{
    app_results_print_csv(o->prediction->results, o->noise, out);
}

static void build_watch(const app_quick_measured *m, JsonBuilder *b)
{
    sim_json_begin_object(b, "watch");
    if (m->nit != NULL) {
        const noise_nit_node *node = &m->nit->nodes[0];
        sim_json_int(b, "threads", node->most_threads);
        sim_json_int(b, "interval_ns", (int64_t)node->mean_interval_ns);
        if (node->blind != NULL) {
            sim_json_text(b, "blind", node->blind);
        }
    } else {
        sim_json_text(b, "unwatched", m->unwatched);
    }
    sim_json_begin_array(b, "own_sources");
    for (guint i = 0; i < m->own->len; i++) {
        sim_json_add_text(b, m->own->pdata[i]);
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
}

void app_quick_build(const app_quick_outcome *o, JsonBuilder *b)
{
    const noise_measurement *m = o->measured->measurement;
    sim_json_bool(b, "valid", m->valid);
    sim_json_text(b, "verdict", m->verdict);
    app_measure_build(o->measured->analysis, b);
    sim_json_begin_object(b, "unexplained");
    sim_json_int(b, "detours", (int64_t)o->unexplained.count);
    sim_json_double(b, "share", o->unexplained.share);
    sim_json_double(b, "of_stolen", o->unexplained.of_stolen);
    sim_json_int(b, "switched", (int64_t)o->unexplained.switched);
    sim_json_double(b, "switched_share", o->unexplained.switched_share);
    json_builder_end_object(b);
    build_watch(o->measured, b);
    app_findings_build(o->findings, b);
    if (o->prediction->knockout != NULL) {
        app_knockout_build(o->prediction->knockout, b);
    }
    sim_json_text(b, "report", o->page);
}
