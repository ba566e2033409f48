/* apps/ripple/monitor/activity_print.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_monitor_report. */
#include "monitor/activity_print.h"

#include "output/output.h"
#include "output/sentences.h"
#include "sim/json_member.h"

#include <string.h>

enum { MOST_ROWS = 20 }; /* to people, of each section; CSV and JSON have all */

/* ---- Text ---- */

typedef char **cells_of(const app_activity *a, const noise_activity_row *row);

static char **copy_columns(const char *const *columns)
{
    GPtrArray *copy = g_ptr_array_new();
    for (size_t c = 0; columns[c] != NULL; c++) {
        g_ptr_array_add(copy, g_strdup(columns[c]));
    }
    g_ptr_array_add(copy, NULL);
    return (char **)g_ptr_array_free(copy, FALSE);
}

/* A table as wide as its cells; column "node" only where there are several. */
static void print_table(const app_activity *a, size_t section, const char *const *columns,
                        cells_of *cells_of_row, FILE *out)
{
    const bool nodes = a->set->nit->num_nodes > 1;
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
    g_ptr_array_add(lines, copy_columns(columns));
    for (size_t r = 0; r < a->activity->num_rows && lines->len <= MOST_ROWS; r++) {
        if (app_activity_section_has(section, &a->activity->rows[r])) {
            g_ptr_array_add(lines, cells_of_row(a, &a->activity->rows[r]));
        }
    }
    for (guint line = 0; line < lines->len; line++) {
        for (size_t c = 0; columns[c] != NULL; c++) {
            if (c == 1 && !nodes) {
                continue;
            }
            int width = 0;
            for (guint other = 0; other < lines->len; other++) {
                const char *cell = ((char **)g_ptr_array_index(lines, other))[c];
                width = MAX(width, (int)g_utf8_strlen(cell, -1));
            }
            const char *cell = ((char **)g_ptr_array_index(lines, line))[c];
            const int pad = width - (int)g_utf8_strlen(cell, -1);
            const bool left = c < 2 || columns[c + 1] == NULL;
            if (left) {
                fprintf(out, "%s%s%*s", c > 0 ? "  " : "", cell, columns[c + 1] != NULL ? pad : 0,
                        "");
            } else {
                fprintf(out, "  %*s%s", pad, "", cell);
            }
        }
        fputc('\n', out);
    }
}

static size_t count_rows(const app_activity *a, size_t section)
{
    size_t n = 0;
    for (size_t r = 0; r < a->activity->num_rows; r++) {
        n += app_activity_section_has(section, &a->activity->rows[r]);
    }
    return n;
}

static void write_text(const void *result, FILE *out)
{
    const app_activity *a = result;
    for (size_t n = 0; n < a->set->nit->num_nodes; n++) {
        g_auto(GStrv) sentences = app_activity_node_sentences(a, n);
        for (size_t i = 0; sentences[i] != NULL; i++) {
            app_sentence_print(sentences[i], out);
        }
    }
    g_autofree char *finding = app_activity_finding(a);
    if (finding != NULL) {
        fputc('\n', out);
        app_sentence_print(finding, out);
    }
    for (size_t s = 0; s < APP_ACTIVITY_SECTIONS; s++) {
        const size_t rows = count_rows(a, s);
        if (rows == 0) {
            continue;
        }
        fprintf(out, "\n%s\n", app_activity_section_title(s));
        print_table(a, s, APP_ACTIVITY_USE, app_activity_use_cells, out);
        fputc('\n', out);
        print_table(a, s, APP_ACTIVITY_WHEN, app_activity_when_cells, out);
        if (rows > MOST_ROWS) {
            fprintf(out, "and %zu more: --format=csv has all\n", rows - MOST_ROWS);
        }
    }
    g_auto(GStrv) notes = app_activity_notes(a);
    if (notes[0] != NULL) {
        fputc('\n', out);
    }
    for (size_t i = 0; notes[i] != NULL; i++) {
        app_sentence_print(notes[i], out);
    }
}

