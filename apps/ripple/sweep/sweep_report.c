/* apps/ripple/sweep/sweep_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: test_sweep_figures, cli_report. */
#include "sweep/sweep_report.h"

#include "output/folder.h"
#include "output/number_text.h"
#include "output/sentences.h"
#include "report/page.h"
#include "sim/unit.h"
#include "sweep/sweep_figures.h"

enum { MOST_ROWS = 300 }; /* of points on the page */

static double slowdown_of(const app_sweep_point *p)
{
    return app_sweep_result_slowdown(&p->result, p->result.series.times.median);
}

/* "ranks=1Mi, noise=jaguar": where that point lies. */
static char *place_of(const app_sweep_table *table, const app_sweep_point *p)
{
    GString *place = g_string_new(NULL);
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        if (table->varied[id] && p->values[id].has) {
            g_autofree char *value = app_sweep_value_format((app_parameter_id)id, &p->values[id]);
            g_string_append_printf(place, "%s%s=%s", place->len > 0 ? ", " : "",
                                   app_parameters[id].name, value);
        }
    }
    return g_string_free(place, FALSE);
}

/* The point in that mode that is slowed down most; NULL: there is none. */
static const app_sweep_point *worst_of(const app_sweep_table *table, app_mode mode)
{
    const app_sweep_point *worst = NULL;
    for (size_t i = 0; i < table->num_points; i++) {
        const app_sweep_point *p = &table->points[i];
        if (p->done && p->result.series.mode == mode &&
            (worst == NULL || slowdown_of(p) > slowdown_of(worst))) {
            worst = p;
        }
    }
    return worst;
}

char **app_sweep_findings(const app_sweep_table *table)
{
    GPtrArray *sentences = g_ptr_array_new();
    size_t done = 0;
    for (size_t i = 0; i < table->num_points; i++) {
        done += table->points[i].done;
    }
    if (done < table->num_points) {
        app_sentences_add(sentences, "Not complete: %zu of %zu points are done.", done,
                          table->num_points);
    }
    static const char *const WHO[APP_NUM_MODES] = {NULL, "Under noise a run takes",
                                                   "With co-scheduled noise it takes"};
    for (int mode = APP_UNSYNCHRONIZED; mode < APP_NUM_MODES; mode++) {
        const app_sweep_point *worst = worst_of(table, (app_mode)mode);
        if (worst != NULL) {
            g_autofree char *cost = app_format_longer(slowdown_of(worst));
            g_autofree char *place = place_of(table, worst);
            app_sentences_add(sentences, "%s at most %s%s%s.", WHO[mode], cost,
                              place[0] != '\0' ? ": at " : "", place);
        }
    }
    g_ptr_array_add(sentences, NULL);
    return (char **)g_ptr_array_free(sentences, FALSE);
}

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
            const char *const cells[] = {app_parameters[id].name, value, NULL};
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

static void add_row(app_page *page, const app_sweep_table *table, const app_sweep_point *p)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        if (table->varied[id]) {
            g_autofree char *value = app_sweep_value_format((app_parameter_id)id, &p->values[id]);
            g_strv_builder_add(builder, value);
        }
    }
    const app_sweep_result *r = &p->result;
    const bool noisy = r->series.mode != APP_IDEAL;
    const bool interval = noisy && r->series.times.level > 0;
    g_autofree char *ideal = sim_unit_format_time_short(r->series.ideal);
    g_autofree char *median = sim_unit_format_time_short(r->series.times.median);
    g_autofree char *slowdown = app_format_slowdown(slowdown_of(p));
    g_autofree char *low = app_format_slowdown(app_sweep_result_slowdown(r, r->series.times.low));
    g_autofree char *high = app_format_slowdown(app_sweep_result_slowdown(r, r->series.times.high));
    g_autofree char *runs = g_strdup_printf("%u", r->series.num_runs);
    g_strv_builder_add_many(builder, ideal, noisy ? median : "", noisy ? slowdown : "",
                            interval ? low : "", interval ? high : "", noisy ? runs : "", NULL);
    g_auto(GStrv) cells = g_strv_builder_end(builder);
    app_page_table_row(page, (const char *const *)cells);
}

static void add_points(app_page *page, const app_sweep_table *table)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    for (int id = 0; id < APP_NUM_PARAMETERS; id++) {
        if (table->varied[id]) {
            g_strv_builder_add(builder, app_parameters[id].name);
        }
    }
    g_strv_builder_add_many(builder, "ideal", "median", "slowdown", "CI from", "CI to", "replicas",
                            NULL);
    g_auto(GStrv) columns = g_strv_builder_end(builder);
    app_page_heading(page, "All points");
    if (table->num_points > MOST_ROWS) {
        g_autofree char *which = g_strdup_printf("The first %d of %zu; the database has them all.",
                                                 MOST_ROWS, table->num_points);
        app_page_paragraph(page, which);
    }
    app_page_table_begin(page, (const char *const *)columns);
    for (size_t i = 0; i < MIN(table->num_points, MOST_ROWS); i++) {
        if (table->points[i].done) {
            add_row(page, table, &table->points[i]);
        }
    }
    app_page_table_end(page);
    app_page_paragraph(page, "Slowdown is (noisy - ideal) / ideal of the median over the replicas; "
                             "the interval encloses it with 95 % where there are enough replicas.");
}

static bool add_figures(app_page *page, const app_sweep_table *table, const char *folder,
                        GError **error)
{
    g_autoptr(app_sweep_space) space = app_sweep_space_new(table);
    size_t left_out = 0;
    g_autoptr(GPtrArray) figures = app_sweep_figures_new(space, &left_out);
    for (guint i = 0; i < figures->len; i++) {
        const app_chart *chart = g_ptr_array_index(figures, i);
        g_autofree char *svg = NULL;
        if (!app_figure_write(&chart->figure, folder, &svg, error)) {
            return false;
        }
        app_page_figure(page, &chart->figure, svg);
    }
    if (left_out > 0) {
        g_autofree char *more = g_strdup_printf(
            "%zu more figures of these kinds, for other combinations of values, are "
            "not drawn; the database has their points.",
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
    g_auto(GStrv) findings = app_sweep_findings(r->table);
    for (size_t i = 0; findings[i] != NULL; i++) {
        app_page_finding(page, findings[i]);
    }
    if (!add_figures(page, r->table, folder, error)) {
        return false;
    }
    add_parameters(page, r->table);
    add_measurements(page, r->table);
    add_notices(page, r->table);
    add_points(page, r->table);
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
