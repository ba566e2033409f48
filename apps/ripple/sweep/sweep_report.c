/* apps/ripple/sweep/sweep_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_figures, cli_report. */
#include "sweep/sweep_report.h"

#include "database/sweep_database.h"
#include "output/error.h"
#include "output/folder.h"
#include "output/number_text.h"
#include "output/terms.h"
#include "report/page_figure.h"
#include "sim/unit.h"
#include "sweep/sweep_conditions.h"
#include "sweep/sweep_figures.h"
#include "sweep/sweep_findings.h"
#include "sweep/sweep_rows.h"

#include <math.h>

enum { MOST_ROWS = 300 }; /* of points on the page */

static void add_parameters(app_page *page, const app_sweep_table *table)
{
    static const char *const columns[] = {"parameter", "value", NULL};
    const app_sweep_point *first = &table->points[0];
    app_page_heading(page, "What is the same in all points");
    app_page_table_begin(page, columns);
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        bool same = first->values[id].has;
        for (size_t i = 1; same && i < table->num_points; i++) {
            same = app_sweep_value_equal(&first->values[id], &table->points[i].values[id]);
        }
        if (same) {
            g_autofree char *value =
                app_sweep_value_format((app_parameter_id)id, &first->values[id]);
            const bool bytes =
                app_parameters[id].kind == APP_KIND_BYTES && g_ascii_isdigit(value[0]);
            g_autofree char *whole = g_strconcat(value, bytes ? "B" : "", NULL);
            const char *const cells[] = {app_parameters[id].name, whole, NULL};
            app_page_table_row(page, cells);
        }
    }
    app_page_table_end(page);
}

static const char *known(const char *text)
{
    return text != NULL ? text : "unknown";
}

/* Where measured noise comes from, and whether to believe it. */
static void add_measurements(app_page *page, const app_sweep_table *table)
{
    static const char *const columns[] = {"file",  "verdict", "length", "runs",
                                          "clock", "host",    "kernel", NULL};
    if (table->measurements->len == 0) {
        return;
    }
    app_page_heading(page, "Where the detours were measured");
    app_page_table_begin(page, columns);
    for (guint i = 0; i < table->measurements->len; i++) {
        const noise_provenance *p = g_ptr_array_index(table->measurements, i);
        g_autofree char *verdict = noise_provenance_verdict(p);
        g_autofree char *length = sim_unit_format_time_short(p->length);
        g_autofree char *runs = g_strdup_printf("%zu", p->num_runs);
        const char *const cells[] = {p->path,         verdict,        length,           runs,
                                     known(p->clock), known(p->host), known(p->kernel), NULL};
        app_page_table_row(page, cells);
    }
    app_page_table_end(page);
}

/* What became of the programs on their way here. */
static void add_notices(app_page *page, const app_sweep_table *table)
{
    if (table->notices->len > 0) {
        app_page_heading(page, "What was dropped, assumed or inferred of the program");
    }
    for (guint i = 0; i < table->notices->len; i++) {
        const app_sweep_notice *n = &g_array_index(table->notices, app_sweep_notice, i);
        g_autofree char *text =
            g_strdup_printf("%s (%" G_GUINT64_FORMAT "; in %" G_GUINT64_FORMAT " of %zu points)",
                            n->what, n->count, n->points, table->num_points);
        app_page_paragraph(page, text);
    }
}