/* ---- CSV ---- */

static void write_csv(const void *result, FILE *out)
{
    const app_activity *a = result;
    fputs("node,program,class,origin,because,pids,cpus,activations,slices,rate_hz,cpu_ns,share,"
          "mean_ns,"
          "median_ns,p99_ns,max_ns,voluntary,involuntary,beside_ranks_ns,from_ranks_ns,period_ns,"
          "period_confidence,first_ns,last_ns,most_activations\n",
          out);
    for (size_t r = 0; r < a->activity->num_active; r++) {
        const noise_activity_row *row = &a->activity->rows[r];
        const char *origin = noise_origin_name(row->origin);
        g_autofree char *pids = app_activity_format_list(row->pids, row->num_pids, SIZE_MAX);
        g_autofree char *cpus = app_activity_format_list(row->cpus, row->num_cpus, SIZE_MAX);
        const char *const texts[] = {a->set->nit->nodes[row->node].name,
                                     row->name,
                                     noise_program_class_name(row->kind),
                                     origin,
                                     row->because != NULL ? row->because : "",
                                     pids,
                                     cpus};
        for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
            app_output_csv_text(out, texts[i]);
            fputc(',', out);
        }
        fprintf(out,
                "%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%.9g,%" G_GUINT64_FORMAT
                ",%.9g,%.9g,%.9g,%.9g,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
                ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",",
                row->activations, row->slices, row->rate, row->cpu_ns, row->share, row->mean_ns,
                row->median_ns, row->p99_ns, row->max_ns, row->voluntary, row->involuntary,
                row->beside_ns);
        if (row->has_stolen) { /* else the field is empty: not known is not 0 */
            fprintf(out, "%" G_GUINT64_FORMAT, row->stolen_ns);
        }
        fprintf(out,
                ",%.9g,%.9g,%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT "\n",
                row->period_ns, row->period_confidence, row->first_ns, row->last_ns,
                row->most_activations);
    }
}

/* ---- JSON ---- */

