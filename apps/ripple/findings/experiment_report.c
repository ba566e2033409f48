/* apps/ripple/findings/experiment_report.c — SPDX-License-Identifier: GPL-3.0-or-later */
#include "findings/experiment_report.h"

#include "findings/breakdown_table.h"
#include "findings/experiment_figures.h"
#include "findings/met_table.h"
#include "findings/remark.h"
#include "findings/slowdown_table.h"
#include "output/folder.h"
#include "output/miner_print.h"
#include "output/terms.h"
#include "report/page_figure.h"

#include <stdio.h>

static void add_mined(app_page *page, const noise_miner_report *report, const char *from)
{
    app_page_heading(page, "Which noise it was");
    g_auto(GStrv) lines = g_strsplit(from, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        app_page_paragraph(page, *line);
    }
    char *text = NULL;
    size_t len = 0;
    FILE *stream = open_memstream(&text, &len);
    if (stream != NULL) {
        app_miner_report_print(report, stream);
        (void)fclose(stream);
        app_page_code(page, text);
    }
    free(text);
}

/* What the figure of it does not show. */
static void add_breakdowns(app_page *page, const app_results *results)
{
    g_autofree char *missing = app_breakdown_missing(results);
    if (missing != NULL) {
        app_page_paragraph(page, missing);
    }
    if (!app_explanations_are_there(results)) {
        return;
    }
    app_page_heading(page, "What bounds it");
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (stream != NULL) {
        app_explanations_print(results, stream);
        (void)fclose(stream);
        app_page_code(page, g_strstrip(text));
    }
    free(text);
}

static bool add_figures(app_page *page, const app_findings *f, const char *folder, GError **error)
{
    const bool flat = app_figures_flat(f);
    app_chart *const figures[] = {flat ? NULL : app_figure_slowdown(f),
                                  flat ? NULL : app_figure_replicas(f), app_figure_where(f)};
    bool ok = true;
    if (flat) {
        app_page_paragraph(page, "No run under noise took longer, or less, than the one without: "
                                 "there is nothing to draw of it.");
    } else if (f->results->noisy && figures[0] == NULL) {
        app_page_paragraph(page, "The slowdown is not drawn: at no size were enough detours met.");
    }
    for (size_t i = 0; i < G_N_ELEMENTS(figures); i++) {
        ok = ok && app_page_draw(page, figures[i], folder, error);
        app_chart_free(figures[i]);
    }
    return ok;
}

/* What is said first: what is grave, the conclusions, what they stand on. */
static void add_statements(app_page *page, const app_findings *f)
{
    g_autoptr(GPtrArray) remarks = g_ptr_array_new();
    for (size_t i = 0; i < f->conditions->n; i++) {
        const app_condition *c = &f->conditions->list[i];
        if (c->weight == APP_CONDITION_GRAVE) {
            app_page_warning(page, c->text);
        } else {
            g_ptr_array_add(remarks, c->text);
        }
    }
    for (char **sentence = f->conclusions; *sentence != NULL; sentence++) {
        app_page_finding(page, *sentence);
    }
    g_ptr_array_add(remarks, NULL);
    app_page_list(page, "What these numbers stand on", (const char *const *)remarks->pdata);
}

static void add_terms(app_page *page, const app_results *results)
{
    app_terms there = {.steady = app_results_quantity(results) == APP_STEADY};
    for (size_t i = 0; i < results->num_series; i++) {
        const app_mode mode = results->series[i].mode;
        there.unsynchronized = there.unsynchronized || mode == APP_UNSYNCHRONIZED;
        there.coscheduled = there.coscheduled || mode == APP_COSCHEDULED;
    }
    app_terms_add(page, &there);
}

static bool make(const void *data, const char *folder, GError **error)
{
    const app_report *report = data;
    g_autoptr(app_page) page = app_page_new(report->title);
    const app_findings *f = report->findings;
    add_statements(page, f);
    app_page_paragraph(page, report->program);
    app_page_heading(page, f->results->noisy ? "How much slower" : "How long it takes");
    app_slowdown_table_add(f->results, page);
    if (!add_figures(page, f, folder, error) ||
        (report->section != NULL && !report->section(report->section_data, page, folder, error))) {
        return false;
    }
    add_breakdowns(page, f->results);
    app_met_table_add(f->results, f->noise, page);
    if (report->mined != NULL) {
        add_mined(page, report->mined, report->mined_from);
    }
    add_terms(page, f->results);
    app_page_heading(page, "Repeat it");
    g_autofree char *line = app_manifest_line(report->manifest);
    app_page_command(page, line);
    g_autofree char *path = g_build_filename(folder, APP_REPORT_PAGE, NULL);
    return app_page_write(page, path, error);
}

bool app_report_write(const app_report *report, const char *folder, GError **error)
{
    return app_folder_fill(folder, make, report, error);
}