static void add_points(app_page *page, const app_sweep_table *table)
{
    g_auto(GStrv) columns = app_sweep_rows_head(table);
    g_auto(GStrv) legend = app_sweep_rows_legend(table);
    g_autoptr(GPtrArray) noisy = app_sweep_rows_noisy(table);
    app_page_heading(page, "All points");
    if (table->num_points > MOST_ROWS) {
        g_autofree char *which = g_strdup_printf("The first %d of %zu; the database has them all.",
                                                 MOST_ROWS, table->num_points);
        app_page_paragraph(page, which);
    }
    app_page_table_begin(page, (const char *const *)columns);
    for (size_t i = 0; i < MIN(table->num_points, MOST_ROWS); i++) {
        if (table->points[i].done) {
            g_auto(GStrv) cells = app_sweep_rows_cells(table, &table->points[i], noisy->len > 0);
            app_page_table_row(page, (const char *const *)cells);
        }
    }
    app_page_table_end(page);
    for (size_t i = 0; legend[i] != NULL; i++) {
        app_page_paragraph(page, legend[i]);
    }
}

/* The components of the noise, each once, and what it rests on. */
static void add_components(app_page *page, const app_sweep_table *table)
{
    static const char *const columns[] = {"component", "from",         "interval",
                                          "length",    "share of CPU", NULL};
    static const char *const FROM[APP_NUM_ORIGINS] = {
        [APP_ORIGIN_VALID] = "measured, valid",
        [APP_ORIGIN_MODEL] = "a model",
        [APP_ORIGIN_PRESET] = "a model, inferred from a paper",
        [APP_ORIGIN_UNKNOWN] = "measured, validity unknown",
        [APP_ORIGIN_INVALID] = "measured, not valid",
    };
    g_autoptr(GPtrArray) noisy = app_sweep_rows_noisy(table);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    if (noisy->len == 0) {
        return;
    }
    app_page_heading(page, "What the noise is");
    app_page_table_begin(page, columns);
    for (guint i = 0; i < noisy->len; i++) {
        const app_sweep_result *r = &((const app_sweep_point *)g_ptr_array_index(noisy, i))->result;
        for (size_t k = 0; k < r->series.num_met; k++) {
            const app_sweep_component *c = &r->components[k];
            if (!g_hash_table_add(seen, c->name)) {
                continue;
            }
            g_autofree char *interval = isfinite(c->interval)
                                            ? sim_unit_format_time_short((sim_time)c->interval)
                                            : g_strdup("no detours");
            g_autofree char *length = sim_unit_format_time_short((sim_time)c->length);
            g_autofree char *share = app_format_percent(r->series.met[k].share);
            const char *const cells[] = {c->name, FROM[c->origin], interval, length, share, NULL};
            app_page_table_row(page, cells);
        }
    }
    app_page_table_end(page);
}

/* What is said first: what is grave, the conclusions, what they stand on. */
static void add_statements(app_page *page, const app_sweep_table *table)
{
    g_autoptr(GPtrArray) noisy = app_sweep_rows_noisy(table);
    g_autoptr(GPtrArray) remarks = g_ptr_array_new();
    g_autoptr(app_sweep_conditions) conditions = app_sweep_conditions_new(
        (const app_sweep_point *const *)(gconstpointer)noisy->pdata, noisy->len);
    g_auto(GStrv) findings = app_sweep_findings_new(table);
    for (size_t i = 0; i < conditions->n; i++) {
        if (conditions->list[i].grave) {
            app_page_warning(page, conditions->list[i].text);
        } else {
            g_ptr_array_add(remarks, conditions->list[i].text);
        }
    }
    for (size_t i = 0; findings[i] != NULL; i++) {
        app_page_finding(page, findings[i]);
    }
    g_ptr_array_add(remarks, NULL);
    app_page_list(page, "What these numbers stand on", (const char *const *)remarks->pdata);
}

/* Under noise no run took longer or less than without. */
static bool is_flat(const app_sweep_table *table)
{
    g_autoptr(GPtrArray) noisy = app_sweep_rows_noisy(table);
    for (guint i = 0; i < noisy->len; i++) {
        const app_sweep_result *r = &((const app_sweep_point *)g_ptr_array_index(noisy, i))->result;
        for (uint32_t k = 0; k < r->series.num_runs; k++) {
            if (r->makespans[k] != r->series.ideal) {
                return false;
            }
        }
    }
    return noisy->len > 0;
}