static void build_node(const app_activity *a, size_t n, JsonBuilder *b)
{
    const noise_nit_node *node = &a->set->nit->nodes[n];
    const noise_activity_node *sum = &a->activity->nodes[n];
    json_builder_begin_object(b);
    sim_json_text(b, "name", node->name);
    sim_json_text(b, "boot_id", node->boot_id);
    sim_json_int(b, "num_cpus", node->num_cpus);
    sim_json_int(b, "watched_ns", (int64_t)sum->watched_ns);
    sim_json_bool(b, "is_cut", node->is_cut);
    sim_json_text(b, "blind", node->blind);
    sim_json_int(b, "blind_ns", (int64_t)node->blind_ns);
    sim_json_int(b, "sweeps", (int64_t)node->sweeps);
    sim_json_int(b, "mean_interval_ns", (int64_t)node->mean_interval_ns);
    sim_json_int(b, "p99_interval_ns", (int64_t)node->p99_interval_ns);
    sim_json_int(b, "max_interval_ns", (int64_t)node->max_interval_ns);
    sim_json_int(b, "switches", (int64_t)node->switches);
    sim_json_int(b, "unattributed_switches", (int64_t)node->unattributed_switches);
    sim_json_int(b, "forks", (int64_t)node->forks);
    sim_json_int(b, "unattributed_forks", (int64_t)node->unattributed_forks);
    sim_json_int(b, "steal_ns", (int64_t)node->steal_ns);
    sim_json_int(b, "lost_records", (int64_t)node->lost);
    sim_json_int(b, "cpu_ns", (int64_t)sum->cpu_ns);
    sim_json_bool(b, "has_job", sum->has_job);
    if (sum->has_job) {
        sim_json_int(b, "job_ns", (int64_t)sum->job_ns);
    }
    const noise_node_clock *clock = &a->set->clocks[n];
    sim_json_begin_object(b, "clock");
    sim_json_text(b, "by", noise_clocks_by_names[clock->by]);
    sim_json_int(b, "offset_ns", clock->offset_ns);
    sim_json_double(b, "drift", clock->drift);
    sim_json_double(b, "uncertainty_ns", clock->uncertainty_ns);
    json_builder_end_object(b);
    sim_json_begin_array(b, "interrupts");
    for (size_t i = 0; i < a->activity->num_lines; i++) {
        const noise_activity_line *line = &a->activity->lines[i];
        if (line->node == n) {
            json_builder_begin_object(b);
            sim_json_int(b, "cpu", line->cpu);
            sim_json_text(b, "name", a->set->nit->lines[line->line].name);
            sim_json_bool(b, "is_softirq", a->set->nit->lines[line->line].is_soft);
            sim_json_int(b, "count", (int64_t)line->count);
            json_builder_end_object(b);
        }
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
}

static void build_numbers(JsonBuilder *b, const char *name, const uint32_t *numbers, size_t n)
{
    sim_json_begin_array(b, name);
    for (size_t i = 0; i < n; i++) {
        json_builder_add_int_value(b, numbers[i]);
    }
    json_builder_end_array(b);
}

static void build_program(const app_activity *a, const noise_activity_row *row, JsonBuilder *b)
{
    json_builder_begin_object(b);
    sim_json_text(b, "name", row->name);
    sim_json_text(b, "node", a->set->nit->nodes[row->node].name);
    sim_json_text(b, "class", noise_program_class_name(row->kind));
    sim_json_text(b, "origin", noise_origin_name(row->origin));
    sim_json_text(b, "because", row->because);
    build_numbers(b, "pids", row->pids, row->num_pids);
    build_numbers(b, "cpus", row->cpus, row->num_cpus);
    sim_json_int(b, "activations", (int64_t)row->activations);
    sim_json_int(b, "most_activations", (int64_t)row->most_activations);
    sim_json_int(b, "slices", (int64_t)row->slices);
    sim_json_double(b, "rate_hz", row->rate);
    sim_json_int(b, "cpu_ns", (int64_t)row->cpu_ns);
    sim_json_double(b, "share", row->share);
    sim_json_double(b, "mean_ns", row->mean_ns);
    sim_json_double(b, "median_ns", row->median_ns);
    sim_json_double(b, "p99_ns", row->p99_ns);
    sim_json_int(b, "max_ns", (int64_t)row->max_ns);
    sim_json_int(b, "voluntary", (int64_t)row->voluntary);
    sim_json_int(b, "involuntary", (int64_t)row->involuntary);
    if (a->activity->nodes[row->node].has_job) {
        sim_json_int(b, "beside_ranks_ns", (int64_t)row->beside_ns);
    }
    if (row->has_stolen) {
        sim_json_int(b, "from_ranks_ns", (int64_t)row->stolen_ns);
    }
    if (row->period_ns > 0) {
        sim_json_double(b, "period_ns", row->period_ns);
        sim_json_double(b, "period_confidence", row->period_confidence);
    }
    sim_json_int(b, "first_ns", (int64_t)row->first_ns);
    sim_json_int(b, "last_ns", (int64_t)row->last_ns);
    json_builder_end_object(b);
}

void app_activity_build(const app_activity *a, JsonBuilder *b)
{
    sim_json_begin_array(b, "nodes");
    for (size_t n = 0; n < a->set->nit->num_nodes; n++) {
        build_node(a, n, b);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "programs");
    for (size_t r = 0; r < a->activity->num_active; r++) {
        build_program(a, &a->activity->rows[r], b);
    }
    json_builder_end_array(b);
    sim_json_begin_array(b, "rules");
    for (size_t i = 0; noise_origin_rules[i] != NULL; i++) {
        sim_json_add_text(b, noise_origin_rules[i]);
    }
    json_builder_end_array(b);
}

static void write_json(const void *result, JsonBuilder *builder)
{
    app_activity_build(result, builder);
}

const app_result_writer APP_ACTIVITY_WRITER = {write_text, write_csv, write_json};
