/* apps/ripple/measure/measure_page.c — SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests: cli_measure_page. */
#include "measure/measure_page.h"

#include "measure/measure_figures.h"
#include "measure/measure_print.h"
#include "output/folder.h"
#include "report/page_figure.h"

#include <string.h>

typedef struct request {
    const app_measure_analysis *analysis;
    const char *verdict;
    const app_manifest *manifest;
} request;

/* Reasons why it is not valid are warnings; the rest is said below. */
static void add_verdict(app_page *page, const char *verdict, GPtrArray *remarks)
{
    g_auto(GStrv) lines = g_strsplit(verdict, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        if (g_str_has_prefix(*line, "not valid")) {
            app_page_warning(page, *line);
        } else if (**line != '\0') {
            g_ptr_array_add(remarks, g_strdup(*line));
        }
    }
}

static void add_statements(app_page *page, const request *r)
{
    const app_measure_analysis *a = r->analysis;
    g_autoptr(GPtrArray) remarks = g_ptr_array_new_with_free_func(g_free);
    if (r->verdict != NULL) {
        add_verdict(page, r->verdict, remarks);
    }
    for (size_t f = 0; r->verdict == NULL && f < a->num_files; f++) {
        if (a->origins[f]->verdict != NULL) {
            add_verdict(page, a->origins[f]->verdict, remarks);
        } else {
            g_ptr_array_add(remarks, g_strdup_printf("%s does not say whether it is valid",
                                                     a->origins[f]->path));
        }
    }
    g_autofree char *headline = app_measure_headline(a);
    app_page_finding(page, headline);
    g_autofree char *lengths = app_measure_lengths(a);
    if (lengths != NULL) {
        app_page_paragraph(page, lengths);
    }
    g_ptr_array_add(remarks, NULL);
    app_page_list(page, "What these numbers stand on", (const char *const *)remarks->pdata);
}

void app_measure_page_sources(app_page *page, const app_measure_analysis *a,
                              const char *const *last)
{
    const noise_decomposition *d = a->division;
    app_page_heading(page, "Where the detours come from");
    app_page_table_begin(page, APP_MEASURE_COLUMN);
    for (size_t s = 0; s < d->num_sources; s++) {
        g_auto(GStrv) cells = app_measure_row(a, s);
        app_page_table_row(page, (const char *const *)cells);
    }
    if (last != NULL) {
        app_page_table_row(page, last);
    }
    app_page_table_end(page);
    g_autoptr(GPtrArray) told = g_ptr_array_new_with_free_func(g_free);
    for (size_t s = 0; s < d->num_sources; s++) {
        const noise_source *x = &d->sources[s];
        g_ptr_array_add(told, strcmp(x->kind, "not known") == 0
                                  ? g_strdup_printf("%s: %s", x->name, x->evidence)
                                  : g_strdup_printf("%s, %s: %s", x->name, x->kind, x->evidence));
    }
    g_ptr_array_add(told, NULL);
    app_page_list(page, "How each is told", (const char *const *)told->pdata);
    g_auto(GStrv) remarks = app_measure_remarks(a);
    for (char **remark = remarks; *remark != NULL; remark++) {
        app_page_paragraph(page, *remark);
    }
}

static bool add_figure(app_page *page, app_chart *chart, const char *folder, GError **error)
{
    g_autoptr(app_chart) owned = chart;
    return app_page_draw(page, owned, folder, error);
}

static bool add_figures(app_page *page, const app_measure_analysis *a, const char *folder,
                        GError **error)
{
    static app_chart *(*const figures[])(const app_measure_analysis *) = {
        app_measure_figure_detours, app_measure_figure_lengths, app_measure_figure_ccdf,
        app_measure_figure_gaps};
    for (size_t i = 0; i < G_N_ELEMENTS(figures); i++) {
        if (!add_figure(page, figures[i](a), folder, error)) {
            return false;
        }
    }
    for (size_t c = 0; c < a->num_cpus; c++) {
        if (!add_figure(page, app_measure_figure_spectrum(a, c), folder, error)) {
            return false;
        }
    }
    return true;
}

static const app_term TERMS[] = {
    {"detour", "an interval in which the CPU is away from the program"},
    {"P*", "ranks from which a source hits every second collective"},
    {"rho", "branching ratio P D / T: from 1 on, collectives one after the other stay delayed"},
    {"beat", "an instant at which a source that is periodic should come"},
};

static bool make(const void *data, const char *folder, GError **error)
{
    const request *r = data;
    g_autoptr(app_page) page = app_page_new("What was measured");
    add_statements(page, r);
    if (r->analysis->division->num_sources > 0) {
        app_measure_page_sources(page, r->analysis, NULL);
    }
    if (!add_figures(page, r->analysis, folder, error)) {
        return false;
    }
    app_page_terms(page, TERMS, G_N_ELEMENTS(TERMS));
    app_page_heading(page, "Repeat it");
    g_autofree char *line = app_manifest_line(r->manifest);
    app_page_command(page, line);
    g_autofree char *path = g_build_filename(folder, APP_MEASURE_PAGE, NULL);
    return app_page_write(page, path, error);
}

bool app_measure_page_write(const app_measure_analysis *a, const char *verdict,
                            const app_manifest *manifest, const char *folder, GError **error)
{
    const request r = {a, verdict, manifest};
    return app_folder_fill(folder, make, &r, error);
}