static void add_terms(app_page *page, const app_sweep_table *table)
{
    g_autoptr(GPtrArray) noisy = app_sweep_rows_noisy(table);
    app_terms there = {.steady = false};
    for (guint i = 0; i < noisy->len; i++) {
        const app_sweep_point *p = g_ptr_array_index(noisy, i);
        const bool cosched = p->result.series.mode == APP_COSCHEDULED;
        there.unsynchronized = there.unsynchronized || !cosched;
        there.coscheduled = there.coscheduled || cosched;
    }
    app_terms_add(page, &there);
}

static bool add_figures(app_page *page, const app_sweep_table *table, const char *folder,
                        GError **error)
{
    if (is_flat(table)) {
        app_page_paragraph(page, "In no point did a run under noise take longer, or less, than the "
                                 "one without: there is nothing to draw.");
        return true;
    }
    g_autoptr(app_sweep_space) space = app_sweep_space_new(table);
    size_t left_out = 0;
    g_autoptr(GPtrArray) figures = app_sweep_figures_new(space, &left_out);
    for (guint i = 0; i < figures->len; i++) {
        const app_chart *chart = g_ptr_array_index(figures, i);
        if (!app_page_draw(page, chart, folder, error)) {
            return false;
        }
    }
    if (left_out > 0) {
        g_autofree char *more = g_strdup_printf("Not drawn: %zu more of these kinds, for other "
                                                "combinations of values; the database has "
                                                "their points.",
                                                left_out);
        app_page_paragraph(page, more);
    }
    return true;
}

static bool make(const void *data, const char *folder, GError **error)
{
    const app_sweep_report *r = data;
    const bool titled = r->title[0] != '\0';
    g_autofree char *title =
        titled ? g_strdup(r->title)
               : g_strdup_printf("A sweep of %s",
                                 r->table->points[0].values[APP_PARAMETER_PROGRAM].text);
    g_autoptr(app_page) page = app_page_new(title);
    add_statements(page, r->table);
    if (!add_figures(page, r->table, folder, error)) {
        return false;
    }
    add_parameters(page, r->table);
    add_components(page, r->table);
    add_measurements(page, r->table);
    add_notices(page, r->table);
    add_points(page, r->table);
    add_terms(page, r->table);
    app_page_heading(page, "Repeat it");
    g_autofree char *how = g_strdup_printf("Made by ripple %s; 'ripple sweep study.ini' with this "
                                           "file gives the same numbers:",
                                           r->version);
    app_page_paragraph(page, how);
    app_page_code(page, r->study);
    g_autofree char *path = g_build_filename(folder, APP_SWEEP_PAGE, NULL);
    return app_page_write(page, path, error);
}

bool app_sweep_report_write(const app_sweep_report *report, const char *folder, GError **error)
{
    return app_folder_fill(folder, make, report, error);
}

app_sweep_table *app_sweep_report_database(const char *path, const char *folder, GError **error)
{
    g_autoptr(app_sweep_database) database = app_sweep_database_read(path, error);
    g_autoptr(app_sweep_table) table =
        database != NULL ? app_sweep_table_read(database, error) : NULL;
    g_autofree char *title =
        table != NULL ? app_sweep_database_meta(database, "title", error) : NULL;
    g_autofree char *study =
        title != NULL ? app_sweep_database_meta(database, "study", error) : NULL;
    g_autofree char *version =
        study != NULL ? app_sweep_database_meta(database, "ripple_version", error) : NULL;
    if (version == NULL) {
        return NULL;
    }
    if (table->num_points == 0) {
        g_set_error(error, APP_ERROR, APP_ERROR_INPUT, "%s: it has no points", path);
        return NULL;
    }
    const app_sweep_report r = {table, title, study, version};
    return app_sweep_report_write(&r, folder, error) ? g_steal_pointer(&table) : NULL;
}
